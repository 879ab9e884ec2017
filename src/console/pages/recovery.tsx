import * as v from 'valibot'
import {
  leastPasswordCharacters,
  mostPasswordCharacters,
  NewPassword,
} from '../../features/accounts/index.ts'
import { consumeLoginAttempt } from '../../features/login-throttle/index.ts'
import { Field, Form } from '../components/form.tsx'
import { bareLayout } from '../components/screen.tsx'
import {
  type ConsoleRequest,
  publicAction,
  publicPage,
  type Route,
  type SubmittedForm,
} from '../page.ts'
import { redirect, success } from '../responses.ts'

const ask = publicPage('/forgot', async (arrival) =>
  bareLayout(
    arrival,
    { title: 'Forgot your password?' },
    arrival.deps.mail ? <AskForm arrival={arrival} /> : <AskAnAdmin />,
  ),
)

function AskForm({ arrival }: { arrival: ConsoleRequest }) {
  return (
    <>
      <h1>Forgot your password?</h1>
      <p class="lead">We mail you a link to choose a new one.</p>
      <Form visit={arrival} action="/forgot">
        <Field name="email" label="E-mail" type="email" autocomplete="username" required />
        <button type="submit" class="button primary wide">
          Send the link
        </button>
      </Form>
      <p class="quiet">
        <a href="/login">Back to sign in</a>
      </p>
    </>
  )
}

function AskAnAdmin() {
  return (
    <>
      <h1>Forgot your password?</h1>
      <p>
        Mail is not set up here. Ask an admin of your team: under Settings, Members, they can make
        you a link for a new password.
      </p>
      <p class="quiet">
        <a href="/login">Back to sign in</a>
      </p>
    </>
  )
}

const send = publicAction('/forgot', {
  form: v.object({ email: v.pipe(v.string(), v.nonEmpty('is required')) }),
  async handle(arrival, { email }) {
    const { deps, address } = arrival
    await consumeLoginAttempt(deps.sql, deps.now, { action: 'new password', email, address })
    if (deps.mail) deps.sessions.requestReset(email)
    return await bareLayout(
      arrival,
      { title: 'Look into your mail' },
      <>
        <h1>Look into your mail</h1>
        <p>
          If there is an account with this address, a link is on its way. It works once, for an
          hour.
        </p>
        <p class="quiet">
          <a href="/login">Back to sign in</a>
        </p>
      </>,
    )
  },
})

const tokenOf = ({ params }: ConsoleRequest) => params['token'] ?? ''

const choose = publicPage('/reset/:token', async (arrival) => {
  await arrival.deps.sessions.requireResetToken(tokenOf(arrival))
  return await chooseSheet(arrival)
})

async function chooseSheet(arrival: ConsoleRequest, entry?: SubmittedForm): Promise<Response> {
  return await bareLayout(
    arrival,
    { title: 'Choose a new password' },
    <>
      <h1>Choose a new password</h1>
      <p class="lead">You are signed out everywhere, and sign in with the new one.</p>
      <Form visit={arrival} action={`/reset/${encodeURIComponent(tokenOf(arrival))}`}>
        <NewPasswordField entry={entry} />
        <button type="submit" class="button primary wide">
          Save
        </button>
      </Form>
    </>,
  )
}

/** Where somebody chooses a password. */
export function NewPasswordField({ entry }: { entry: SubmittedForm | undefined }) {
  return (
    <Field
      name="password"
      label="New password"
      type="password"
      hint={`At least ${leastPasswordCharacters} characters. A few words in a row are easy to keep.`}
      autocomplete="new-password"
      minlength={leastPasswordCharacters}
      maxlength={mostPasswordCharacters}
      required
      entry={entry}
    />
  )
}

const save = publicAction('/reset/:token', {
  form: v.object({ password: NewPassword }),
  renderWithErrors: chooseSheet,
  async handle(arrival, { password }) {
    await arrival.deps.sessions.resetPassword(tokenOf(arrival), password)
    return redirect(arrival, '/login', success('Your new password is saved. Sign in with it.'))
  },
})

/** How somebody without their password gets in again. */
export const recoveryRoutes: readonly Route[] = [ask, send, choose, save]
