import { invalidField } from '../../../lib/errors.ts'
import {
  type AuthDeps,
  type Client,
  headersOf,
  throwIfRefused,
} from '../better-auth/better-auth.ts'
import { listSecondFactors } from './list.ts'

const wrongPassword = () => invalidField('/password', 'the password is wrong')

/** How long after a sign-in an account without a password can change its second factors, in minutes. */
export const recentSignInMinutes = 15

/** Whether a session is from a recent sign-in, which counts as the password of an account without one. */
export const isRecentSignIn = (startedAt: Date, at: Date): boolean =>
  at.getTime() - startedAt.getTime() < recentSignInMinutes * 60_000

const signInTooOld = () => invalidField('/password', 'is replaced by a recent sign-in')

/**
 * Throws `validation_failed` for a wrong password, and for an account without a password whose sign-in is not recent.
 */
export async function requirePassword(
  { auth, ...deps }: AuthDeps,
  client: Client,
  password: string | undefined,
): Promise<void> {
  const { api } = await auth()
  const headers = headersOf(client)
  const session = await api.getSession({ headers })
  if (!session) throw wrongPassword()
  const { hasPassword } = await listSecondFactors(deps, session.user.id)
  if (!hasPassword) {
    if (isRecentSignIn(session.session.createdAt, deps.now())) return
    throw signInTooOld()
  }
  const checking = api.verifyPassword({ body: { password: password ?? '' }, headers })
  await throwIfRefused(['INVALID_PASSWORD'], wrongPassword(), checking)
}
