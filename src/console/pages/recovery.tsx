import { Elysia } from 'elysia'
import * as v from 'valibot'
import {
  leastPasswordCharacters,
  mostPasswordCharacters,
  NewPassword,
} from '../../features/accounts/index.ts'
import { consumeLoginAttempt } from '../../features/login-throttle/index.ts'
import { Field, Form } from '../components/form/form.tsx'
import { bareLayout } from '../components/layout/layout.tsx'
import { access } from '../http/access.ts'
import type { ConsoleDeps, ConsoleRequest, FormRequest, SubmittedForm } from '../http/context.ts'
import { requirePasswordSignIn } from '../http/password-sign-in.ts'
import { redirect, success } from '../http/responses.ts'

async function ask(context: ConsoleRequest): Promise<Response> {
  requirePasswordSignIn(context)
  return bareLayout(
    context,
    { title: 'Forgot your password?' },
    context.deps.mail ? <AskForm context={context} /> : <AskAnAdmin />,
  )
}

function AskForm({ context }: { context: ConsoleRequest }) {
  return (
    <>
      <h1>Forgot your password?</h1>
      <p class="lead">We email you a link to choose a new password.</p>
      <Form context={context} action="/forgot">
        <Field name="email" label="Email" type="email" autocomplete="username" required />
        <button type="submit" class="button primary full-width">
          Send the link
        </button>
      </Form>
      <p class="muted">
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
        Email is not configured. Ask an admin of your team to create a link for a new password under
        Settings, Members.
      </p>
      <p class="muted">
        <a href="/login">Back to sign in</a>
      </p>
    </>
  )
}

const SendForm = v.object({ email: v.pipe(v.string(), v.nonEmpty('is required')) })

async function send(context: FormRequest<typeof SendForm, ConsoleRequest>): Promise<Response> {
  requirePasswordSignIn(context)
  const { email } = context.body
  const { deps, address } = context
  await consumeLoginAttempt(deps, { action: 'new password', email, address })
  if (deps.mail) deps.sessions.requestReset(email)
  return await bareLayout(
    context,
    { title: 'Check your email' },
    <>
      <h1>Check your email</h1>
      <p>
        If there is an account with this address, we have sent it a link. It works once, for one
        hour.
      </p>
      <p class="muted">
        <a href="/login">Back to sign in</a>
      </p>
    </>,
  )
}

const tokenOf = ({ params }: ConsoleRequest) => params['token'] ?? ''

async function choose(context: ConsoleRequest): Promise<Response> {
  requirePasswordSignIn(context)
  await context.deps.sessions.requireResetToken(tokenOf(context))
  return await newPasswordPage(context)
}

async function newPasswordPage(
  context: ConsoleRequest,
  submitted?: SubmittedForm,
): Promise<Response> {
  return await bareLayout(
    context,
    { title: 'Choose a new password' },
    <>
      <h1>Choose a new password</h1>
      <p class="lead">This signs you out everywhere. Then you sign in with the new password.</p>
      <Form context={context} action={`/reset/${encodeURIComponent(tokenOf(context))}`}>
        <NewPasswordField submitted={submitted} />
        <button type="submit" class="button primary full-width">
          Save
        </button>
      </Form>
    </>,
  )
}

/** The field for a new password. */
export function NewPasswordField({ submitted }: { submitted: SubmittedForm | undefined }) {
  return (
    <Field
      name="password"
      label="New password"
      type="password"
      hint={`At least ${leastPasswordCharacters} characters. A few words are easy to remember.`}
      autocomplete="new-password"
      minlength={leastPasswordCharacters}
      maxlength={mostPasswordCharacters}
      required
      submitted={submitted}
    />
  )
}

const SaveForm = v.object({ password: NewPassword })

async function save(context: FormRequest<typeof SaveForm, ConsoleRequest>): Promise<Response> {
  requirePasswordSignIn(context)
  const { password } = context.body
  await context.deps.sessions.resetPassword(context, { token: tokenOf(context), next: password })
  return redirect(context, '/login', success('Your new password is saved. Sign in with it.'))
}

/** The pages for people who forgot their password. */
export const recoveryPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/forgot', ask, { public: true })
    .post('/forgot', send, { public: true, body: SendForm })
    .get('/reset/:token', choose, { public: true })
    .post('/reset/:token', save, {
      public: true,
      body: SaveForm,
      renderWithErrors: newPasswordPage,
    })
