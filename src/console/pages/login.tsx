import * as v from 'valibot'
import { consumeLoginAttempt } from '../../features/login-throttle/index.ts'
import { needsSetup } from '../../features/setup/index.ts'
import { AppError } from '../../lib/errors.ts'
import { recordAuditFor, recordAuditForAccount } from '../audit.ts'
import { clientOf } from '../client.ts'
import { ErrorSummary, Field, Form } from '../components/form.tsx'
import { bareLayout } from '../components/screen.tsx'
import { safePath } from '../origin.ts'
import {
  action,
  type ConsoleRequest,
  NoFields,
  publicAction,
  publicPage,
  type Route,
  type SubmittedForm,
} from '../page.ts'
import { redirect } from '../responses.ts'

const Login = v.object({
  email: v.pipe(v.string(), v.nonEmpty('is required')),
  password: v.pipe(v.string(), v.nonEmpty('is required')),
  next: v.optional(v.string()),
})

const start = publicPage('/', async (arrival) => {
  if (arrival.signedIn) return redirect(arrival, '/home')
  if (await needsSetup(arrival.deps.sql)) return await setupHint(arrival)
  return redirect(arrival, '/login')
})

async function setupHint(arrival: ConsoleRequest): Promise<Response> {
  return await bareLayout(
    arrival,
    { title: 'Welcome' },
    <>
      <h1>Welcome to Tidings</h1>
      <p>
        Wins, new starters and releases flow in from the tools a team uses; people review them and
        put newsletters together.
      </p>
      <p>
        Nobody has an account yet. The terminal that Tidings was started in shows a link to set up
        the first one. Lost it? Start Tidings again, and it prints a new one.
      </p>
    </>,
  )
}

const form = publicPage('/login', async (arrival) => {
  if (arrival.signedIn) return redirect(arrival, safePath(arrival.url.searchParams.get('next')))
  return await loginSheet(arrival)
})

async function loginSheet(arrival: ConsoleRequest, entry?: SubmittedForm): Promise<Response> {
  const next = arrival.url.searchParams.get('next') ?? undefined
  return await bareLayout(
    arrival,
    { title: 'Sign in' },
    <>
      <h1>Sign in</h1>
      <ErrorSummary entry={entry} but={['email']} />
      <Form visit={arrival} action={next ? `/login?next=${encodeURIComponent(next)}` : '/login'}>
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
          autocomplete="current-password"
          required
        />
        <button type="submit" class="button primary wide">
          Sign in
        </button>
      </Form>
      <p class="quiet">
        <a href="/forgot">Forgot your password?</a>
      </p>
    </>,
  )
}

const send = publicAction('/login', {
  form: Login,
  renderWithErrors: loginSheet,
  async handle(arrival, { email, password }) {
    const { deps, address } = arrival
    const attempt = await consumeLoginAttempt(deps.sql, deps.now, {
      action: 'sign in',
      email,
      address,
    })
    const client = clientOf(arrival)
    const cookies = await deps.sessions.signIn(client, email, password).catch(async (error) => {
      const wrong = error instanceof AppError && error.code === 'validation_failed'
      if (wrong) recordAuditForAccount(arrival, email, 'sign_in_failed')
      throw error
    })
    await attempt.succeeded()
    recordAuditForAccount(arrival, email, 'signed_in')
    return redirect(arrival, safePath(arrival.url.searchParams.get('next')), { cookies })
  },
})

const logout = action('/logout', 'viewer', {
  form: NoFields,
  async handle(visit) {
    const cookies = await visit.deps.sessions.signOut(clientOf(visit))
    await recordAuditFor(visit, 'signed_out')
    return redirect(visit, '/login', { cookies })
  },
})

/** Where people land, sign in and sign out. */
export const loginRoutes: readonly Route[] = [start, form, send, logout]
