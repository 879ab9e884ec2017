import { recordAudit } from '../../features/audit-log/index.ts'
import { consumeLoginAttempt } from '../../features/login-throttle/index.ts'
import { completeSetup, requireSetup, Setup } from '../../features/setup/index.ts'
import { listTeams } from '../../features/teams/index.ts'
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

const show = publicPage('/setup/:token', async (arrival) => {
  await requireSetup(arrival.deps.sql, tokenOf(arrival))
  return await setupSheet(arrival)
})

async function setupSheet(arrival: ConsoleRequest, entry?: SubmittedForm): Promise<Response> {
  const [team] = await listTeams(arrival.deps.sql)
  return await bareLayout(
    arrival,
    { title: 'Set up' },
    <>
      <h1>Set up Tidings</h1>
      <p class="lead">This is you, the first admin. Everybody else is invited later.</p>
      <ErrorSummary entry={entry} but={['team', 'name', 'email', 'password']} />
      <Form visit={arrival} action={`/setup/${encodeURIComponent(tokenOf(arrival))}`}>
        {team ? (
          <p class="notice">
            You become an admin of <strong safe>{team.name}</strong>.
          </p>
        ) : (
          <Field name="team" label="Team" hint="As people call it." required entry={entry} />
        )}
        <Field name="name" label="Your name" autocomplete="name" required entry={entry} />
        <Field
          name="email"
          label="E-mail"
          type="email"
          autocomplete="username"
          required
          entry={entry}
        />
        <Field
          name="password"
          label="Password"
          type="password"
          hint="At least 8 characters. A few words in a row are easy to keep."
          autocomplete="new-password"
          minlength={8}
          maxlength={128}
          required
          entry={entry}
        />
        <button type="submit" class="button primary wide">
          Set up
        </button>
      </Form>
    </>,
  )
}

const send = publicAction('/setup/:token', {
  form: Setup,
  renderWithErrors: setupSheet,
  async handle(arrival, input) {
    const { deps, address } = arrival
    await requireSetup(deps.sql, tokenOf(arrival))
    const { email, password } = input
    await consumeLoginAttempt(deps.sql, deps.now, { action: 'set up', email, address })
    const team = await completeSetup(deps.sql, deps.now, tokenOf(arrival), input)
    const actor = { teamId: team.id, name: `${input.name} (${email})`, address }
    await recordAudit(deps.sql, deps.now, actor, 'team_created', team.name)
    const cookies = await deps.sessions.signIn(clientOf(arrival), email, password)
    return redirect(arrival, '/welcome', { cookies })
  },
})

const tokenOf = ({ params }: ConsoleRequest) => params['token'] ?? ''

/** Where the first account is made, once. */
export const setupRoutes: readonly Route[] = [show, send]
