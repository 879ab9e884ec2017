import type { Children } from '@kitajs/html'
import { attribute } from '../attribute.ts'
import type { ConsoleRequest, SubmittedForm } from '../http/context.ts'
import { listOf, textOf } from '../http/form-data.ts'

interface FormProps {
  context: ConsoleRequest
  action: string
  class?: string
  id?: string
  /** What is typed is kept on the device until it is saved. */
  draft?: boolean
  children: Children
}

/** A form that changes something; it contains the CSRF token. */
export function Form({ context, action, class: kind, id, draft, children }: FormProps) {
  return (
    <form method="post" action={action} class={kind} id={id} data-draft={draft ? '' : undefined}>
      <input type="hidden" name="csrf" value={context.csrf} />
      {children as 'safe'}
    </form>
  )
}

interface FieldProps {
  name: string
  label: string
  /** What is there to begin with. */
  value?: string
  /** One sentence of help under the label. */
  hint?: string
  type?: 'text' | 'email' | 'password' | 'date' | 'color' | 'datetime-local' | 'search' | 'url'
  required?: boolean
  autocomplete?: string
  maxlength?: number
  minlength?: number
  /** The id of the form, for a field that is not inside it. */
  form?: string
  /** A form with errors: shows what was typed, and what is wrong. */
  entry?: SubmittedForm | undefined
}

/** A field with its label, hint and error. */
export function Field({
  name,
  label,
  hint,
  entry,
  value,
  type = 'text',
  form,
  ...rest
}: FieldProps) {
  const fault = errorOf(entry, name, label)
  const typed = entry && type !== 'password' ? textOf(entry.values, name) : value
  return (
    <div class="field">
      <label for={name} safe>
        {label}
      </label>
      <Hint name={name} hint={hint} />
      <input
        id={name}
        form={form}
        name={name}
        type={type}
        value={attribute(typed ?? '')}
        required={rest.required ?? false}
        autocomplete={rest.autocomplete ?? 'off'}
        maxlength={rest.maxlength}
        minlength={rest.minlength}
        aria-describedby={describedBy(name, hint, fault)}
        aria-invalid={fault ? 'true' : undefined}
      />
      <FieldErrorMessage name={name} fault={fault} />
    </div>
  )
}

interface SelectProps {
  name: string
  label: string
  options: readonly { value: string; label: string }[]
  value?: string | undefined
  hint?: string
  form?: string
  entry?: SubmittedForm | undefined
}

/** A choice of one option, with its label. */
export function Select({ name, label, options, value, hint, form, entry }: SelectProps) {
  const fault = errorOf(entry, name, label)
  const chosen = entry ? textOf(entry.values, name) : value
  return (
    <div class="field">
      <label for={name} safe>
        {label}
      </label>
      <Hint name={name} hint={hint} />
      <select
        id={name}
        form={form}
        name={name}
        aria-describedby={describedBy(name, hint, fault)}
        aria-invalid={fault ? 'true' : undefined}
      >
        {options.map((option) => (
          <option value={attribute(option.value)} selected={option.value === chosen} safe>
            {option.label}
          </option>
        ))}
      </select>
      <FieldErrorMessage name={name} fault={fault} />
    </div>
  )
}

interface CheckboxProps {
  name: string
  label: string
  hint?: string
  /** For names that end in `[]`: which of the list this is. */
  value?: string
  checked?: boolean
  entry?: SubmittedForm | undefined
}

/** A box to tick, its words beside it. */
export function Checkbox({ name, label, hint, value, checked = false, entry }: CheckboxProps) {
  const id = value ? `${name.replace('[]', '')}-${value}` : name
  const ticked = entry
    ? value
      ? listOf(entry.values, name).includes(value)
      : entry.values[name] !== undefined
    : checked
  return (
    <div class="check">
      <input
        id={id}
        name={name}
        type="checkbox"
        value={attribute(value ?? 'on')}
        checked={ticked}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <label for={id} safe>
        {label}
      </label>
      <Hint name={id} hint={hint} />
    </div>
  )
}

/** A sentence of help under a label, or nothing. */
export function Hint({ name, hint }: { name: string; hint: string | undefined }) {
  if (!hint) return ''
  return (
    <p class="hint" id={`${name}-hint`} safe>
      {hint}
    </p>
  )
}

/** What is wrong with a field, or nothing. */
export function FieldErrorMessage({ name, fault }: { name: string; fault: string | undefined }) {
  if (!fault) return ''
  return (
    <p class="fault" id={`${name}-fault`} safe>
      {fault}
    </p>
  )
}

/** The ids of what explains a field. */
export function describedBy(name: string, hint?: string, fault?: string): string | undefined {
  const ids = [...(hint ? [`${name}-hint`] : []), ...(fault ? [`${name}-fault`] : [])]
  return ids.length > 0 ? ids.join(' ') : undefined
}

/** The error of one field, as a sentence that names the field by its label. */
export function errorOf(
  entry: SubmittedForm | undefined,
  name: string,
  label = name,
): string | undefined {
  const fault = entry?.errors.find(({ pointer }) => pointer === `/${name}`)
  const isNamed = fault?.message.startsWith(`${name} `)
  return fault && sentence(isNamed ? label + fault.message.slice(name.length) : fault.message)
}

const sentence = (message: string) => {
  const words = message.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

/** All that is wrong with a refused form, for faults that belong to no field shown. */
export function ErrorSummary({
  entry,
  but = [],
}: {
  entry: SubmittedForm | undefined
  but?: string[]
}) {
  const shown = (entry?.errors ?? []).filter(({ pointer }) => !but.includes(pointer.slice(1)))
  if (shown.length === 0) return ''
  return (
    <ul class="notice bad" role="alert">
      {shown.map(({ message }) => (
        <li safe>{sentence(message)}</li>
      ))}
    </ul>
  )
}
