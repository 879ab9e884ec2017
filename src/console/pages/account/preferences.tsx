import * as v from 'valibot'
import {
  chooseTimeZone,
  reportTimeZone,
  setLanguage,
  TimeZone,
} from '../../../features/accounts/index.ts'
import { Form, Select } from '../../components/form/form.tsx'
import {
  accountContext,
  type FormRequest,
  type MemberRequest,
  type SubmittedForm,
} from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'
import { userLocaleOf } from '../../http/user-locale.ts'
import { languageChoices, languageCodes, translateTo } from '../../locales/index.ts'

/** Without a choice, pages are in the language of the browser. */
export function LanguageForm({ context }: { context: MemberRequest }) {
  const { t } = context
  return (
    <Form context={context} action="/account/language">
      <Select
        name="language"
        label={t('account.language')}
        options={[{ value: '', label: t('account.language_of_the_browser') }, ...languageChoices]}
        value={context.member.language ?? ''}
      />
      <button type="submit">{t('account.save_the_language')}</button>
    </Form>
  )
}

/** Browsers report their time zone; a person can choose another one. */
export function TimeZoneForm({
  context,
  submitted,
}: {
  context: MemberRequest
  submitted: SubmittedForm | undefined
}) {
  const { t, member, userLocale } = context
  const current = userLocale.timeZone ?? 'UTC'
  const chosen = member.time_zone_chosen ? current : ''
  const names = chosen === '' || timeZones.includes(chosen) ? timeZones : [chosen, ...timeZones]
  return (
    <Form context={context} action="/account/time-zone">
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
      <button type="submit">{t('account.save_the_time_zone')}</button>
    </Form>
  )
}

const timeZones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')]

export const TimeZoneInput = v.object({
  time_zone: v.lazy((value) => (value === '' ? v.literal('') : TimeZone)),
})

/** Stores the time zone, which a person chooses or a script reports. */
export async function saveTimeZone(context: FormRequest<typeof TimeZoneInput>): Promise<Response> {
  const { t } = context
  const timeZone = context.body.time_zone || null
  if (context.request.headers.get('hx-request') === 'true') {
    if (timeZone !== null) await reportTimeZone(accountContext(context), timeZone)
    // The script reports the time zone on any page, which must not show a message.
    return new Response(null, { status: 204 })
  }
  await chooseTimeZone(accountContext(context), timeZone)
  return redirect(context, '/account', success(t('common.saved')))
}

export const LanguageInput = v.object({ language: v.picklist(['', ...languageCodes]) })

/** Stores the language of the console for the person. */
export async function saveLanguage(context: FormRequest<typeof LanguageInput>): Promise<Response> {
  const language = context.body.language || null
  await setLanguage(accountContext(context), language)
  const userLocale = userLocaleOf(context.request, {
    chosen: language,
    team: context.member.team_language,
  })
  return redirect(context, '/account', success(translateTo(userLocale.language)('common.saved')))
}
