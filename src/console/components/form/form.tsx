import type { Children } from '@kitajs/html'
import { attribute } from '../../attribute.ts'
import { type ConsoleRequest, isMemberRequest, type SubmittedForm } from '../../http/context.ts'
import { listValuesOf, textOf } from '../../http/forms/form-data.ts'
import { describe, Hint, LabeledField } from './labeled-field.tsx'

interface FormProps {
  context: ConsoleRequest
  action: string
  class?: string
  id?: string
  /**
   * Unsaved text is stored until the form is saved: on the device and on the server, or only on the device where it can
   * contain a secret or personal data that the server does not store.
   */
  draft?: boolean | 'device'
  /** The form has a file. */
  upload?: boolean
  /** Attributes for a script. Their values are escaped already. */
  data?: Readonly<Record<`data-${string}`, string>>
  children: Children
}

/**
 * A POST form with the CSRF token, with what identifies its page view to `once`, and with the team of its page, in
 * which it is handled whichever team the session shows by then. One with text also says who writes it, so that only
 * the password is asked for when the session has ended.
 */
export function Form({
  context,
  action,
  class: className,
  id,
  draft,
  upload,
  data = {},
  children,
}: FormProps) {
  return (
    <form
      method="post"
      action={action}
      class={className}
      id={id}
      enctype={upload ? 'multipart/form-data' : undefined}
      data-draft={draft === true ? '' : draft || undefined}
      {...data}
    >
      <input type="hidden" name="csrf" value={context.csrf} />
      {/* Without `autocomplete`, browsers show the value of an earlier page view again. */}
      <input type="hidden" name="submission" value={context.submission} autocomplete="off" />
      {isMemberRequest(context) ? (
        <input type="hidden" name="form_team" value={context.teamId} autocomplete="off" />
      ) : null}
      {draft && context.signedIn ? (
        <input
          type="hidden"
          name="signed_in_as"
          value={attribute(context.signedIn.account.email)}
          autocomplete="off"
        />
      ) : null}
      {children as 'safe'}
    </form>
  )
}

interface FieldProps {
  name: string
  label: string
  /** What an error calls the field, where the label is not a noun. */
  called?: string
  /** The initial value. */
  value?: string
  /** One sentence of help under the label. */
  hint?: string
  /** What the field is for, while it is empty. */
  placeholder?: string
  type?:
    | 'text'
    | 'email'
    | 'password'
    | 'date'
    | 'color'
    | 'datetime-local'
    | 'time'
    | 'search'
    | 'url'
  required?: boolean
  autocomplete?: string
  maxlength?: number
  minlength?: number
  /** The id of the form, for a field that is not inside it. */
  form?: string
  /** The id of a `datalist` with suggestions. */
  list?: string
  /** The first field of a page that people open to fill it in; not after an error, which is read first. */
  autofocus?: boolean
  /** The submitted form, to show its values and errors again. */
  submitted?: SubmittedForm | undefined
}

/** A field with its label, hint and error. */
export function Field({
  name,
  label,
  called = label,
  hint,
  submitted,
  value,
  type = 'text',
  form,
  ...rest
}: FieldProps) {
  const error = fieldErrorOf(submitted, name, called)
  const currentValue = submitted && type !== 'password' ? textOf(submitted.values, name) : value
  return (
    <LabeledField name={name} label={label} hint={hint} error={error}>
      <input
        id={name}
        form={form}
        name={name}
        type={type}
        value={attribute(currentValue ?? '')}
        required={rest.required ?? false}
        placeholder={rest.placeholder}
        autocomplete={rest.autocomplete ?? 'off'}
        maxlength={rest.maxlength}
        minlength={rest.minlength}
        list={rest.list}
        autofocus={rest.autofocus && !submitted}
        {...describe(name, hint, error)}
      />
    </LabeledField>
  )
}

interface SelectProps {
  name: string
  label: string
  options: readonly { value: string; label: string }[]
  value?: string | undefined
  hint?: string
  form?: string
  submitted?: SubmittedForm | undefined
}

/** A select with its label, hint and error. */
export function Select({ name, label, options, value, hint, form, submitted }: SelectProps) {
  const error = fieldErrorOf(submitted, name, label)
  const currentValue = submitted ? textOf(submitted.values, name) : value
  return (
    <LabeledField name={name} label={label} hint={hint} error={error}>
      <select id={name} form={form} name={name} {...describe(name, hint, error)}>
        {options.map((option) => (
          <option value={attribute(option.value)} selected={option.value === currentValue} safe>
            {option.label}
          </option>
        ))}
      </select>
    </LabeledField>
  )
}

interface CheckboxProps {
  name: string
  label: string
  hint?: string
  /** The value in the list, for names that end in `[]`. */
  value?: string
  checked?: boolean
  submitted?: SubmittedForm | undefined
}

/** A checkbox with its label and hint. */
export function Checkbox({ name, label, hint, value, checked = false, submitted }: CheckboxProps) {
  const id = value ? `${name.replace('[]', '')}-${value}` : name
  const isChecked = submitted
    ? value
      ? listValuesOf(submitted.values, name).includes(value)
      : textOf(submitted.values, name) !== ''
    : checked
  return (
    <div class="check">
      <input
        id={id}
        name={name}
        type="checkbox"
        value={attribute(value ?? 'on')}
        checked={isChecked}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <label for={id} safe>
        {label}
      </label>
      <Hint name={id} hint={hint} />
    </div>
  )
}

/** The error of a field as a sentence with the label of the field, or undefined. */
export function fieldErrorOf(
  submitted: SubmittedForm | undefined,
  name: string,
  label = name,
): string | undefined {
  const error = submitted?.errors.find(({ pointer }) => pointer === `/${name}`)
  const isNamed = error?.message.startsWith(`${name} `)
  return error && toSentence(isNamed ? label + error.message.slice(name.length) : error.message)
}

const toSentence = (message: string) => {
  // Names of fields become words; a prefix such as `whsec_` stays.
  const text = message.replaceAll(/(?<=\w)_(?=\w)/g, ' ')
  // An address is written in lower case.
  return /^\S+@/.test(text) ? `${message}.` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** The errors of a form that no field shows; `exceptFields` are the names of the fields that show theirs. */
export function ErrorSummary({
  submitted,
  exceptFields = [],
}: {
  submitted: SubmittedForm | undefined
  exceptFields?: string[]
}) {
  const shown = (submitted?.errors ?? []).filter(
    ({ pointer }) => !exceptFields.includes(pointer.slice(1)),
  )
  if (shown.length === 0) return ''
  return (
    <ul class="notice danger" role="alert">
      {shown.map(({ message }) => (
        <li safe>{toSentence(message)}</li>
      ))}
    </ul>
  )
}
