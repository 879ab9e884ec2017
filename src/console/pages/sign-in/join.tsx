import { Elysia } from 'elysia'
import * as v from 'valibot'
import { singleLineText } from '../../../contract/text.ts'
import {
  type Account,
  createAccount,
  findAccount,
  NewPassword,
} from '../../../features/accounts/index.ts'
import { recordAudit } from '../../../features/audit-log/index.ts'
import { consumeLoginAttempt } from '../../../features/login-throttle/index.ts'
import {
  acceptInvitation,
  getInvitation,
  type Invitation,
  renameMember,
} from '../../../features/members/index.ts'
import type { SignedIn } from '../../../features/sessions/index.ts'
import { type Tx, transaction } from '../../../lib/database/db.ts'
import { parseInput } from '../../../lib/parse.ts'
import { attribute } from '../../attribute.ts'
import { ErrorSummary, Field, Form } from '../../components/form/form.tsx'
import { bareLayout } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import {
  type ConsoleDeps,
  type ConsoleRequest,
  type FormRequest,
  memberContext,
  type SubmittedForm,
} from '../../http/context.ts'
import { onceSignedOut } from '../../http/forms/once-signed-out.ts'
import { redirect } from '../../http/responses.ts'
import { requirePasswordSignIn } from '../../http/sign-in/password.ts'
import { findStartedSession, requireCsrfToken } from '../../http/sign-in/session.ts'
import type { Translate } from '../../locales/index.ts'
import { withNext } from '../second-factor/sign-in.tsx'
import { ProviderButtons } from './identity-provider.tsx'
import { openJoinedTeam } from './joined-team.ts'
import { NewPasswordField } from './recovery.tsx'

const tokenOf = ({ params }: ConsoleRequest) => params['token'] ?? ''
const invitationOf = (context: ConsoleRequest) => getInvitation(context.deps, tokenOf(context))

async function joinPage(context: ConsoleRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const invitation = await invitationOf(context)
  const known = (await findAccount(context.deps, invitation.email)) !== undefined
  const path = `/join/${encodeURIComponent(tokenOf(context))}`
  const isSignedIn = isSignedInAs(context, invitation.email)
  const hasForm = isSignedIn || context.deps.passwordSignIn
  return await bareLayout(
    context,
    { title: t('join.join_team', { team_name: invitation.team_name }) },
    <>
      <h1 safe>{t('join.join_team', { team_name: invitation.team_name })}</h1>
      <p class="lead" safe>
        {leadOf(t, invitation, { isSignedIn, choosesPassword: !known && hasForm })}
      </p>
      <ErrorSummary submitted={submitted} exceptFields={['name', 'password']} />
      {isSignedIn ? null : (
        <ProviderButtons
          context={context}
          next={`${path}?team=${invitation.team_id}`}
          label="join.join_with"
        />
      )}
      {hasForm ? (
        <Form context={context} action={path} draft>
          {isSignedIn ? null : known ? (
            <PasswordField t={t} submitted={submitted} />
          ) : (
            <NewcomerFields t={t} invitation={invitation} submitted={submitted} />
          )}
          <button type="submit" class="button primary full-width">
            {t('join.join')}
          </button>
        </Form>
      ) : null}
    </>,
  )
}

function leadOf(
  t: Translate,
  { email }: Invitation,
  { isSignedIn, choosesPassword }: { isSignedIn: boolean; choosesPassword: boolean },
): string {
  if (isSignedIn) return t('join.you_are_signed_in_as', { email })
  if (choosesPassword) return t('join.you_are_invited_as_choose', { email })
  return t('join.sign_in_as_to_join', { email })
}

const PasswordField = ({
  t,
  submitted,
}: {
  t: Translate
  submitted: SubmittedForm | undefined
}) => (
  <Field
    name="password"
    label={t('common.password')}
    type="password"
    autocomplete="current-password"
    required
    submitted={submitted}
  />
)

function NewcomerFields({
  t,
  invitation,
  submitted,
}: {
  t: Translate
  invitation: Invitation
  submitted: SubmittedForm | undefined
}) {
  return (
    <>
      <input type="hidden" autocomplete="username" value={attribute(invitation.email)} />
      <Field
        name="name"
        label={t('join.your_name')}
        autocomplete="name"
        value={invitation.name}
        required
        maxlength={100}
        submitted={submitted}
      />
      <NewPasswordField t={t} submitted={submitted} />
    </>
  )
}

const Newcomer = v.object({ name: singleLineText(100), password: NewPassword })
const Known = v.object({ password: v.pipe(v.string(), v.nonEmpty('is required')) })

const JoinForm = v.looseObject({})

const isSignedInAs = ({ signedIn }: ConsoleRequest, email: string) =>
  signedIn?.account.email === email

/** Accepts the invitation for the person of the session. Throws `insufficient_scope` for a foreign form. */
async function joinSignedIn(
  context: ConsoleRequest,
  signedIn: SignedIn,
  { team_id: teamId }: Invitation,
): Promise<Response> {
  requireCsrfToken(context)
  await transaction(context.deps.sql, (tx) => accept(tx, context, signedIn.account))
  return await openJoinedTeam(context, { signedIn, teamId })
}

async function join(context: FormRequest<typeof JoinForm, ConsoleRequest>): Promise<Response> {
  const { deps, address, values } = context
  const invitation = await invitationOf(context)
  const { email, team_id: teamId } = invitation
  if (context.signedIn && isSignedInAs(context, email)) {
    return await joinSignedIn(context, context.signedIn, invitation)
  }
  requirePasswordSignIn(context)
  const attempt = await consumeLoginAttempt(deps, {
    action: 'sign in',
    email,
    address,
    device: deps.sessions.findDevice(clientOf(context), email),
  })
  const known = await findAccount(deps, email)
  const { password } = parseInput(known ? Known : Newcomer, values)
  if (!known) await createAccountAndAccept(context, email, parseInput(Newcomer, values))
  const { cookies, needsSecondFactor } = await deps.sessions.signIn(clientOf(context), {
    email,
    password,
  })
  await attempt.succeeded()
  if (needsSecondFactor) {
    const next = `/join/${encodeURIComponent(tokenOf(context))}`
    return redirect(context, withNext('/login/second-factor', next), { cookies })
  }
  if (known) await transaction(deps.sql, (tx) => accept(tx, context, known))
  const signedIn = await findStartedSession(context, cookies)
  return await openJoinedTeam(context, { signedIn, teamId, cookies })
}

/** Creates the account and the membership in one transaction. */
async function createAccountAndAccept(
  context: ConsoleRequest,
  email: string,
  { name, password }: v.InferOutput<typeof Newcomer>,
): Promise<void> {
  const { sql, now, mail } = context.deps
  // Without email, an admin has seen the link.
  const isVerified = mail !== null
  await transaction(sql, async (tx) => {
    const account = await createAccount({ sql: tx, now }, { email, name, password, isVerified })
    await accept(tx, context, account)
    await renameMember(tx, account.id, name)
  })
}

async function accept(
  tx: Tx,
  context: ConsoleRequest,
  { id, email, name }: Account,
): Promise<void> {
  const { now, baseUrl } = context.deps
  const { team_id, member_id } = await acceptInvitation(
    { sql: tx, now },
    { token: tokenOf(context), accountId: id },
  )
  const member = { id: member_id, team_id, name, email }
  await recordAudit(
    memberContext({ sql: tx, now, baseUrl }, member, context.address),
    'member_joined',
  )
}

/** Routes of an invitation. */
export const joinPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/join/:token', (context) => joinPage(context), { public: true })
    .post('/join/:token', onceSignedOut(join), {
      public: true,
      body: JoinForm,
      renderWithErrors: joinPage,
    })
