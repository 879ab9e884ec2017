import * as v from 'valibot'
import { singleLineText } from '../../contract/text.ts'
import { NewPassword, renameAccount } from '../../features/accounts/index.ts'
import { consumeLoginAttempt } from '../../features/login-throttle/index.ts'
import { renameMember } from '../../features/members/index.ts'
import { chooseTeam } from '../../features/sessions/index.ts'
import { notFound } from '../../lib/errors.ts'
import { attribute } from '../attribute.ts'
import { recordAuditFor } from '../audit.ts'
import { clientOf } from '../client.ts'
import { ErrorSummary, Field, Form } from '../components/form.tsx'
import { layout, PageHead } from '../components/screen.tsx'
import {
  action,
  type MemberRequest,
  NoFields,
  page,
  type Route,
  type SubmittedForm,
} from '../page.ts'
import { redirect, success } from '../responses.ts'
import { roleHints, roleTitles } from '../roles.ts'
import { SessionList } from './account-sessions.tsx'
import { NewPasswordField } from './recovery.tsx'

const show = page('/account', 'viewer', (visit) => accountScreen(visit))

async function accountScreen(visit: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const { account } = visit.signedIn
  const { role, team_name } = visit.member
  const aboutPassword = entry && 'current' in entry.values ? entry : undefined
  return await layout(
    visit,
    { title: 'Your account', section: 'account' },
    <div class="narrow">
      <PageHead title="Your account" />
      <dl class="facts">
        <dt>E-mail</dt>
        <dd safe>{account.email}</dd>
        <dt safe>{`In ${team_name}`}</dt>
        <dd safe>{`${roleTitles[role]}: ${roleHints[role]}`}</dd>
      </dl>
      <Form visit={visit} action="/account">
        <Field
          name="name"
          label="Name"
          value={account.name}
          autocomplete="name"
          required
          maxlength={100}
          entry={aboutPassword ? undefined : entry}
        />
        <button type="submit">Save</button>
      </Form>
      <hr />
      <PasswordForm visit={visit} entry={aboutPassword} />
      <hr />
      <SessionList visit={visit} />
    </div>,
  )
}

function PasswordForm({
  visit,
  entry,
}: {
  visit: MemberRequest
  entry: SubmittedForm | undefined
}) {
  return (
    <>
      <h2>Password</h2>
      <p>With a new one you are signed out in all other browsers.</p>
      <ErrorSummary entry={entry} but={['current', 'password']} />
      <Form visit={visit} action="/account/password">
        <input
          type="text"
          name="username"
          value={attribute(visit.signedIn.account.email)}
          autocomplete="username"
          hidden
        />
        <Field
          name="current"
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
          entry={entry}
        />
        <NewPasswordField entry={entry} />
        <button type="submit">Change the password</button>
      </Form>
    </>
  )
}

const rename = action('/account', 'viewer', {
  form: v.object({ name: singleLineText(100) }),
  renderWithErrors: accountScreen,
  async handle(visit, { name }) {
    const { id } = visit.signedIn.account
    await renameAccount(visit.deps.sql, id, name)
    await renameMember(visit.deps.sql, id, name)
    return redirect(visit, '/account', success('Saved.'))
  },
})

const changePassword = action('/account/password', 'viewer', {
  form: v.object({
    current: v.pipe(v.string(), v.nonEmpty('is required')),
    password: NewPassword,
  }),
  renderWithErrors: accountScreen,
  async handle(visit, { current, password }) {
    const { deps, address } = visit
    const { email } = visit.signedIn.account
    const attempt = await consumeLoginAttempt(deps.sql, deps.now, {
      action: 'sign in',
      email,
      address,
    })
    const cookies = await deps.sessions.changePassword(clientOf(visit), current, password)
    await attempt.succeeded()
    await recordAuditFor(visit, 'password_changed')
    return redirect(visit, '/account', { ...success('Your new password is saved.'), cookies })
  },
})

const signOutEverywhere = action('/account/sign-out-everywhere', 'viewer', {
  form: NoFields,
  async handle(visit) {
    const { sessions } = visit.deps
    await recordAuditFor(visit, 'signed_out_everywhere')
    const cookies = await sessions.signOutEverywhere(clientOf(visit), visit.signedIn.account.id)
    return redirect(visit, '/login', { ...success('You are signed out everywhere.'), cookies })
  },
})

const switchTeam = action('/account/team', 'viewer', {
  form: v.object({ team: v.string() }),
  async handle(visit, { team }) {
    if (!visit.memberships.some(({ team_id }) => team_id === team)) throw notFound('This team')
    await chooseTeam(visit.deps.sql, visit.signedIn.sessionId, team)
    return redirect(visit, '/library')
  },
})

/** What people change about themselves. */
export const accountRoutes: readonly Route[] = [
  show,
  rename,
  changePassword,
  signOutEverywhere,
  switchTeam,
]
