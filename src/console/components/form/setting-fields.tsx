import type * as v from 'valibot'
import { choicesOf, formLabelOf, inputOf, type SettingChoice } from '../../../contract/settings.ts'
import { blockTypes } from '../../../contract/vocabulary.ts'
import type { Integration, IntegrationPage } from '../../../features/connections/index.ts'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'
import { type FormValues, textOf } from '../../http/form-data.ts'
import type { TextKey, Translate } from '../../locales/index.ts'
import { blockTypeLabels } from '../block.tsx'
import { eventOptions, type Option } from './event-options.ts'
import { Checkbox, Field, Select } from './form.tsx'
import { TextArea } from './text-area.tsx'

interface SettingFieldsProps {
  context: MemberRequest
  integration: Integration
  page: IntegrationPage
  /** The current settings without secrets; undefined for a new connection. */
  settings?: Record<string, unknown>
  submitted?: SubmittedForm | undefined
}

/** The fields of the settings of an integration. The settings that every connection has are collapsed. */
export async function SettingFields({
  context,
  integration,
  page,
  settings,
  submitted,
}: SettingFieldsProps) {
  const { t } = context
  const events = await eventOptions(context, toInputValue(settings?.['event_slug']), submitted)
  const shared = sharedSettings(t, integration, events)
  const open = shared.some(
    ({ name }) =>
      name in (settings ?? {}) || submitted?.errors.some((error) => error.pointer === `/${name}`),
  )
  return (
    <>
      {Object.entries(integration.settings.entries).map(([name, schema]) => (
        <SettingField
          t={t}
          name={name}
          schema={schema}
          label={page.labels.get(name) || formLabelOf(schema) || settingLabel(name)}
          hint={page.hints.get(name) ?? ''}
          isNew={settings === undefined}
          value={settings?.[name]}
          submitted={submitted}
        />
      ))}
      <details open={open}>
        <summary>{t('integrations.more_settings')}</summary>
        {shared.map((setting) => (
          <SharedField setting={setting} value={settings?.[setting.name]} submitted={submitted} />
        ))}
      </details>
    </>
  )
}

interface SettingFieldProps {
  t: Translate

  name: string
  label: string
  schema: v.GenericSchema
  hint: string
  isNew: boolean
  value: unknown
  submitted: SubmittedForm | undefined
}

function SettingField({
  t,
  name,
  label,
  schema,
  hint,
  isNew,
  value,
  submitted,
}: SettingFieldProps) {
  const common = { name, label, submitted }
  const choices = choicesOf(schema)
  if (choices.length > 0) {
    const options = choices.map((choice) => ({ value: choice, label: t(choiceLabels[choice]) }))
    return <Select {...common} hint={hint} options={options} value={toInputValue(value)} />
  }
  switch (inputOf(schema)) {
    case 'flag':
      return <Checkbox {...common} hint={hint} checked={String(value) === 'true'} />
    case 'long':
      return <TextArea {...common} hint={hint} value={toInputValue(value)} rows={5} mono />
    case 'secret':
      return (
        <SecretField
          t={t}
          {...common}
          hint={isNew ? hint : `${hint} ${t('integrations.leave_it_empty_to_keep')}`}
          isNew={isNew}
        />
      )
    case 'own-secret':
      return (
        <SecretField
          t={t}
          {...common}
          hint={`${hint} ${isNew ? t('integrations.leave_it_empty_to_create') : t('integrations.leave_it_empty_to_keep')}`}
          isNew={isNew}
        />
      )
    default:
      return <Field {...common} hint={hint} value={toInputValue(value)} />
  }
}

/** What forms call the values of settings that have few of them. */
const choiceLabels: Record<SettingChoice, TextKey> = {
  summary: 'integrations.choice_summary',
  full: 'integrations.choice_full',
}

interface SecretFieldProps {
  t: Translate

  name: string
  label: string
  hint: string
  isNew: boolean
  submitted: SubmittedForm | undefined
}

function SecretField({ t, name, label, hint, isNew, submitted }: SecretFieldProps) {
  return (
    <>
      <Field name={name} label={label} type="password" hint={hint} submitted={submitted} />
      {isNew ? null : (
        <Checkbox
          name="keep_previous[]"
          value={name}
          label={t('integrations.also_accept_the_previous', { setting: label })}
          hint={t('integrations.while_you_change')}
          submitted={submitted}
        />
      )}
    </>
  )
}

interface SharedSetting {
  name: string
  label: string
  hint: string
  input: 'flag' | 'text' | readonly Option[]
}

/** The settings that every connection has, without those that an integration does not support. */
function sharedSettings(
  t: Translate,
  { events = [], groups }: Integration,
  eventChoices: readonly Option[] = [],
): readonly SharedSetting[] {
  return [
    {
      name: 'auto_ready',
      label: t('integrations.approve_automatically'),
      hint: t('integrations.new_blocks_are_ready'),
      input: 'flag',
    },
    {
      name: 'block_type',
      label: t('common.type'),
      hint: t('integrations.the_type_of_all_blocks'),
      input: [
        { value: '', label: t('integrations.as_the_integration_defines_it') },
        ...blockTypes.map((type) => ({ value: type, label: t(blockTypeLabels[type]) })),
      ],
    },
    {
      name: 'event_slug',
      label: t('common.event'),
      hint: t('integrations.the_event_of_all_blocks'),
      input: eventChoices,
    },
    ...(events.length > 0
      ? [
          {
            name: 'events',
            label: t('integrations.events_of_the_provider'),
            hint: t('integrations.only_these_separated_by_commas', { value: events.join(', ') }),
            input: 'text' as const,
          },
        ]
      : []),
    ...(groups
      ? [
          {
            name: 'group',
            label: t('integrations.combine'),
            hint: t('integrations.one_draft_contains_the_items'),
            input: [
              { value: '', label: t('integrations.one_block_per_item') },
              { value: 'week', label: t('integrations.releases_of_a_week') },
              { value: 'week_all', label: t('integrations.all_items_of_a_week') },
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
export const settingFieldNames = (t: Translate, integration: Integration): string[] => [
  ...Object.keys(integration.settings.entries),
  ...sharedSettings(t, integration).map(({ name }) => name),
]

/**
 * The settings in a submitted form. An empty field removes its setting; an empty secret stays unchanged
 * and is left out.
 */
export function parseSettings(
  t: Translate,
  integration: Integration,
  values: FormValues,
): Record<string, string> {
  const ownInputs = Object.entries(integration.settings.entries).map(
    ([name, schema]) => [name, inputOf(schema)] as const,
  )
  const sharedInputs = sharedSettings(t, integration).map(
    ({ name, input }) => [name, input] as const,
  )
  const settings: Record<string, string> = {}
  for (const [name, input] of [...ownInputs, ...sharedInputs]) {
    const text = textOf(values, name).trim()
    if (input === 'flag') settings[name] = text === '' ? '' : 'true'
    else if (text !== '' || (input !== 'secret' && input !== 'own-secret')) settings[name] = text
  }
  return settings
}
