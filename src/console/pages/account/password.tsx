import * as v from 'valibot'
import { NewPassword } from '../../../features/accounts/index.ts'
import { consumeLoginAttempt } from '../../../features/login-throttle/index.ts'
import { listSecondFactors } from '../../../features/sessions/index.ts'
import { attribute } from '../../attribute.ts'
import { ErrorSummary, Field, Form } from '../../components/form/form.tsx'
import { clientOf } from '../../http/client.ts'
import type { FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'
import { NewPasswordField } from '../sign-in/recovery.tsx'

/** The form for a new password, or a link to create one for people who sign in without a password. */
export async function PasswordForm({
  context,
  submitted,
}: {
  context: MemberRequest
  submitted: SubmittedForm | undefined
}) {
  const { t } = context
  const { account } = context.signedIn
  const { hasPassword } = await listSecondFactors(context.deps, account.id)
  if (!hasPassword) {
    return (
      <>
        <h2>{t('common.password')}</h2>
        <p>
          {t.html('account.you_sign_in_without', { link: (text) => <a href="/forgot">{text}</a> })}
        </p>
      </>
    )
  }
  return (
    <>
      <h2>{t('common.password')}</h2>
      <p>{t('account.a_new_password_signs')}</p>
      <ErrorSummary submitted={submitted} exceptFields={['current', 'password']} />
      <Form context={context} action="/account/password">
        <input
          type="text"
          name="username"
          value={attribute(context.signedIn.account.email)}
          autocomplete="username"
          hidden
        />
        <Field
          name="current"
          label={t('account.current_password')}
          type="password"
          autocomplete="current-password"
          required
          submitted={submitted}
        />
        <NewPasswordField t={t} submitted={submitted} />
        <button type="submit">{t('account.change_the_password')}</button>
      </Form>
    </>
  )
}

/** The form that changes the password. */
export const ChangePasswordForm = v.object({
  current: v.pipe(v.string(), v.nonEmpty('is required')),
  password: NewPassword,
})

/** Changes the password and ends all other sessions of the account. */
export async function changePassword(
  context: FormRequest<typeof ChangePasswordForm>,
): Promise<Response> {
  const { t } = context
  const { current, password } = context.body
  const { deps, address } = context
  const { email } = context.signedIn.account
  const attempt = await consumeLoginAttempt(deps, {
    action: 'sign in',
    email,
    address,
    device: deps.sessions.findDevice(clientOf(context), email),
  })
  const cookies = await deps.sessions.changePassword(clientOf(context), { current, next: password })
  await attempt.succeeded()
  return redirect(context, '/account', {
    ...success(t('account.your_new_password_is_saved')),
    cookies,
  })
}
