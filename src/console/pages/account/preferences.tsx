import * as v from 'valibot'
import { setLanguage, setTimeZone, TimeZone } from '../../../features/accounts/index.ts'
import { Field, Form, Select } from '../../components/form/form.tsx'
import {
  accountContext,
  type FormRequest,
  type MemberRequest,
  type SubmittedForm,
} from '../../http/context.ts'
import { readerOf } from '../../http/reader.ts'
import { redirect, success } from '../../http/responses.ts'
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

/** Browsers report their time zone. The field is for people without JavaScript. */
export function TimeZoneForm({
  context,
  submitted,
}: {
  context: MemberRequest
  submitted: SubmittedForm | undefined
}) {
  const { t } = context
  const current = context.reader.timeZone ?? 'UTC'
  return (
    <>
      <h2>{t('account.times')}</h2>
      <p safe>{t('account.times_are_shown', { current })}</p>
      <noscript>
        <Form context={context} action="/account/time-zone" class="inline">
          <Field
            name="time_zone"
            label={t('account.time_zone')}
            hint={t('account.for_example_europe_berlin')}
            value={current}
            required
            submitted={submitted}
          />
          <button type="submit">{t('account.save_the_time_zone')}</button>
        </Form>
      </noscript>
    </>
  )
}

export const TimeZoneInput = v.object({ time_zone: TimeZone })

/** Stores the time zone, which a person enters or a script reports. */
export async function saveTimeZone(context: FormRequest<typeof TimeZoneInput>): Promise<Response> {
  const { t } = context
  await setTimeZone(accountContext(context), context.body.time_zone)
  const isScript = context.request.headers.get('hx-request') === 'true'
  // The script stores the time zone on any page, which must not show a message.
  if (isScript) return new Response(null, { status: 204 })
  return redirect(context, '/account', success(t('common.saved')))
}

export const LanguageInput = v.object({ language: v.picklist(['', ...languageCodes]) })

/** Stores the language of the console for the person. */
export async function saveLanguage(context: FormRequest<typeof LanguageInput>): Promise<Response> {
  const language = context.body.language || null
  await setLanguage(accountContext(context), language)
  const reader = readerOf(context.request, { chosen: language, team: context.member.team_language })
  return redirect(context, '/account', success(translateTo(reader.language)('common.saved')))
}
