import type { SubmittedForm } from '../../http/context.ts'
import { describedBy, errorOf, FieldErrorMessage, Hint } from './form.tsx'

interface FileFieldProps {
  name: string
  label: string
  /** One sentence of help under the label. */
  hint?: string
  /** The media types that people can choose, separated by commas. */
  accept: string
  submitted?: SubmittedForm | undefined
}

/** A field for one file; its form needs `upload`. */
export function FileField({ name, label, hint, accept, submitted }: FileFieldProps) {
  const error = errorOf(submitted, name, label)
  return (
    <div class="field">
      <label for={name} safe>
        {label}
      </label>
      <Hint name={name} hint={hint} />
      <input
        id={name}
        name={name}
        type="file"
        accept={accept}
        aria-describedby={describedBy(name, hint, error)}
        aria-invalid={error ? 'true' : undefined}
      />
      <FieldErrorMessage name={name} error={error} />
    </div>
  )
}
