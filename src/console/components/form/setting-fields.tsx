import type * as v from 'valibot'
import {
  choicesOf,
  inputOf,
  isRequired,
  isSecret,
  type SettingChoice,
  settingLabel,
} from '../../../contract/settings.ts'
import type { Integration, IntegrationPage } from '../../../features/connections/index.ts'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'
import { type FormValues, textOf } from '../../http/forms/form-data.ts'
import type { TextKey, Translate } from '../../locales/index.ts'
import { EventChoice, eventsIn, hasEventChoice } from './event-choice.tsx'
import { eventOptions } from './event-options.ts'
import { Checkbox, Field, Select } from './form.tsx'
import { SharedField, sharedSettings, toInputValue } from './shared-setting-fields.tsx'
import { TextArea } from './text-area.tsx'

interface SettingFieldsProps {
  context: MemberRequest
  integration: Integration
  page: IntegrationPage
  /** The current settings without secrets; undefined for a new connection. */
  settings?: Record<string, unknown>
  submitted?: SubmittedForm | undefined
}

/**
 * The fields of the settings of an integration. The settings that every connection has are collapsed, and of a new
 * connection, also those that it does not need, unless there are only a few.
 */
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
  const hasError = (names: readonly string[]) =>
    names.some((name) => submitted?.errors.some((error) => error.pointer === `/${name}`))
  const sharedNames = [...shared.map(({ name }) => name), 'events']
  const open = sharedNames.some((name) => name in (settings ?? {})) || hasError(sharedNames)
  const entries = Object.entries(integration.settings.entries)
  // Who chooses a socket looks for its secret beside the others.
  const isOther = (entry: [string, v.GenericSchema]) =>
    isOptional(entry) && entry[0] !== integration.socket?.setting
  const optional = entries.filter(isOther)
  const needed = entries.filter((entry) => !isOther(entry))
  // Where nothing is required by itself, a connection needs one of the options.
  const isOpen =
    settings !== undefined || needed.length === 0 || hasError(optional.map(([name]) => name))
  const fieldOf = ([name, schema]: [string, v.GenericSchema]) => (
    <SettingField
      t={t}
      name={name}
      schema={schema}
      label={page.labels.get(name) || settingLabel(name, schema)}
      hint={page.hints.get(name) ?? ''}
      isNew={settings === undefined}
      value={settings?.[name]}
      submitted={submitted}
    />
  )
  return (
    <>
      {needed.map(fieldOf)}
      {optional.length > maxOptional ? (
        <details open={isOpen}>
          <summary safe>{t('integrations.optional_settings', { name: integration.name })}</summary>
          {optional.map(fieldOf)}
        </details>
      ) : (
        optional.map(fieldOf)
      )}
      <details open={open}>
        <summary>{t('integrations.more_settings')}</summary>
        {shared.map((setting) => (
          <SharedField setting={setting} value={settings?.[setting.name]} submitted={submitted} />
        ))}
        {hasEventChoice(integration) ? (
          <EventChoice {...{ t, integration, page, submitted }} value={settings?.['events']} />
        ) : null}
      </details>
    </>
  )
}

/** The number of optional settings that are shown beside the others; if there are more, they are collapsed. */
const maxOptional = 2

const isOptional = ([, schema]: [string, v.GenericSchema]) =>
  !isRequired(schema) && inputOf(schema) !== 'own-secret'

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
  hint: meaning,
  isNew,
  value,
  submitted,
}: SettingFieldProps) {
  // A stored secret may stay empty, and one of ours is made up when it is left out.
  const isStored = !isNew && isSecret(schema)
  const required = isRequired(schema) && inputOf(schema) !== 'own-secret' && !isStored
  const common = { name, label, submitted, required }
  const hint = required ? `${t('integrations.required')} ${meaning}`.trim() : meaning
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
  immediately: 'integrations.choice_immediately',
  hourly: 'integrations.choice_hourly',
  daily: 'integrations.choice_daily',
}

interface SecretFieldProps {
  t: Translate
  name: string
  label: string
  hint: string
  isNew: boolean
  required: boolean
  submitted: SubmittedForm | undefined
}

function SecretField({ t, name, label, hint, isNew, required, submitted }: SecretFieldProps) {
  return (
    <>
      <Field {...{ name, label, hint, required, submitted }} type="password" />
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

/** The names of the fields that show their own error. */
export const settingFieldNames = (t: Translate, integration: Integration): string[] => [
  ...Object.keys(integration.settings.entries),
  ...sharedSettings(t, integration).map(({ name }) => name),
  'events',
]

/**
 * The settings in a submitted form of a connection with the `stored` settings. An empty field removes its
 * setting; an empty secret stays unchanged and is left out.
 */
export function readSettingsForm(
  t: Translate,
  integration: Integration,
  values: FormValues,
  stored: Readonly<Record<string, unknown>> = {},
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
  if (hasEventChoice(integration))
    settings['events'] = eventsIn(integration, values, stored['events'])
  return settings
}
