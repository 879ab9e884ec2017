import { requireAttempt } from '../../features/attempts/index.ts'
import { recordAudit } from '../../features/audit/index.ts'
import { completeSetup, requireSetup, Setup } from '../../features/setup/index.ts'
import { listTeams } from '../../features/teams/index.ts'
import { redirect } from '../answers.ts'
import { clientOf } from '../client.ts'
import { type Arrival, type Entry, publicAction, publicPage, type Route } from '../page.ts'
import { Faults, Field, Form } from '../parts/form.tsx'
import { sheet } from '../parts/screen.tsx'

const show = publicPage('/setup/:token', async (arrival) => {
  await requireSetup(arrival.deps.sql, tokenOf(arrival))
  return await setupSheet(arrival)
})

async function setupSheet(arrival: Arrival, entry?: Entry): Promise<Response> {
  const [team] = await listTeams(arrival.deps.sql)
  return await sheet(
    arrival,
    { title: 'Set up' },
    <>
      <h1>Set up Tidings</h1>
      <p class="lead">This is you, the first admin. Everybody else is invited later.</p>
      <Faults entry={entry} but={['team', 'name', 'email', 'password']} />
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
  again: setupSheet,
  async act(arrival, input) {
    const { deps, address } = arrival
    await requireSetup(deps.sql, tokenOf(arrival))
    const { email, password } = input
    await requireAttempt(deps.sql, deps.now, { action: 'set up', email, address })
    const team = await completeSetup(deps.sql, deps.now, tokenOf(arrival), input)
    const actor = { teamId: team.id, name: `${input.name} (${email})`, address }
    await recordAudit(deps.sql, deps.now, actor, 'team_created', team.name)
    const cookies = await deps.sessions.signIn(clientOf(arrival), email, password)
    return redirect(arrival, '/welcome', { cookies })
  },
})

const tokenOf = ({ params }: Arrival) => params['token'] ?? ''

/** Where the first account is made, once. */
export const setupRoutes: readonly Route[] = [show, send]
