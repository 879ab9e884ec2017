import * as v from 'valibot'
import { TimeZone } from '../../../features/accounts/index.ts'
import type { Integration } from '../../../features/connections/index.ts'
import {
  holidayCountries,
  type PromptSchedule,
  type PromptSettings,
} from '../../../features/prompts/index.ts'
import { invalidField } from '../../../lib/errors.ts'
import { weekdayOptions } from '../../components/dates/weekday-options.ts'
import { Checkbox, ErrorSummary, Field, Form, Select } from '../../components/form/form.tsx'
import { TextArea } from '../../components/form/text-area.tsx'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'
import { blank, checkbox } from '../../http/forms/form-data.ts'
import type { UserLocale } from '../../http/user-locale.ts'

const lines = v.pipe(
  v.optional(v.string(), ''),
  v.maxLength(10_000),
  v.transform((text) => [...new Set(text.split(/[\s,;]+/).filter((line) => line !== ''))]),
)

const wholeNumber = (min: number, max: number) =>
  v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(min), v.maxValue(max))

/** The form, as browsers send it. */
export const PromptInput = v.object({
  is_active: checkbox,
  question: blank(v.nullable(v.pipe(v.string(), v.maxLength(300)))),
  channels: v.pipe(lines, v.maxLength(50, 'must be at most 50 channels')),
  weekday: wholeNumber(1, 7),
  every_weeks: wholeNumber(1, 8),
  time: v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 14:00')),
  time_zone: TimeZone,
  holiday_country: blank(v.nullable(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)))),
  holiday_state: blank(
    v.nullable(v.pipe(v.string(), v.toUpperCase(), v.regex(/^[A-Z0-9]{1,6}$/, 'must be a code'))),
  ),
  days_off: v.pipe(
    lines,
    v.array(v.pipe(v.string(), v.isoDate('must be days such as 2026-12-24'))),
    v.maxLength(100, 'must be at most 100 days'),
  ),
  reminds_contributors: checkbox,
})

/** The settings from the form. Throws `validation_failed` for an id that is not a channel of the chat. */
export function promptSettingsFrom(
  {
    time,
    holiday_country: country,
    holiday_state: state,
    ...rest
  }: v.InferOutput<typeof PromptInput>,
  { isChannel }: Pick<Integration, 'isChannel'>,
): PromptSettings {
  const unknown = rest.channels.find((channel) => !isChannel(channel))
  if (unknown !== undefined)
    throw invalidField('/channels', `channels must be ids of channels, not ${unknown}`)
  if (rest.is_active && rest.channels.length === 0)
    throw invalidField('/channels', 'channels must have at least one channel')
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const region = country !== null && state !== null ? `${country}-${state}` : country
  return { ...rest, minute_of_day: hour * 60 + minute, holiday_region: region }
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** The countries with known holidays, by their names in the language of the person. */
async function countryOptions({ locale }: UserLocale, none: string) {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const countries = (await holidayCountries()).map((value) => ({
    value,
    label: names.of(value) ?? value,
  }))
  const sorted = countries.toSorted((a, b) => a.label.localeCompare(b.label, locale))
  return [{ value: '', label: none }, ...sorted]
}

interface PromptFormProps {
  context: MemberRequest
  action: string
  schedule: PromptSchedule
  submitted: SubmittedForm | undefined
}

const shown = ['channels', 'time', 'time_zone', 'holiday_state', 'days_off', 'question']

/** The form about when and where a chat is asked for news. */
export function PromptForm({ context, action, schedule, submitted }: PromptFormProps) {
  const { t } = context
  return (
    <Form context={context} action={action} draft>
      <ErrorSummary submitted={submitted} exceptFields={shown} />
      <Checkbox
        name="is_active"
        label={t('prompts.is_active')}
        checked={schedule.is_active}
        submitted={submitted}
      />
      <Field
        name="question"
        label={t('prompts.question')}
        hint={t('prompts.question_hint')}
        value={schedule.question ?? ''}
        maxlength={300}
        submitted={submitted}
      />
      <TextArea
        name="channels"
        label={t('prompts.channels')}
        hint={t('prompts.channels_hint')}
        value={schedule.channels.map(({ channel }) => channel).join('\n')}
        rows={3}
        mono
        submitted={submitted}
      />
      <Times context={context} schedule={schedule} submitted={submitted} />
      <Holidays context={context} schedule={schedule} submitted={submitted} />
      <Checkbox
        name="reminds_contributors"
        label={t('prompts.reminds')}
        hint={t('prompts.reminds_hint')}
        checked={schedule.reminds_contributors}
        submitted={submitted}
      />
      <button type="submit" class="primary">
        {t('common.save')}
      </button>
    </Form>
  )
}

type PartProps = Omit<PromptFormProps, 'action'>

function Times({ context: { t, userLocale }, schedule, submitted }: PartProps) {
  const { minute_of_day: minutes } = schedule
  const weeks = [1, 2, 3, 4, 6, 8].map((count) => ({
    value: String(count),
    label: t('prompts.every_weeks', { count }),
  }))
  return (
    <div class="columns">
      <Select
        name="every_weeks"
        label={t('prompts.rhythm')}
        options={weeks}
        value={String(schedule.every_weeks)}
        submitted={submitted}
      />
      <Select
        name="weekday"
        label={t('prompts.weekday')}
        options={weekdayOptions(userLocale)}
        value={String(schedule.weekday)}
        submitted={submitted}
      />
      <Field
        name="time"
        type="time"
        label={t('prompts.time')}
        value={`${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`}
        required
        submitted={submitted}
      />
      <Field
        name="time_zone"
        label={t('sending.time_zone')}
        value={schedule.time_zone}
        required
        submitted={submitted}
      />
    </div>
  )
}

async function Holidays({ context: { t, userLocale }, schedule, submitted }: PartProps) {
  const [country = '', state = ''] = schedule.holiday_region?.split('-') ?? []
  return (
    <>
      <div class="columns">
        <Select
          name="holiday_country"
          label={t('prompts.country')}
          hint={t('prompts.country_hint')}
          options={await countryOptions(userLocale, t('prompts.no_country'))}
          value={country}
          submitted={submitted}
        />
        <Field
          name="holiday_state"
          label={t('prompts.state')}
          hint={t('prompts.state_hint')}
          value={state}
          maxlength={6}
          submitted={submitted}
        />
      </div>
      <TextArea
        name="days_off"
        label={t('prompts.days_off')}
        hint={t('prompts.days_off_hint')}
        value={schedule.days_off.join('\n')}
        rows={3}
        mono
        submitted={submitted}
      />
    </>
  )
}
