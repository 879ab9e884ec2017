import { Elysia } from 'elysia'
import * as v from 'valibot'
import { singleLineText } from '../../contract/text.ts'
import {
  NewPassword,
  renameAccount,
  setLanguage,
  setTimeZone,
  TimeZone,
} from '../../features/accounts/index.ts'
import { consumeLoginAttempt } from '../../features/login-throttle/index.ts'
import { chooseTeam, listSecondFactors } from '../../features/sessions/index.ts'
import { notFound } from '../../lib/errors.ts'
import { attribute } from '../attribute.ts'
import { ErrorSummary, Field, Form, Select } from '../components/form/form.tsx'
import { layout, PageHeader } from '../components/layout/layout.tsx'
import { access } from '../http/access.ts'
import { clientOf } from '../http/client.ts'
import {
  accountContext,
  type ConsoleDeps,
  type FormRequest,
  type MemberRequest,
  type SubmittedForm,
} from '../http/context.ts'
import { readerOf } from '../http/reader.ts'
import { redirect, success } from '../http/responses.ts'
import { consoleLanguages, translateTo } from '../messages/index.ts'
import { SessionList } from './account-sessions.tsx'
import { NewPasswordField } from './recovery.tsx'
import { SecondFactorSummary } from './second-factor/overview.tsx'

async function accountPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context

  const { account } = context.signedIn
  const { role, team_name } = context.member
  const aboutPassword = submitted && 'current' in submitted.values ? submitted : undefined
  return await layout(
    context,
    { title: t('account.your_account'), section: 'account' },
    <div class="narrow">
      <PageHeader title={t('account.your_account')} />
      <dl class="details-list">
        <dt>{t('common.email')}</dt>
        <dd safe>{account.email}</dd>
        <dt safe>{t('account.in', { team_name })}</dt>
        <dd safe>{`${t(`role.${role}`)}: ${t(`role_hint.${role}`)}`}</dd>
      </dl>
      <Form context={context} action="/account">
        <Field
          name="name"
          label={t('common.name')}
          value={account.name}
          autocomplete="name"
          required
          maxlength={100}
          submitted={aboutPassword ? undefined : submitted}
        />
        <button type="submit">{t('common.save')}</button>
      </Form>
      <hr />
      <LanguageForm context={context} />
      <hr />
      <TimeZoneForm
        context={context}
        submitted={submitted && 'time_zone' in submitted.values ? submitted : undefined}
      />
      <hr />
      {context.deps.passwordSignIn ? (
        <>
          <PasswordForm context={context} submitted={aboutPassword} />
          <hr />
          <SecondFactorSummary context={context} />
          <hr />
        </>
      ) : null}
      <SessionList context={context} />
    </div>,
  )
}

/** Without a choice, pages are in the language of the browser. */
function LanguageForm({ context }: { context: MemberRequest }) {
  const { t } = context
  const languages = Object.entries(consoleLanguages).map(([value, label]) => ({ value, label }))
  return (
    <Form context={context} action="/account/language">
      <Select
        name="language"
        label={t('account.language')}
        options={[{ value: '', label: t('account.language_of_the_browser') }, ...languages]}
        value={context.member.language ?? ''}
      />
      <button type="submit">{t('account.save_the_language')}</button>
    </Form>
  )
}

/** Browsers report their time zone. The field is for people without JavaScript. */
function TimeZoneForm({
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

async function PasswordForm({
  context,
  submitted,
}: {
  context: MemberRequest
  submitted: SubmittedForm | undefined
}) {
  const { t } = context

  const { account } = context.signedIn
  const { hasPassword } = await listSecondFactors(context.deps, account.id)
  if (!hasPassword) {
    return (
      <>
        <h2>{t('common.password')}</h2>
        <p>
          {t.html('account.you_sign_in_without', { link: (text) => <a href="/forgot">{text}</a> })}
        </p>
      </>
    )
  }
  return (
    <>
      <h2>{t('common.password')}</h2>
      <p>{t('account.a_new_password_signs')}</p>
      <ErrorSummary submitted={submitted} exceptFields={['current', 'password']} />
      <Form context={context} action="/account/password">
        <input
          type="text"
          name="username"
          value={attribute(context.signedIn.account.email)}
          autocomplete="username"
          hidden
        />
        <Field
          name="current"
          label={t('account.current_password')}
          type="password"
          autocomplete="current-password"
          required
          submitted={submitted}
        />
        <NewPasswordField t={t} submitted={submitted} />
        <button type="submit">{t('account.change_the_password')}</button>
      </Form>
    </>
  )
}

const TimeZoneInput = v.object({ time_zone: TimeZone })

async function saveTimeZone(context: FormRequest<typeof TimeZoneInput>): Promise<Response> {
  const { t } = context

  await setTimeZone(accountContext(context), context.body.time_zone)
  const isScript = context.request.headers.get('hx-request') === 'true'
  // The script stores the time zone on any page, which must not show a message.
  if (isScript) return new Response(null, { status: 204 })
  return redirect(context, '/account', success(t('common.saved')))
}

const LanguageInput = v.object({ language: v.picklist(['', 'en', 'de']) })

async function saveLanguage(context: FormRequest<typeof LanguageInput>): Promise<Response> {
  const language = context.body.language || null
  await setLanguage(accountContext(context), language)
  const reader = readerOf(context.request, { chosen: language, team: context.member.team_language })
  return redirect(context, '/account', success(translateTo(reader.language)('common.saved')))
}

const RenameForm = v.object({ name: singleLineText(100) })

async function rename(context: FormRequest<typeof RenameForm>): Promise<Response> {
  const { t } = context

  const { name } = context.body
  await renameAccount(accountContext(context), name)
  return redirect(context, '/account', success(t('common.saved')))
}

const ChangePasswordForm = v.object({
  current: v.pipe(v.string(), v.nonEmpty('is required')),
  password: NewPassword,
})

async function changePassword(context: FormRequest<typeof ChangePasswordForm>): Promise<Response> {
  const { t } = context

  const { current, password } = context.body
  const { deps, address } = context
  const { email } = context.signedIn.account
  const attempt = await consumeLoginAttempt(deps, {
    action: 'sign in',
    email,
    address,
    device: deps.sessions.findDevice(clientOf(context), email),
  })
  const cookies = await deps.sessions.changePassword(clientOf(context), { current, next: password })
  await attempt.succeeded()
  return redirect(context, '/account', {
    ...success(t('account.your_new_password_is_saved')),
    cookies,
  })
}

async function signOutEverywhere(context: MemberRequest): Promise<Response> {
  const { t } = context

  const { sessions } = context.deps
  const cookies = await sessions.signOutEverywhere(clientOf(context), context.signedIn.account.id)
  return redirect(context, '/login', {
    ...success(t('account.you_are_signed_out_everywhere')),
    cookies,
  })
}

const SwitchTeamForm = v.object({ team: v.string() })

async function switchTeam(context: FormRequest<typeof SwitchTeamForm>): Promise<Response> {
  const { team } = context.body
  if (!context.memberships.some(({ team_id }) => team_id === team)) throw notFound('This team')
  await chooseTeam(context.deps, { sessionId: context.signedIn.sessionId, teamId: team })
  return redirect(context, '/library')
}

/** Routes of the account page. */
export const accountPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/account', (context) => accountPage(context), { role: 'viewer' })
    .post('/account', rename, { role: 'viewer', body: RenameForm, renderWithErrors: accountPage })
    .post('/account/time-zone', saveTimeZone, {
      role: 'viewer',
      body: TimeZoneInput,
      renderWithErrors: accountPage,
    })
    .post('/account/language', saveLanguage, {
      role: 'viewer',
      body: LanguageInput,
      renderWithErrors: accountPage,
    })
    .post('/account/password', changePassword, {
      role: 'viewer',
      body: ChangePasswordForm,
      renderWithErrors: accountPage,
    })
    .post('/account/sign-out-everywhere', signOutEverywhere, { role: 'viewer' })
    .post('/account/team', switchTeam, { role: 'viewer', body: SwitchTeamForm })
