import * as v from 'valibot'
import { reportTimeZone, TimeZone } from '../../../features/accounts/index.ts'
import { Select } from '../../components/form/form.tsx'
import {
  accountContext,
  type FormRequest,
  type MemberRequest,
  type SubmittedForm,
} from '../../http/context.ts'
import { userLocaleOf } from '../../http/user-locale.ts'
import { languageChoices, languageCodes, type Translate, translateTo } from '../../locales/index.ts'

interface ChoiceProps {
  context: MemberRequest
  submitted: SubmittedForm | undefined
}

/** Without a choice, pages are in the language of the browser. */
export function LanguageChoice({ context, submitted }: ChoiceProps) {
  const { t } = context
  return (
    <Select
      name="language"
      label={t('account.language')}
      options={[{ value: '', label: t('account.language_of_the_browser') }, ...languageChoices]}
      value={context.member.language ?? ''}
      submitted={submitted}
    />
  )
}

/** Browsers report their time zone; a person can choose another one. */
export function TimeZoneChoice({ context, submitted }: ChoiceProps) {
  const { t, member, userLocale } = context
  const current = userLocale.timeZone ?? 'UTC'
  const chosen = member.time_zone_chosen ? current : ''
  const names = chosen === '' || timeZones.includes(chosen) ? timeZones : [chosen, ...timeZones]
  return (
    <Select
      name="time_zone"
      label={t('account.time_zone')}
      hint={t('account.times_are_shown', { current })}
      options={[
        { value: '', label: t('account.time_zone_of_the_browser') },
        ...names.map((name) => ({ value: name, label: name })),
      ]}
      value={chosen}
      submitted={submitted}
    />
  )
}

const timeZones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** A time zone, or an empty text for that of the browser. */
export const ChosenTimeZone = v.lazy((value) => (value === '' ? v.literal('') : TimeZone))

/** A language of the console, or an empty text for that of the browser. */
export const ChosenLanguage = v.picklist(['', ...languageCodes])

/** The texts in a language that the person has just chosen; null: the language of the browser. */
export function translateInto(
  { request, member }: MemberRequest,
  chosen: string | null,
): Translate {
  return translateTo(userLocaleOf(request, { chosen, team: member.team_language }).language)
}

export const ReportedTimeZone = v.object({ time_zone: TimeZone })

/** Stores the time zone that a script reports, on any page, unless the person has chosen one. */
export async function saveReportedTimeZone(
  context: FormRequest<typeof ReportedTimeZone>,
): Promise<Response> {
  await reportTimeZone(accountContext(context), context.body.time_zone)
  return new Response(null, { status: 204 })
}
