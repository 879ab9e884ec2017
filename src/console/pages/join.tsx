import * as v from 'valibot'
import { singleLineText } from '../../contract/text.ts'
import {
  type Account,
  createAccount,
  findAccount,
  NewPassword,
} from '../../features/accounts/index.ts'
import { recordAudit } from '../../features/audit-log/index.ts'
import { consumeLoginAttempt } from '../../features/login-throttle/index.ts'
import {
  acceptInvitation,
  getInvitation,
  type Invitation,
  renameMember,
} from '../../features/members/index.ts'
import type { Tx } from '../../lib/db.ts'
import { parseInput } from '../../lib/parse.ts'
import { attribute } from '../attribute.ts'
import { clientOf } from '../client.ts'
import { ErrorSummary, Field, Form } from '../components/form.tsx'
import { bareLayout } from '../components/screen.tsx'
import {
  type ConsoleRequest,
  publicAction,
  publicPage,
  type Route,
  type SubmittedForm,
} from '../page.ts'
import { redirect } from '../responses.ts'
import { NewPasswordField } from './recovery.tsx'

const tokenOf = ({ params }: ConsoleRequest) => params['token'] ?? ''
const invitationOf = (arrival: ConsoleRequest) =>
  getInvitation(arrival.deps.sql, arrival.deps.now, tokenOf(arrival))

const show = publicPage('/join/:token', (arrival) => joinSheet(arrival))

async function joinSheet(arrival: ConsoleRequest, entry?: SubmittedForm): Promise<Response> {
  const invitation = await invitationOf(arrival)
  const known = await findAccount(arrival.deps.sql, invitation.email)
  return await bareLayout(
    arrival,
    { title: `Join ${invitation.team_name}` },
    <>
      <h1 safe>{`Join ${invitation.team_name}`}</h1>
      <p class="lead" safe>
        {known
          ? `Sign in as ${invitation.email} to join.`
          : `You are invited as ${invitation.email}. Choose a password, and you are in.`}
      </p>
      <ErrorSummary entry={entry} but={['name', 'password']} />
      <Form visit={arrival} action={`/join/${encodeURIComponent(tokenOf(arrival))}`}>
        {known ? (
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            required
            entry={entry}
          />
        ) : (
          <NewcomerFields invitation={invitation} entry={entry} />
        )}
        <button type="submit" class="button primary wide">
          Join
        </button>
      </Form>
    </>,
  )
}

function NewcomerFields({
  invitation,
  entry,
}: {
  invitation: Invitation
  entry: SubmittedForm | undefined
}) {
  return (
    <>
      <input type="hidden" autocomplete="username" value={attribute(invitation.email)} />
      <Field
        name="name"
        label="Your name"
        autocomplete="name"
        value={invitation.name}
        required
        maxlength={100}
        entry={entry}
      />
      <NewPasswordField entry={entry} />
    </>
  )
}

const Newcomer = v.object({ name: singleLineText(100), password: NewPassword })
const Known = v.object({ password: v.pipe(v.string(), v.nonEmpty('is required')) })

const join = publicAction('/join/:token', {
  form: v.looseObject({}),
  renderWithErrors: joinSheet,
  async handle(arrival) {
    const { deps, address, values } = arrival
    const { email } = await invitationOf(arrival)
    const attempt = await consumeLoginAttempt(deps.sql, deps.now, {
      action: 'sign in',
      email,
      address,
    })
    const known = await findAccount(deps.sql, email)
    const { password } = parseInput(known ? Known : Newcomer, values)
    if (!known) await enrol(arrival, email, parseInput(Newcomer, values))
    const cookies = await deps.sessions.signIn(clientOf(arrival), email, password)
    await attempt.succeeded()
    if (known) await deps.sql.begin((tx) => accept(tx, arrival, known))
    return redirect(arrival, '/library', { cookies })
  },
})

/** Makes the account of somebody who has none, together with their place in the team. */
async function enrol(
  arrival: ConsoleRequest,
  email: string,
  { name, password }: v.InferOutput<typeof Newcomer>,
): Promise<void> {
  const { sql, now } = arrival.deps
  await sql.begin(async (tx) => {
    const account = await createAccount(tx, now, { email, name, password })
    await accept(tx, arrival, account)
    await renameMember(tx, account.id, name)
  })
}

async function accept(
  tx: Tx,
  arrival: ConsoleRequest,
  { id, email, name }: Account,
): Promise<void> {
  const { now } = arrival.deps
  const { team_id: teamId } = await acceptInvitation(tx, now, tokenOf(arrival), id)
  const actor = { teamId, name: `${name} (${email})`, address: arrival.address }
  await recordAudit(tx, now, actor, 'member_joined')
}

/** Where somebody who was invited comes in. */
export const joinRoutes: readonly Route[] = [show, join]
