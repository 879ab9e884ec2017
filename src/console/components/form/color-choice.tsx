import type { SubmittedForm } from '../../http/context.ts'
import { textOf } from '../../http/forms/form-data.ts'
import type { TextKey, Translate } from '../../locales/index.ts'
import { fieldErrorOf } from './form.tsx'
import { FieldErrorMessage } from './labeled-field.tsx'

/** Colors on which white text is readable. */
const colors: readonly { value: string; label: TextKey }[] = [
  { value: '#7c3aed', label: 'color.violet' },
  { value: '#1d4ed8', label: 'color.blue' },
  { value: '#0f766e', label: 'color.teal' },
  { value: '#15803d', label: 'color.green' },
  { value: '#b45309', label: 'color.orange' },
  { value: '#b91c1c', label: 'color.red' },
  { value: '#be185d', label: 'color.pink' },
  { value: '#334155', label: 'color.grey' },
]

/** A choice of colors for the newsletters of a team. */
export function ColorChoice({
  t,
  submitted,
}: {
  t: Translate
  submitted: SubmittedForm | undefined
}) {
  const name = 'brand_color'
  const chosen = (submitted && textOf(submitted.values, name)) || colors[0]?.value
  return (
    <fieldset class="color-choice">
      <legend>{t('setup.color_of_newsletters')}</legend>
      <div class="row">
        {colors.map(({ value, label }) => (
          <label title={t(label)}>
            <input type="radio" name={name} value={value} checked={value === chosen} />
            <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
              <circle cx="16" cy="16" r="13" fill={value} />
            </svg>
            <span class="visually-hidden">{t(label)}</span>
          </label>
        ))}
      </div>
      <FieldErrorMessage name={name} error={fieldErrorOf(submitted, name)} />
    </fieldset>
  )
}
