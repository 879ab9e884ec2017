import type * as v from 'valibot'
import { formLabelOf, inputOf } from '../../contract/settings.ts'
import { blockTypes } from '../../contract/vocabulary.ts'
import type { Integration, IntegrationPage } from '../../features/connections/index.ts'
import type { SubmittedForm } from '../http/context.ts'
import { type FormValues, textOf } from '../http/form-data.ts'
import { typeTitles } from './block.tsx'
import { Checkbox, Field, Select } from './form.tsx'
import { TextArea } from './text-area.tsx'

interface SettingFieldsProps {
  integration: Integration
  page: IntegrationPage
  /** What is set already, secrets left out; undefined for a new connection. */
  settings?: Record<string, unknown>
  entry?: SubmittedForm | undefined
}

/** The fields of an integration's own settings, those that every connection has folded away. */
export function SettingFields({ integration, page, settings, entry }: SettingFieldsProps) {
  const shared = sharedSettings(integration)
  const open = shared.some(
    ({ name }) =>
      name in (settings ?? {}) || entry?.errors.some((fault) => fault.pointer === `/${name}`),
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
          entry={entry}
        />
      ))}
      <details open={open}>
        <summary>More settings</summary>
        {shared.map((setting) => (
          <SharedField setting={setting} value={settings?.[setting.name]} entry={entry} />
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
  entry: SubmittedForm | undefined
}

function SettingField({ name, schema, hint, isNew, value, entry }: SettingFieldProps) {
  const common = { name, label: formLabelOf(schema) || labelOf(name), entry }
  switch (inputOf(schema)) {
    case 'flag':
      return <Checkbox {...common} hint={hint} checked={String(value) === 'true'} />
    case 'long':
      return <TextArea {...common} hint={hint} value={textIn(value)} rows={5} mono />
    case 'secret':
      return <SecretField {...common} hint={isNew ? hint : `${hint} ${keepHint}`} isNew={isNew} />
    case 'own-secret':
      return (
        <SecretField {...common} hint={`${hint} ${isNew ? makeHint : keepHint}`} isNew={isNew} />
      )
    default:
      return <Field {...common} hint={hint} value={textIn(value)} />
  }
}

interface SecretFieldProps {
  name: string
  label: string
  hint: string
  isNew: boolean
  entry: SubmittedForm | undefined
}

function SecretField({ name, label, hint, isNew, entry }: SecretFieldProps) {
  return (
    <>
      <Field name={name} label={label} type="password" hint={hint} entry={entry} />
      {isNew ? null : (
        <Checkbox
          name="beside[]"
          value={name}
          label={`Also accept the previous ${label.toLowerCase()}`}
          hint="While you change it at the provider. The next change here ends this."
          entry={entry}
        />
      )}
    </>
  )
}

const keepHint = 'Leave it empty to keep the current value.'
const makeHint = 'Leave it empty to let Tidings create one, which you copy on the next page.'

interface SharedSetting {
  name: string
  label: string
  hint: string
  input: 'flag' | 'text' | readonly { value: string; label: string }[]
}

/** Settings that every connection has, as far as they make sense for an integration. */
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
        ...blockTypes.map((type) => ({ value: type, label: typeTitles[type] })),
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
  entry,
}: {
  setting: SharedSetting
  value: unknown
  entry: SubmittedForm | undefined
}) {
  const common = { name, label, hint, entry }
  if (input === 'flag') return <Checkbox {...common} checked={String(value) === 'true'} />
  if (input === 'text') return <Field {...common} value={textIn(value)} />
  return <Select {...common} options={input} value={textIn(value)} />
}

/** A setting as a person would type it. */
function textIn(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value)
}

const capitals: Record<string, string> = { api: 'API', url: 'URL', id: 'ID', ids: 'IDs' }

/** `api_base_url` as people write it: API base URL. */
export function labelOf(name: string): string {
  const words = name.split('_').map((word) => capitals[word] ?? word)
  const [first = '', ...others] = words
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' ')
}

/** Every field of the form, where its fault is shown. */
export const settingNames = (integration: Integration): string[] => [
  ...Object.keys(integration.settings.entries),
  ...sharedSettings(integration).map(({ name }) => name),
]

/**
 * What a form says of an integration's settings: empty fields as empty text, which takes a setting
 * away, but for secrets, which stay as they are.
 */
export function settingsIn(integration: Integration, values: FormValues): Record<string, string> {
  const own = Object.entries(integration.settings.entries).map(
    ([name, schema]) => [name, inputOf(schema)] as const,
  )
  const shared = sharedSettings(integration).map(({ name, input }) => [name, input] as const)
  const settings: Record<string, string> = {}
  for (const [name, input] of [...own, ...shared]) {
    const text = textOf(values, name).trim()
    if (input === 'flag') settings[name] = text === '' ? '' : 'true'
    else if (text !== '' || (input !== 'secret' && input !== 'own-secret')) settings[name] = text
  }
  return settings
}
