import {
  type Integration,
  type IntegrationPage,
  isEvent,
} from '../../../features/connections/index.ts'
import type { SubmittedForm } from '../../http/context.ts'
import { type FormValues, listValuesOf } from '../../http/forms/form-data.ts'
import type { Translate } from '../../locales/index.ts'
import { Checkbox, fieldErrorOf } from './form.tsx'
import { FieldErrorMessage, Hint } from './labeled-field.tsx'

/** True when the events of an integration have names, so that a form can offer them. */
export const hasEventChoice = ({ events = [] }: Integration): boolean =>
  events.length > 0 && !events.includes('*')

interface EventChoiceProps {
  t: Translate
  integration: Integration
  page: IntegrationPage
  /** The setting `events`, as it is stored. */
  value: unknown
  submitted: SubmittedForm | undefined
}

/** Checkboxes for the events from which blocks are made: all of them while the setting is empty. */
export function EventChoice({ t, integration, page, value, submitted }: EventChoiceProps) {
  const chosen = chosenEvents(integration, value)
  const unknown = unknownEvents(integration, value)
  const error = fieldErrorOf(submitted, 'events', t('integrations.events_of_the_provider'))
  return (
    <fieldset aria-describedby={error ? 'events-hint events-error' : 'events-hint'}>
      <legend>{t('integrations.events_of_the_provider')}</legend>
      <Hint name="events" hint={t('integrations.blocks_are_made_from')} />
      {(integration.events ?? []).map((event) => (
        <Checkbox
          name="events[]"
          value={event}
          label={page.events.get(event) ?? event}
          checked={chosen.includes(event)}
          submitted={submitted}
        />
      ))}
      {unknown.map((name) => (
        <Checkbox
          name="events[]"
          value={name}
          label={t('integrations.is_no_longer_offered', { name })}
          checked
          submitted={submitted}
        />
      ))}
      <FieldErrorMessage name="events" error={error} />
    </fieldset>
  )
}

/** The patterns of the setting `events`, which the command line stores as text. */
const patternsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(String) : String(value ?? '').split(','))
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')

function chosenEvents({ events = [] }: Integration, value: unknown): readonly string[] {
  const patterns = patternsIn(value)
  return patterns.length === 0 ? events : events.filter((event) => isEvent(patterns, event))
}

/** Stored patterns that fit no event of the present version. */
const unknownEvents = ({ events = [] }: Integration, value: unknown): string[] =>
  patternsIn(value).filter((pattern) => !events.some((event) => isEvent([pattern], event)))

/** The setting `events` in a submitted form. A choice that was not changed stays as it is stored, with its patterns. */
export function eventsIn(integration: Integration, values: FormValues, stored: unknown): string {
  const chosen = new Set(listValuesOf(values, 'events[]'))
  const shown = [...chosenEvents(integration, stored), ...unknownEvents(integration, stored)]
  const isUnchanged = chosen.size === shown.length && shown.every((event) => chosen.has(event))
  if (isUnchanged) return patternsIn(stored).join(', ')
  const all = integration.events ?? []
  const isEvery = chosen.size === all.length && all.every((event) => chosen.has(event))
  return isEvery ? '' : [...chosen].join(', ')
}
