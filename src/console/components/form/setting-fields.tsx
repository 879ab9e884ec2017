import type * as v from 'valibot'
import { formLabelOf, inputOf } from '../../../contract/settings.ts'
import { blockTypes } from '../../../contract/vocabulary.ts'
import type { Integration, IntegrationPage } from '../../../features/connections/index.ts'
import type { SubmittedForm } from '../../http/context.ts'
import { type FormValues, textOf } from '../../http/form-data.ts'
import { blockTypeLabels } from '../block.tsx'
import { Checkbox, Field, Select } from './form.tsx'
import { TextArea } from './text-area.tsx'

interface SettingFieldsProps {
  integration: Integration
  page: IntegrationPage
  /** The current settings without secrets; undefined for a new connection. */
  settings?: Record<string, unknown>
  submitted?: SubmittedForm | undefined
}

/** The fields of the settings of an integration. The settings that every connection has are collapsed. */
export function SettingFields({ integration, page, settings, submitted }: SettingFieldsProps) {
  const shared = sharedSettings(integration)
  const open = shared.some(
    ({ name }) =>
      name in (settings ?? {}) || submitted?.errors.some((error) => error.pointer === `/${name}`),
  )
  return (
    <>
      {Object.entries(integration.settings.entries).map(([name, schema]) => (
        <SettingField
          name={name}
          schema={schema}
          hint={page.hints.get(name) ?? ''}
          isNew={settings === undefined}
          value={settings?.[name]}
          submitted={submitted}
        />
      ))}
      <details open={open}>
        <summary>More settings</summary>
        {shared.map((setting) => (
          <SharedField setting={setting} value={settings?.[setting.name]} submitted={submitted} />
        ))}
      </details>
    </>
  )
}

interface SettingFieldProps {
  name: string
  schema: v.GenericSchema
  hint: string
  isNew: boolean
  value: unknown
  submitted: SubmittedForm | undefined
}

function SettingField({ name, schema, hint, isNew, value, submitted }: SettingFieldProps) {
  const common = { name, label: formLabelOf(schema) || settingLabel(name), submitted }
  switch (inputOf(schema)) {
    case 'flag':
      return <Checkbox {...common} hint={hint} checked={String(value) === 'true'} />
    case 'long':
      return <TextArea {...common} hint={hint} value={toInputValue(value)} rows={5} mono />
    case 'secret':
      return (
        <SecretField {...common} hint={isNew ? hint : `${hint} ${keepValueHint}`} isNew={isNew} />
      )
    case 'own-secret':
      return (
        <SecretField
          {...common}
          hint={`${hint} ${isNew ? generateHint : keepValueHint}`}
          isNew={isNew}
        />
      )
    default:
      return <Field {...common} hint={hint} value={toInputValue(value)} />
  }
}

interface SecretFieldProps {
  name: string
  label: string
  hint: string
  isNew: boolean
  submitted: SubmittedForm | undefined
}

function SecretField({ name, label, hint, isNew, submitted }: SecretFieldProps) {
  return (
    <>
      <Field name={name} label={label} type="password" hint={hint} submitted={submitted} />
      {isNew ? null : (
        <Checkbox
          name="keep_previous[]"
          value={name}
          label={`Also accept the previous ${label.toLowerCase()}`}
          hint="While you change it at the provider. The next change here ends this."
          submitted={submitted}
        />
      )}
    </>
  )
}

const keepValueHint = 'Leave it empty to keep the current value.'
const generateHint = 'Leave it empty to let Tidings create one, which you copy on the next page.'

interface SharedSetting {
  name: string
  label: string
  hint: string
  input: 'flag' | 'text' | readonly { value: string; label: string }[]
}

/** The settings that every connection has, without those that an integration does not support. */
function sharedSettings({ events = [], groups }: Integration): readonly SharedSetting[] {
  return [
    {
      name: 'auto_ready',
      label: 'Approve automatically',
      hint: 'New blocks are ready at once instead of drafts.',
      input: 'flag',
    },
    {
      name: 'block_type',
      label: 'Type',
      hint: 'The type of all blocks of this connection.',
      input: [
        { value: '', label: 'As the integration defines it' },
        ...blockTypes.map((type) => ({ value: type, label: blockTypeLabels[type] })),
      ],
    },
    {
      name: 'event_slug',
      label: 'Event',
      hint: 'The slug of the event that all blocks are for, for example winter-break.',
      input: 'text',
    },
    ...(events.length > 0
      ? [
          {
            name: 'events',
            label: 'Events of the provider',
            hint: `Only these, separated by commas; empty for all: ${events.join(', ')}.`,
            input: 'text' as const,
          },
        ]
      : []),
    ...(groups
      ? [
          {
            name: 'group',
            label: 'Combine',
            hint: 'One draft contains the items of a week, newest first.',
            input: [
              { value: '', label: 'One block per item' },
              { value: 'week', label: 'Releases of a week in one block' },
              { value: 'week_all', label: 'All items of a week in one block' },
            ],
          },
        ]
      : []),
  ]
}

function SharedField({
  setting: { name, label, hint, input },
  value,
  submitted,
}: {
  setting: SharedSetting
  value: unknown
  submitted: SubmittedForm | undefined
}) {
  const common = { name, label, hint, submitted }
  if (input === 'flag') return <Checkbox {...common} checked={String(value) === 'true'} />
  if (input === 'text') return <Field {...common} value={toInputValue(value)} />
  return <Select {...common} options={input} value={toInputValue(value)} />
}

/** The value of a setting for an input field. */
function toInputValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value)
}

const acronyms: Record<string, string> = { api: 'API', url: 'URL', id: 'ID', ids: 'IDs' }

/** The label of a setting: “API base URL” for `api_base_url`. */
export function settingLabel(name: string): string {
  const words = name.split('_').map((word) => acronyms[word] ?? word)
  const [first = '', ...others] = words
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' ')
}

/** The names of the fields that show their own error. */
export const settingFieldNames = (integration: Integration): string[] => [
  ...Object.keys(integration.settings.entries),
  ...sharedSettings(integration).map(({ name }) => name),
]

/**
 * The settings in a submitted form. An empty field removes its setting; an empty secret stays unchanged
 * and is left out.
 */
export function parseSettings(
  integration: Integration,
  values: FormValues,
): Record<string, string> {
  const ownInputs = Object.entries(integration.settings.entries).map(
    ([name, schema]) => [name, inputOf(schema)] as const,
  )
  const sharedInputs = sharedSettings(integration).map(({ name, input }) => [name, input] as const)
  const settings: Record<string, string> = {}
  for (const [name, input] of [...ownInputs, ...sharedInputs]) {
    const text = textOf(values, name).trim()
    if (input === 'flag') settings[name] = text === '' ? '' : 'true'
    else if (text !== '' || (input !== 'secret' && input !== 'own-secret')) settings[name] = text
  }
  return settings
}
