import { Elysia } from 'elysia'
import * as v from 'valibot'
import { attribute } from '../../attribute.ts'
import { ErrorSummary, Form } from '../../components/form/form.tsx'
import { bareLayout } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import type { ConsoleDeps, ConsoleRequest, FormRequest, SubmittedForm } from '../../http/context.ts'
import type { FormValues } from '../../http/form-data.ts'
import { textOf } from '../../http/form-data.ts'
import { safePath } from '../../http/origin.ts'
import { CodeField, enterCode } from '../second-factor/sign-in.tsx'
import { ProviderButtons } from './identity-provider.tsx'
import { CredentialFields, SignIn, signIn } from './login.tsx'

/** The prefix of the fields that contain the form that was sent without a session. */
const keptPrefix = 'kept.'

const Continue = v.object({ ...SignIn.entries, action: v.string() })

// Passwords are typed again, and the token belongs to the session that has ended.
const notKept = ['csrf', 'password', 'current']

/**
 * The reply to a form that was sent after the session had ended: the sign-in page, with everything that
 * was typed in hidden fields. Status 401.
 */
export async function signInAgainPage(context: ConsoleRequest): Promise<Response> {
  const { values, url } = context
  const kept = Object.entries(values).filter(([name]) => !notKept.includes(name))
  const action = url.pathname + url.search
  return await signInForm(context, { action, kept: Object.fromEntries(kept), status: 401 })
}

interface SignInForm {
  /** The path to which the kept form is sent afterwards. */
  action: string
  kept: FormValues
  status: number
  submitted?: SubmittedForm
}

async function signInForm(
  context: ConsoleRequest,
  { action, kept, status, submitted }: SignInForm,
): Promise<Response> {
  const { t } = context
  return await bareLayout(
    context,
    { title: t('sign_in_again.sign_in_again'), status },
    <>
      <h1>{t('sign_in_again.sign_in_again')}</h1>
      <p>{t('sign_in_again.your_session_has_ended')}</p>
      <ErrorSummary submitted={submitted} exceptFields={['email']} />
      {context.deps.passwordSignIn ? (
        <Form context={context} action="/login/continue">
          <KeptForm action={action} kept={kept} />
          <CredentialFields t={t} submitted={submitted} />
          <button type="submit" class="button primary full-width">
            {t('common.sign_in')}
          </button>
        </Form>
      ) : null}
      {context.deps.sessions.identityProviders.length > 0 ? (
        <ProviderSignIn context={context} action={action} kept={kept} />
      ) : null}
    </>,
  )
}

/** The sign-in with an identity provider happens in another tab, because this page contains what was typed. */
function ProviderSignIn({
  context,
  action,
  kept,
}: {
  context: ConsoleRequest
  action: string
  kept: FormValues
}) {
  const { t } = context
  return (
    <>
      <ProviderButtons context={context} next={null} newTab />
      <Form context={context} action="/login/continue/session">
        <KeptForm action={action} kept={kept} />
        <p class="muted">{t('sign_in_again.this_opens_another_tab_when')}</p>
        <button type="submit" class="button full-width">
          {t('common.continue')}
        </button>
      </Form>
    </>
  )
}

function KeptForm({ action, kept }: Pick<SignInForm, 'action' | 'kept'>) {
  return (
    <>
      <input type="hidden" name="action" value={attribute(action)} />
      <KeptFields values={kept} prefix={keptPrefix} />
    </>
  )
}

function KeptFields({ values, prefix }: { values: FormValues; prefix: string }) {
  return (
    <>
      {Object.entries(values).flatMap(([name, texts]) =>
        [texts]
          .flat()
          .map((text) => (
            <input type="hidden" name={attribute(prefix + name)} value={attribute(text)} />
          )),
      )}
    </>
  )
}

const keptIn = (values: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name.startsWith(keptPrefix))
      .map(([name, text]) => [name.slice(keptPrefix.length), text]),
  )

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
  for (const one of cookies) response.headers.append('set-cookie', one)
  return response
}

/** The second step of the sign-in, with everything that was typed in hidden fields. */
async function codeForm(
  context: ConsoleRequest,
  action: string,
  submitted?: SubmittedForm,
): Promise<Response> {
  const { t } = context
  return await bareLayout(
    context,
    { title: t('sign_in_again.second_factor') },
    <>
      <h1>{t('sign_in_again.second_factor')}</h1>
      <p>{t('sign_in_again.what_you_typed_is_kept')}</p>
      <Form context={context} action="/login/continue/code">
        <KeptForm action={action} kept={keptIn(context.values)} />
        <CodeField t={t} submitted={submitted} />
        <button type="submit" class="button primary full-width">
          {t('common.sign_in')}
        </button>
      </Form>
    </>,
  )
}

const ContinueWithCode = v.object({
  action: v.string(),
  code: v.pipe(v.string(), v.nonEmpty('is required')),
})

async function continueWithCode(
  context: FormRequest<typeof ContinueWithCode, ConsoleRequest>,
): Promise<Response> {
  const { action, code } = context.body
  const challenge = await context.deps.sessions.getChallenge(clientOf(context))
  if (!challenge) {
    const kept = keptIn(context.values)
    return await signInForm(context, { action: safePath(action), kept, status: 401 })
  }
  const cookies = await enterCode(context, challenge, code)
  const response = await saveForm(context, await csrfTokenOf(context, cookies), action)
  for (const one of cookies) response.headers.append('set-cookie', one)
  return response
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

/** One button that sends the kept form in the new session. */
async function saveForm(context: ConsoleRequest, csrf: string, action: string): Promise<Response> {
  const { t } = context
  return await bareLayout(
    context,
    { title: t('sign_in_again.signed_in') },
    <>
      <h1>{t('sign_in_again.you_are_signed_in_again')}</h1>
      <p>{t('sign_in_again.what_you_typed')}</p>
      <Form context={{ ...context, csrf }} action={safePath(action)}>
        <KeptFields values={keptIn(context.values)} prefix="" />
        <button type="submit" class="button primary full-width">
          {t('sign_in_again.save_what_i_typed')}
        </button>
      </Form>
      <p class="muted">
        <a href="/home">{t('sign_in_again.discard_it')}</a>
      </p>
    </>,
  )
}

/** The CSRF token of the session that these cookies start. */
async function csrfTokenOf(context: ConsoleRequest, cookies: readonly string[]): Promise<string> {
  const { deps } = context
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  const { signedIn } = await deps.sessions.getSession({ ...clientOf(context), cookie })
  return signedIn ? deps.csrfAndFlash.csrfToken(signedIn.sessionId) : ''
}

/** Routes of the sign-in that continues with a submitted form. */
export const signInAgainPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/login/continue', continueForm, {
      public: true,
      body: Continue,
      renderWithErrors: showErrors,
    })
    .post('/login/continue/code', continueWithCode, {
      public: true,
      body: ContinueWithCode,
      renderWithErrors: showCodeErrors,
    })
    .post('/login/continue/session', continueWithSession, {
      public: true,
      body: ContinueWithSession,
    })
