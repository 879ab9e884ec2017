import { Elysia } from 'elysia'
import * as v from 'valibot'
import {
  maxPasswordCharacters,
  minPasswordCharacters,
  NewPassword,
} from '../../../features/accounts/index.ts'
import { consumeLoginAttempt } from '../../../features/login-throttle/index.ts'
import { Field, Form } from '../../components/form/form.tsx'
import { bareLayout } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, ConsoleRequest, FormRequest, SubmittedForm } from '../../http/context.ts'
import { onceSignedOut } from '../../http/forms/once-signed-out.ts'
import { redirect, success } from '../../http/responses.ts'
import { requirePasswordSignIn } from '../../http/sign-in/password.ts'
import type { Translate } from '../../locales/index.ts'

async function ask(context: ConsoleRequest): Promise<Response> {
  const { t } = context
  requirePasswordSignIn(context)
  return bareLayout(
    context,
    { title: t('recovery.forgot_your_password') },
    context.deps.mail ? <AskForm context={context} /> : <AskAnAdmin t={t} />,
  )
}

function AskForm({ context }: { context: ConsoleRequest }) {
  const { t } = context
  return (
    <>
      <h1>{t('recovery.forgot_your_password')}</h1>
      <p class="lead">{t('recovery.we_email_you_a_link')}</p>
      <Form context={context} action="/forgot">
        <Field
          name="email"
          label={t('common.email')}
          type="email"
          autocomplete="username"
          required
        />
        <button type="submit" class="button primary full-width">
          {t('recovery.send_the_link')}
        </button>
      </Form>
      <p class="muted">
        <a href="/login">{t('recovery.back_to_sign_in')}</a>
      </p>
    </>
  )
}

function AskAnAdmin({ t }: { t: Translate }) {
  return (
    <>
      <h1>{t('recovery.forgot_your_password')}</h1>
      <p>{t('recovery.email_is_not_configured_ask')}</p>
      <p class="muted">
        <a href="/login">{t('recovery.back_to_sign_in')}</a>
      </p>
    </>
  )
}

const SendForm = v.object({ email: v.pipe(v.string(), v.nonEmpty('is required')) })

async function send(context: FormRequest<typeof SendForm, ConsoleRequest>): Promise<Response> {
  const { t } = context
  requirePasswordSignIn(context)
  const { email } = context.body
  const { deps, address } = context
  await consumeLoginAttempt(deps, { action: 'new password', email, address })
  if (deps.mail) void deps.sessions.requestReset(email)
  return await bareLayout(
    context,
    { title: t('recovery.check_your_email') },
    <>
      <h1>{t('recovery.check_your_email')}</h1>
      <p>{t('recovery.if_there_is_an_account')}</p>
      <p class="muted">
        <a href="/login">{t('recovery.back_to_sign_in')}</a>
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
  const { t } = context
  return await bareLayout(
    context,
    { title: t('recovery.choose_a_new_password') },
    <>
      <h1>{t('recovery.choose_a_new_password')}</h1>
      <p class="lead">{t('recovery.this_signs_you_out_everywhere')}</p>
      <Form context={context} action={`/reset/${encodeURIComponent(tokenOf(context))}`}>
        <NewPasswordField t={t} submitted={submitted} />
        <button type="submit" class="button primary full-width">
          {t('common.save')}
        </button>
      </Form>
    </>,
  )
}

/** The field for a new password. */
export function NewPasswordField({
  t,
  submitted,
}: {
  t: Translate
  submitted: SubmittedForm | undefined
}) {
  return (
    <Field
      name="password"
      label={t('recovery.new_password')}
      type="password"
      hint={t('recovery.at_least_characters_a_few', { minPasswordCharacters })}
      autocomplete="new-password"
      minlength={minPasswordCharacters}
      maxlength={maxPasswordCharacters}
      required
      submitted={submitted}
    />
  )
}

const SaveForm = v.object({ password: NewPassword })

async function save(context: FormRequest<typeof SaveForm, ConsoleRequest>): Promise<Response> {
  const { t } = context
  requirePasswordSignIn(context)
  const { password } = context.body
  await context.deps.sessions.resetPassword(context, { token: tokenOf(context), next: password })
  return redirect(context, '/login', success(t('recovery.your_new_password_is_saved')))
}

/** The pages for people who forgot their password. */
export const recoveryPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/forgot', ask, { public: true })
    .post('/forgot', onceSignedOut(send), { public: true, body: SendForm })
    .get('/reset/:token', choose, { public: true })
    .post('/reset/:token', onceSignedOut(save), {
      public: true,
      body: SaveForm,
      renderWithErrors: newPasswordPage,
    })
