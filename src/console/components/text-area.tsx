import type { SubmittedForm } from '../http/context.ts'
import { textOf } from '../http/form-data.ts'
import { describedBy, errorOf, FieldErrorMessage, Hint } from './form.tsx'

interface TextAreaProps {
  name: string
  label: string
  value?: string
  /** One sentence of help under the label. */
  hint?: string
  rows?: number
  required?: boolean
  /** Code rather than prose. */
  mono?: boolean
  /** The id of the form, for a field that is not inside it. */
  form?: string
  entry?: SubmittedForm | undefined
}

/** A labelled field for several lines. */
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
    entry,
  } = props
  const fault = errorOf(entry, name, label)
  const typed = entry ? textOf(entry.values, name) : value
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
        aria-describedby={describedBy(name, hint, fault)}
        aria-invalid={fault ? 'true' : undefined}
        safe
      >
        {/* The first line break after the tag is not part of the text. */ `\n${typed}`}
      </textarea>
      <FieldErrorMessage name={name} fault={fault} />
    </div>
  )
}
