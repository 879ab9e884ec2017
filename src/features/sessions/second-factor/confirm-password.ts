import { invalidField } from '../../../lib/errors.ts'
import {
  type AuthDeps,
  type Client,
  headersOf,
  throwIfRefused,
} from '../better-auth/better-auth.ts'
import { listSecondFactors } from './list.ts'

const wrongPassword = () => invalidField('/password', 'the password is wrong')

/** Throws `validation_failed` for a wrong password. Accounts without a password need none. */
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
  if (!hasPassword) return
  const checking = api.verifyPassword({ body: { password: password ?? '' }, headers })
  await throwIfRefused(['INVALID_PASSWORD'], wrongPassword(), checking)
}
