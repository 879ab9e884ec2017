import type { SubmittedForm } from '../../../http/context.ts'
import { fieldErrorOf } from '../form.tsx'
import { describe, LabeledField } from '../labeled-field.tsx'

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
  const error = fieldErrorOf(submitted, name, label)
  return (
    <LabeledField name={name} label={label} hint={hint} error={error}>
      <input id={name} name={name} type="file" accept={accept} {...describe(name, hint, error)} />
    </LabeledField>
  )
}
