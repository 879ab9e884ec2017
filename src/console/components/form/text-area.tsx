import type { SubmittedForm } from '../../http/context.ts'
import { textOf } from '../../http/forms/form-data.ts'
import { fieldErrorOf } from './form.tsx'
import { describe, LabeledField } from './labeled-field.tsx'

/** The scripts of a page whose text areas become editors for formatted text. */
export const richTextScripts = ['purify.js', 'squire.js', 'editor-toolbar.js', 'editor.js'] as const

/** Scripts that the editor loads after the page. */
export const laterRichTextScripts = ['pasted-content.js', 'editor-markdown.js'] as const

interface TextAreaProps {
  name: string
  label: string
  /** What an error calls the field, where the label is not a noun. */
  called?: string
  value?: string
  /** One sentence of help under the label. */
  hint?: string
  rows?: number
  required?: boolean
  /** Uses a monospace font and no spell checking. */
  mono?: boolean
  /** A script may show an editor for formatted text, also one that uploads images. */
  richText?: boolean | 'images'
  /** The id of the form, for a field that is not inside it. */
  form?: string
  submitted?: SubmittedForm | undefined
}

/** A textarea with its label, hint and error. */
export function TextArea(props: TextAreaProps) {
  const {
    name,
    label,
    called = label,
    value = '',
    hint,
    rows = 3,
    required = false,
    mono = false,
    richText = false,
    form,
    submitted,
  } = props
  const error = fieldErrorOf(submitted, name, called)
  const currentValue = submitted ? textOf(submitted.values, name) : value
  return (
    <LabeledField name={name} label={label} hint={hint} error={error}>
      <textarea
        id={name}
        form={form}
        name={name}
        rows={String(rows)}
        required={required}
        data-rich-text={richText === true ? '' : richText || undefined}
        class={mono ? 'mono' : undefined}
        spellcheck={mono ? 'false' : undefined}
        {...describe(name, hint, error)}
        safe
      >
        {/* HTML ignores the first line break after the tag. */ `\n${currentValue}`}
      </textarea>
    </LabeledField>
  )
}
