import type { Children } from '@kitajs/html'
import * as v from 'valibot'
import { consumeLoginAttempt } from '../../../features/login-throttle/index.ts'
import {
  isRecentSignIn,
  listSecondFactors,
  recentSignInMinutes,
  type SecondFactors,
} from '../../../features/sessions/index.ts'
import { attribute } from '../../attribute.ts'
import { Field, Form } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { clientOf } from '../../http/client.ts'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'
import type { Translate } from '../../locales/index.ts'
import { ProviderButtons } from '../sign-in/identity-provider.tsx'
import { secondFactorPath } from './overview.tsx'
import { withNext } from './sign-in.tsx'

/** The password in a form that changes the second factor; an account without one sends none. */
export const PasswordEntry = { password: v.optional(v.string()) }

function PasswordField({
  context: { t, signedIn },
  submitted,
}: {
  context: MemberRequest
  submitted: SubmittedForm | undefined
}) {
  return (
    <>
      <input
        type="text"
        name="username"
        value={attribute(signedIn.account.email)}
        autocomplete="username"
        hidden
      />
      <Field
        name="password"
        label={t('second_factor.your_password')}
        type="password"
        autocomplete="current-password"
        required
        submitted={submitted}
      />
    </>
  )
}

/** The ways to sign in again, for a person without a password whose sign-in is not recent. */
function SignInAgain({
  context,
  next,
  factors: { passkeys },
}: {
  context: MemberRequest
  /** The page to open afterwards. */
  next: string
  factors: SecondFactors
}) {
  const { t, deps } = context
  const canUsePasskey = deps.passwordSignIn && passkeys.length > 0
  if (!canUsePasskey && deps.sessions.identityProviders.length === 0) {
    return <ChoosePassword context={context} />
  }
  return (
    <>
      <p class="notice" safe>
        {t('second_factor.sign_in_again_first', { minutes: recentSignInMinutes })}
      </p>
      <ProviderButtons context={context} next={next} />
      <div class="row">
        {canUsePasskey ? (
          <a class="button" href={attribute(withNext('/login/passkey', next))}>
            {t('second_factor.sign_in_with_a_passkey')}
          </a>
        ) : null}
        <a href={secondFactorPath}>{t('common.cancel')}</a>
      </div>
    </>
  )
}

/** What a person does who cannot sign in again, because the link of an operator has signed them in. */
function ChoosePassword({ context: { t, deps } }: { context: MemberRequest }) {
  return (
    <>
      <p class="notice">
        {deps.mail
          ? t('second_factor.choose_a_password_first')
          : t('second_factor.ask_for_a_password_first')}
      </p>
      <div class="row">
        {deps.mail ? (
          <a class="button" href="/forgot">
            {t('recovery.choose_a_new_password')}
          </a>
        ) : null}
        <a href={secondFactorPath}>{t('common.cancel')}</a>
      </div>
    </>
  )
}

interface PasswordPage {
  context: MemberRequest
  title: string
  lead: string
  /** Where the form is sent. */
  action: string
  /** What the button says. */
  label: string
  /** The button removes something. */
  danger?: boolean
  submitted: SubmittedForm | undefined
  /** The fields before the password. */
  children?: Children
}

/**
 * A page that asks for the password before a second factor is changed. A person without a password has to have
 * signed in a short time before.
 */
export async function passwordPage({
  context,
  title,
  lead,
  action,
  label,
  danger = false,
  submitted,
  children,
}: PasswordPage): Promise<Response> {
  const { t, deps, signedIn } = context
  const factors = await listSecondFactors(deps, signedIn.account.id)
  const isConfirmed = factors.hasPassword || isRecentSignIn(signedIn.startedAt, deps.now())
  return await layout(
    context,
    { title, section: 'account' },
    <div class="narrow">
      <PageHeader
        title={title}
        lead={lead}
        parent={{ href: '/account/second-factor', title: t('second_factor.second_factor') }}
      />
      {isConfirmed ? (
        <Form context={context} action={action}>
          {children}
          {factors.hasPassword ? <PasswordField context={context} submitted={submitted} /> : null}
          <SubmitRow t={t} label={label} danger={danger} />
        </Form>
      ) : (
        <SignInAgain context={context} next={action} factors={factors} />
      )}
    </div>,
  )
}

/** The button of a form, and the link that leads back to the page about second factors. */
export function SubmitRow({
  t,
  label,
  danger = false,
}: {
  t: Translate
  label: string
  danger?: boolean
}) {
  return (
    <div class="row">
      <button type="submit" class={danger ? 'primary danger' : 'primary'} safe>
        {label}
      </button>
      <a href={secondFactorPath}>{t('common.cancel')}</a>
    </div>
  )
}

/** Checks the password of a form, as an attempt to sign in. Throws `validation_failed` and `rate_limited`. */
export const confirmPassword = (
  context: MemberRequest,
  { password }: { password?: string | undefined },
): Promise<void> =>
  withPasswordAttempt(context, () =>
    context.deps.sessions.requirePassword(clientOf(context), password),
  )

/** Runs `work`, which checks the password, and counts it as an attempt to sign in. Throws `rate_limited`. */
export async function withPasswordAttempt<Result>(
  context: MemberRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const { deps, address, signedIn } = context
  const { email } = signedIn.account
  const device = deps.sessions.findDevice(clientOf(context), email)
  const attempt = await consumeLoginAttempt(deps, { action: 'sign in', email, address, device })
  const result = await work()
  await attempt.succeeded()
  return result
}
