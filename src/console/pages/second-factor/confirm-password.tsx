import * as v from 'valibot'
import { consumeLoginAttempt } from '../../../features/login-throttle/index.ts'
import { listSecondFactors } from '../../../features/sessions/index.ts'
import { attribute } from '../../attribute.ts'
import { Field } from '../../components/form/form.tsx'
import { clientOf } from '../../http/client.ts'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'

/** The password in a form that changes the second factor; an account without one sends none. */
export const PasswordEntry = { password: v.optional(v.string()) }

/** Asks for the password, unless the account has none. */
export async function PasswordField({
  context,
  submitted,
}: {
  context: MemberRequest
  submitted?: SubmittedForm | undefined
}) {
  const { account } = context.signedIn
  const { hasPassword } = await listSecondFactors(context.deps, account.id)
  if (!hasPassword) return ''
  return (
    <>
      <input
        type="text"
        name="username"
        value={attribute(account.email)}
        autocomplete="username"
        hidden
      />
      <Field
        name="password"
        label="Your password"
        type="password"
        autocomplete="current-password"
        required
        submitted={submitted}
      />
    </>
  )
}

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
