import type { SubmittedForm } from '../../http/context.ts'
import { textOf } from '../../http/form-data.ts'
import { describedBy, errorOf, FieldErrorMessage, Hint } from './form.tsx'

interface TextAreaProps {
  name: string
  label: string
  value?: string
  /** One sentence of help under the label. */
  hint?: string
  rows?: number
  required?: boolean
  /** Uses a monospace font and no spell checking. */
  mono?: boolean
  /** The id of the form, for a field that is not inside it. */
  form?: string
  submitted?: SubmittedForm | undefined
}

/** A textarea with its label, hint and error. */
export function TextArea(props: TextAreaProps) {
  const {
    name,
    label,
    value = '',
    hint,
    rows = 3,
    required = false,
    mono = false,
    form,
    submitted,
  } = props
  const error = errorOf(submitted, name, label)
  const currentValue = submitted ? textOf(submitted.values, name) : value
  return (
    <div class="field">
      <label for={name} safe>
        {label}
      </label>
      <Hint name={name} hint={hint} />
      <textarea
        id={name}
        form={form}
        name={name}
        rows={String(rows)}
        required={required}
        class={mono ? 'mono' : undefined}
        spellcheck={mono ? 'false' : undefined}
        aria-describedby={describedBy(name, hint, error)}
        aria-invalid={error ? 'true' : undefined}
        safe
      >
        {/* HTML ignores the first line break after the tag. */ `\n${currentValue}`}
      </textarea>
      <FieldErrorMessage name={name} error={error} />
    </div>
  )
}
