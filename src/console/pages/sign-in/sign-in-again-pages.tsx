import { ErrorSummary, Form } from '../../components/form/form.tsx'
import { bareLayout } from '../../components/layout/layout.tsx'
import type { ConsoleRequest, SubmittedForm } from '../../http/context.ts'
import { type FormValues, textOf } from '../../http/forms/form-data.ts'
import { safePath } from '../../http/origin.ts'
import { CodeField } from '../second-factor/sign-in.tsx'
import { ProviderButtons } from './identity-provider.tsx'
import { KeptFields, KeptForm, keptIn, withoutSecrets } from './kept-form.tsx'
import { CredentialFields } from './login.tsx'

/**
 * The reply to a form that was sent after the session had ended: the sign-in page, with everything that
 * was typed in hidden fields, and the reason if there is another one. Status 401.
 */
export async function signInAgainPage(
  context: ConsoleRequest,
  reason: string | null,
): Promise<Response> {
  const { values, url } = context
  const action = url.pathname + url.search
  const email = textOf(values, 'signed_in_as')
  const kept = withoutSecrets(values)
  return await signInForm(context, { action, kept, status: 401, email, reason })
}

interface SignInForm {
  /** The path to which the kept form is sent afterwards. */
  action: string
  kept: FormValues
  status: number
  /** The address of the person who wrote the form, if the form says it. */
  email?: string
  submitted?: SubmittedForm
  /** Why the person is signed out, unless the session has just ended. */
  reason?: string | null
}

/** The sign-in with the kept form, by password or by an identity provider. */
export async function signInForm(
  context: ConsoleRequest,
  { action, kept, status, email = '', submitted, reason = null }: SignInForm,
): Promise<Response> {
  const { t } = context
  return await bareLayout(
    context,
    { title: t('sign_in_again.sign_in_again'), status },
    <>
      <h1>{t('sign_in_again.sign_in_again')}</h1>
      <p safe>{reason ?? t('sign_in_again.your_session_has_ended')}</p>
      <ErrorSummary submitted={submitted} exceptFields={['email']} />
      {context.deps.passwordSignIn ? (
        <Form context={context} action="/login/continue">
          <KeptForm action={action} kept={kept} />
          <CredentialFields t={t} email={email} submitted={submitted} />
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

/** The second step of the sign-in, with everything that was typed in hidden fields. */
export async function codeForm(
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

/** One button that sends the kept form in the new session. */
export async function saveForm(
  context: ConsoleRequest,
  csrf: string,
  action: string,
): Promise<Response> {
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
