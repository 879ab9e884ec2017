import { Elysia } from 'elysia'
import * as v from 'valibot'
import {
  consumeLoginAttempt,
  consumeSignInStart,
  secondFactorAction,
} from '../../../features/login-throttle/index.ts'
import type { Challenge } from '../../../features/sessions/index.ts'
import { ErrorSummary, Field, Form } from '../../components/form/form.tsx'
import { bareLayout } from '../../components/layout/layout.tsx'
import { PasskeyForm } from '../../components/members/passkey-form.tsx'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import type { ConsoleDeps, ConsoleRequest, FormRequest, SubmittedForm } from '../../http/context.ts'
import { onceSignedOut } from '../../http/forms/once-signed-out.ts'
import { safePath } from '../../http/origin.ts'
import { failure, redirect, withCookies } from '../../http/responses.ts'
import { requirePasswordSignIn } from '../../http/sign-in/password.ts'
import type { Translate } from '../../locales/index.ts'

/** A path with the address to go to after sign-in. */
export const withNext = (path: string, next: string | null): string =>
  next ? `${path}?next=${encodeURIComponent(next)}` : path

const nextOf = ({ url }: ConsoleRequest) => url.searchParams.get('next')

/** The fields of the second step of a sign-in. */
export function CodeField({
  t,
  submitted,
}: {
  t: Translate
  submitted: SubmittedForm | undefined
}) {
  return (
    <Field
      name="code"
      label={t('second_factor.code')}
      hint={t('second_factor.six_digits_or_backup_code')}
      autocomplete="one-time-code"
      required
      maxlength={20}
      submitted={submitted}
    />
  )
}

async function codePage(context: ConsoleRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const challenge = await context.deps.sessions.findChallenge(clientOf(context))
  if (!challenge) return tookTooLong(context)
  const next = nextOf(context)
  return await bareLayout(
    context,
    { title: t('second_factor.second_factor') },
    <>
      <h1>{t('second_factor.second_factor')}</h1>
      <p class="lead" safe>
        {t('second_factor.to_sign_in_as', { email: challenge.account.email })}
      </p>
      {challenge.factors.passkeys.length > 0 ? (
        <p>
          <a class="button full-width" href={withNext('/login/passkey', next)}>
            {t('second_factor.use_a_passkey')}
          </a>
        </p>
      ) : null}
      <Form context={context} action={withNext('/login/second-factor', next)}>
        <CodeField t={t} submitted={submitted} />
        <button type="submit" class="button primary full-width">
          {t('common.sign_in')}
        </button>
      </Form>
      <p class="muted">{t('second_factor.no_phone_and_no_codes')}</p>
    </>,
  )
}

const tookTooLong = (context: ConsoleRequest) =>
  redirect(context, '/login', failure(context.t('second_factor.sign_in_again_the_second')))

const CodeForm = v.object({ code: v.pipe(v.string(), v.nonEmpty('is required')) })

/** Completes the sign-in of a challenge. Throws `validation_failed` and `rate_limited`. */
export async function enterCode(
  context: ConsoleRequest,
  challenge: Challenge,
  code: string,
): Promise<string[]> {
  requirePasswordSignIn(context)
  const { deps, address } = context
  const { email } = challenge.account
  const client = clientOf(context)
  const device = deps.sessions.findDevice(client, email)
  const action = secondFactorAction
  const attempt = await consumeLoginAttempt(deps, { action, email, address, device })
  const cookies = await deps.sessions.enterCode(client, challenge, code)
  await attempt.succeeded()
  return cookies
}

async function sendCode(context: FormRequest<typeof CodeForm, ConsoleRequest>): Promise<Response> {
  const challenge = await context.deps.sessions.findChallenge(clientOf(context))
  if (!challenge) return tookTooLong(context)
  const cookies = await enterCode(context, challenge, context.body.code)
  return redirect(context, safePath(nextOf(context)), { cookies })
}

async function showPasskey(context: ConsoleRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  requirePasswordSignIn(context)
  const { deps, address } = context
  // Every request stores a challenge.
  await consumeSignInStart(deps, { method: 'passkey', address })
  const { options, cookies } = await deps.sessions.startPasskeySignIn(clientOf(context))
  const next = nextOf(context)
  const response = await bareLayout(
    context,
    { title: t('second_factor.sign_in_with_a_passkey'), scripts: ['passkeys.js'] },
    <>
      <h1>{t('second_factor.sign_in_with_a_passkey')}</h1>
      <p class="lead">{t('second_factor.your_browser_asks')}</p>
      <ErrorSummary submitted={submitted} exceptFields={[]} />
      <PasskeyForm
        context={context}
        action={withNext('/login/passkey', next)}
        kind="get"
        options={options}
        label={t('common.continue')}
      />
      <p class="muted">
        <a href={withNext('/login', next)}>{t('second_factor.sign_in_another_way')}</a>
      </p>
    </>,
  )
  return withCookies(response, cookies)
}

const PasskeyEntry = v.object({ response: v.string() })

async function sendPasskey(
  context: FormRequest<typeof PasskeyEntry, ConsoleRequest>,
): Promise<Response> {
  requirePasswordSignIn(context)
  const { sessions } = context.deps
  const cookies = await sessions.signInWithPasskey(clientOf(context), context.body.response)
  return redirect(context, safePath(nextOf(context)), { cookies })
}

/** Routes of the second step of a sign-in, and of the sign-in with a passkey. */
export const secondFactorSignInPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/login/second-factor', (context) => codePage(context), { public: true })
    .post('/login/second-factor', onceSignedOut(sendCode), {
      public: true,
      body: CodeForm,
      renderWithErrors: codePage,
    })
    .get('/login/passkey', (context) => showPasskey(context), { public: true })
    .post('/login/passkey', sendPasskey, {
      public: true,
      body: PasskeyEntry,
      renderWithErrors: showPasskey,
    })
