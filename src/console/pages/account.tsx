import { Elysia } from 'elysia'
import * as v from 'valibot'
import { singleLineText } from '../../contract/text.ts'
import { NewPassword, renameAccount, setTimeZone, TimeZone } from '../../features/accounts/index.ts'
import { consumeLoginAttempt } from '../../features/login-throttle/index.ts'
import { chooseTeam, listSecondFactors } from '../../features/sessions/index.ts'
import { notFound } from '../../lib/errors.ts'
import { attribute } from '../attribute.ts'
import { ErrorSummary, Field, Form } from '../components/form/form.tsx'
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
import { redirect, success } from '../http/responses.ts'
import { roleHints, roleLabels } from '../roles.ts'
import { SessionList } from './account-sessions.tsx'
import { NewPasswordField } from './recovery.tsx'
import { SecondFactorSummary } from './second-factor/overview.tsx'

async function accountPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { account } = context.signedIn
  const { role, team_name } = context.member
  const aboutPassword = submitted && 'current' in submitted.values ? submitted : undefined
  return await layout(
    context,
    { title: 'Your account', section: 'account' },
    <div class="narrow">
      <PageHeader title="Your account" />
      <dl class="details-list">
        <dt>Email</dt>
        <dd safe>{account.email}</dd>
        <dt safe>{`In ${team_name}`}</dt>
        <dd safe>{`${roleLabels[role]}: ${roleHints[role]}`}</dd>
      </dl>
      <Form context={context} action="/account">
        <Field
          name="name"
          label="Name"
          value={account.name}
          autocomplete="name"
          required
          maxlength={100}
          submitted={aboutPassword ? undefined : submitted}
        />
        <button type="submit">Save</button>
      </Form>
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

/** Browsers report their time zone. The field is for people without JavaScript. */
function TimeZoneForm({
  context,
  submitted,
}: {
  context: MemberRequest
  submitted: SubmittedForm | undefined
}) {
  const current = context.reader.timeZone ?? 'UTC'
  return (
    <>
      <h2>Times</h2>
      <p safe>{`Times are shown in the time zone of your browser: ${current}.`}</p>
      <noscript>
        <Form context={context} action="/account/time-zone" class="inline">
          <Field
            name="time_zone"
            label="Time zone"
            hint="For example Europe/Berlin or America/New_York."
            value={current}
            required
            submitted={submitted}
          />
          <button type="submit">Save the time zone</button>
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
  const { account } = context.signedIn
  const { hasPassword } = await listSecondFactors(context.deps, account.id)
  if (!hasPassword) {
    return (
      <>
        <h2>Password</h2>
        <p>
          You sign in without a password. <a href="/forgot">Set a password</a>
        </p>
      </>
    )
  }
  return (
    <>
      <h2>Password</h2>
      <p>A new password signs you out in all other browsers.</p>
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
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
          submitted={submitted}
        />
        <NewPasswordField submitted={submitted} />
        <button type="submit">Change the password</button>
      </Form>
    </>
  )
}

const TimeZoneInput = v.object({ time_zone: TimeZone })

async function saveTimeZone(context: FormRequest<typeof TimeZoneInput>): Promise<Response> {
  await setTimeZone(accountContext(context), context.body.time_zone)
  const isScript = context.request.headers.get('hx-request') === 'true'
  // The script stores the time zone on any page, which must not show a message.
  if (isScript) return new Response(null, { status: 204 })
  return redirect(context, '/account', success('Saved.'))
}

const RenameForm = v.object({ name: singleLineText(100) })

async function rename(context: FormRequest<typeof RenameForm>): Promise<Response> {
  const { name } = context.body
  await renameAccount(accountContext(context), name)
  return redirect(context, '/account', success('Saved.'))
}

const ChangePasswordForm = v.object({
  current: v.pipe(v.string(), v.nonEmpty('is required')),
  password: NewPassword,
})

async function changePassword(context: FormRequest<typeof ChangePasswordForm>): Promise<Response> {
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
  return redirect(context, '/account', { ...success('Your new password is saved.'), cookies })
}

async function signOutEverywhere(context: MemberRequest): Promise<Response> {
  const { sessions } = context.deps
  const cookies = await sessions.signOutEverywhere(clientOf(context), context.signedIn.account.id)
  return redirect(context, '/login', { ...success('You are signed out everywhere.'), cookies })
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
    .post('/account/password', changePassword, {
      role: 'viewer',
      body: ChangePasswordForm,
      renderWithErrors: accountPage,
    })
    .post('/account/sign-out-everywhere', signOutEverywhere, { role: 'viewer' })
    .post('/account/team', switchTeam, { role: 'viewer', body: SwitchTeamForm })
