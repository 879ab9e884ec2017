import { Elysia } from 'elysia'
import * as v from 'valibot'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import type { ConsoleDeps, ConsoleRequest, FormRequest, SubmittedForm } from '../../http/context.ts'
import { textOf } from '../../http/forms/form-data.ts'
import { onceSignedOut } from '../../http/forms/once-signed-out.ts'
import { safePath } from '../../http/origin.ts'
import { withCookies } from '../../http/responses.ts'
import { findStartedSession } from '../../http/sign-in/session.ts'
import { enterCode } from '../second-factor/sign-in.tsx'
import { keptIn } from './kept-form.tsx'
import { SignIn, signIn } from './login.tsx'
import { codeForm, saveForm, signInForm } from './sign-in-again-pages.tsx'

const Continue = v.object({ ...SignIn.entries, action: v.string() })

const showErrors = (context: ConsoleRequest, submitted: SubmittedForm) =>
  signInForm(context, {
    action: safePath(textOf(context.values, 'action')),
    kept: keptIn(context.values),
    status: 422,
    submitted,
  })

/** Signs the person in, and shows the second step or the button that sends the kept form. */
async function continueForm(
  context: FormRequest<typeof Continue, ConsoleRequest>,
): Promise<Response> {
  const { action, ...credentials } = context.body
  const { cookies, needsSecondFactor } = await signIn(context, credentials)
  const response = needsSecondFactor
    ? await codeForm(context, safePath(action))
    : await saveForm(context, await csrfTokenOf(context, cookies), action)
  return withCookies(response, cookies)
}

const ContinueWithCode = v.object({
  action: v.string(),
  code: v.pipe(v.string(), v.nonEmpty('is required')),
})

async function continueWithCode(
  context: FormRequest<typeof ContinueWithCode, ConsoleRequest>,
): Promise<Response> {
  const { action, code } = context.body
  const challenge = await context.deps.sessions.findChallenge(clientOf(context))
  if (!challenge) {
    const kept = keptIn(context.values)
    return await signInForm(context, { action: safePath(action), kept, status: 401 })
  }
  const cookies = await enterCode(context, challenge, code)
  const response = await saveForm(context, await csrfTokenOf(context, cookies), action)
  return withCookies(response, cookies)
}

const showCodeErrors = (context: ConsoleRequest, submitted: SubmittedForm) =>
  codeForm(context, safePath(textOf(context.values, 'action')), submitted)

const ContinueWithSession = v.object({ action: v.string() })

/** Continues with the session that a sign-in in another tab has started. */
async function continueWithSession(
  context: FormRequest<typeof ContinueWithSession, ConsoleRequest>,
): Promise<Response> {
  const action = safePath(context.body.action)
  if (context.signedIn) return await saveForm(context, context.csrf, action)
  return await signInForm(context, { action, kept: keptIn(context.values), status: 401 })
}

/** The CSRF token of the session that these cookies start. */
async function csrfTokenOf(context: ConsoleRequest, cookies: readonly string[]): Promise<string> {
  const signedIn = await findStartedSession(context, cookies)
  return signedIn ? context.deps.csrfAndFlash.csrfToken(signedIn.sessionId) : ''
}

/** Routes of the sign-in that continues with a submitted form. */
export const signInAgainPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/login/continue', onceSignedOut(continueForm), {
      public: true,
      body: Continue,
      renderWithErrors: showErrors,
    })
    .post('/login/continue/code', onceSignedOut(continueWithCode), {
      public: true,
      body: ContinueWithCode,
      renderWithErrors: showCodeErrors,
    })
    .post('/login/continue/session', continueWithSession, {
      public: true,
      body: ContinueWithSession,
    })
