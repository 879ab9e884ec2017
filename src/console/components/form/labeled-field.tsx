import type { Children } from '@kitajs/html'

interface LabeledFieldProps {
  /** The name of the field, which is also the id of its control. */
  name: string
  label: string
  hint?: string | undefined
  error: string | undefined
  /** The control, with the attributes of `describe`. */
  children: Children
}

/** A control between its label and hint and its error. */
export function LabeledField({ name, label, hint, error, children }: LabeledFieldProps) {
  return (
    <div class="field">
      <label for={name} safe>
        {label}
      </label>
      <Hint name={name} hint={hint} />
      {children as 'safe'}
      <FieldErrorMessage name={name} error={error} />
    </div>
  )
}

/** The attributes that connect a control with its hint and its error for screen readers. */
export const describe = (name: string, hint?: string, error?: string) => ({
  'aria-describedby': describedBy(name, hint, error),
  'aria-invalid': error ? ('true' as const) : undefined,
})

/** The hint of a field, or nothing. */
export function Hint({ name, hint }: { name: string; hint: string | undefined }) {
  if (!hint) return ''
  return (
    <p class="hint" id={`${name}-hint`} safe>
      {hint}
    </p>
  )
}

/** The error of a field, or nothing. */
export function FieldErrorMessage({ name, error }: { name: string; error: string | undefined }) {
  if (!error) return ''
  return (
    <p class="field-error" id={`${name}-error`} safe>
      {error}
    </p>
  )
}

function describedBy(name: string, hint?: string, error?: string): string | undefined {
  const ids = [...(hint ? [`${name}-hint`] : []), ...(error ? [`${name}-error`] : [])]
  return ids.length > 0 ? ids.join(' ') : undefined
}
