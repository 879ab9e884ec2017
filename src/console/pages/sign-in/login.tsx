import { Elysia } from 'elysia'
import * as v from 'valibot'
import { consumeLoginAttempt } from '../../../features/login-throttle/index.ts'
import { recordFailedSignIn, type Sessions } from '../../../features/sessions/index.ts'
import { needsSetup } from '../../../features/setup/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { ErrorSummary, Field, Form } from '../../components/form/form.tsx'
import { bareLayout } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import type {
  ConsoleDeps,
  ConsoleRequest,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../http/context.ts'
import { onceSignedOut } from '../../http/forms/once-signed-out.ts'
import { safePath } from '../../http/origin.ts'
import { redirect } from '../../http/responses.ts'
import { requirePasswordSignIn } from '../../http/sign-in/password.ts'
import type { Translate } from '../../locales/index.ts'
import { withNext } from '../second-factor/sign-in.tsx'
import { ProviderButtons } from './identity-provider.tsx'

export const SignIn = v.object({
  email: v.pipe(v.string(), v.nonEmpty('is required')),
  password: v.pipe(v.string(), v.nonEmpty('is required')),
})

async function start(context: ConsoleRequest): Promise<Response> {
  if (context.signedIn) return redirect(context, '/home')
  if (await needsSetup(context.deps)) return await setupHint(context)
  return redirect(context, '/login')
}

async function setupHint(context: ConsoleRequest): Promise<Response> {
  const { t } = context
  return await bareLayout(
    context,
    { title: t('login.welcome') },
    <>
      <h1>{t('login.welcome_to_tidings')}</h1>
      <p>{t('login.tidings_collects_wins_new_starters')}</p>
      <p>{t('login.there_is_no_account_yet')}</p>
    </>,
  )
}

async function show(context: ConsoleRequest): Promise<Response> {
  if (context.signedIn) return redirect(context, safePath(context.url.searchParams.get('next')))
  return await loginPage(context)
}

async function loginPage(context: ConsoleRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const next = context.url.searchParams.get('next')
  return await bareLayout(
    context,
    { title: t('common.sign_in') },
    <>
      <h1>{t('common.sign_in')}</h1>
      <ErrorSummary submitted={submitted} exceptFields={['email']} />
      <ProviderButtons context={context} next={next} />
      {context.deps.passwordSignIn ? (
        <PasswordSignIn context={context} next={next} submitted={submitted} />
      ) : null}
    </>,
  )
}

function PasswordSignIn({
  context,
  next,
  submitted,
}: {
  context: ConsoleRequest
  next: string | null
  submitted: SubmittedForm | undefined
}) {
  const { t } = context
  return (
    <>
      <Form context={context} action={withNext('/login', next)}>
        <CredentialFields t={t} submitted={submitted} />
        <button type="submit" class="button primary full-width">
          {t('common.sign_in')}
        </button>
      </Form>
      {context.deps.sessions.canUsePasskeys ? (
        <p>
          <a class="button full-width" href={withNext('/login/passkey', next)}>
            {t('login.sign_in_with_a_passkey')}
          </a>
        </p>
      ) : null}
      <p class="muted">
        <a href="/forgot">{t('login.forgot_your_password')}</a>
      </p>
    </>
  )
}

/** The fields for the email and the current password of an account. */
export function CredentialFields({
  t,
  email = '',
  submitted,
}: {
  t: Translate
  /** The address of the person, if it is known. */
  email?: string
  submitted: SubmittedForm | undefined
}) {
  return (
    <>
      <Field
        name="email"
        label={t('common.email')}
        type="email"
        autocomplete="username"
        value={email}
        required
        autofocus={email === ''}
        submitted={submitted}
      />
      <Field
        name="password"
        label={t('common.password')}
        type="password"
        autocomplete="current-password"
        required
        autofocus={email !== ''}
      />
    </>
  )
}

/** Checks the address and the password of a person. Throws `validation_failed` and `rate_limited`. */
export async function signIn(
  context: ConsoleRequest,
  { email, password }: { email: string; password: string },
): ReturnType<Sessions['signIn']> {
  requirePasswordSignIn(context)
  const { deps, address } = context
  const attempt = await consumeLoginAttempt(deps, {
    action: 'sign in',
    email,
    address,
    device: deps.sessions.findDevice(clientOf(context), email),
  })
  const client = clientOf(context)
  const signedIn = await deps.sessions.signIn(client, { email, password }).catch((error) => {
    const wrong = error instanceof AppError && error.code === 'validation_failed'
    // Not awaited: the response must not take longer because an account exists.
    if (wrong) {
      recordFailedSignIn(deps, { email, address }).catch((err: unknown) =>
        deps.log.error({ err }, 'the audit log was not written'),
      )
    }
    throw error
  })
  await attempt.succeeded()
  return signedIn
}

async function login(context: FormRequest<typeof SignIn, ConsoleRequest>): Promise<Response> {
  const next = context.url.searchParams.get('next')
  const { cookies, needsSecondFactor } = await signIn(context, context.body)
  const path = needsSecondFactor ? withNext('/login/second-factor', next) : safePath(next)
  return redirect(context, path, { cookies })
}

async function logout(context: MemberRequest): Promise<Response> {
  const { deps, signedIn } = context
  const cookies = await deps.sessions.signOut(clientOf(context), signedIn.account.id)
  return redirect(context, '/login', { cookies })
}

/** Routes of the start page, sign-in and sign-out. */
export const loginPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/', start, { public: true })
    .get('/login', show, { public: true })
    .post('/login', onceSignedOut(login), {
      public: true,
      body: SignIn,
      renderWithErrors: loginPage,
    })
    .post('/logout', logout, { role: 'viewer' })
