import { invalidField } from '../../../lib/errors.ts'
import { type AuthDeps, type Client, headersOf, refusing } from '../better-auth.ts'
import { listSecondFactors } from './list.ts'

const wrongPassword = () => invalidField('/password', 'the password is wrong')

/** Throws `validation_failed` for a wrong password. Accounts without a password need none. */
export async function requirePassword(
  { auth: { api }, ...deps }: AuthDeps,
  client: Client,
  password: string | undefined,
): Promise<void> {
  const headers = headersOf(client)
  const session = await api.getSession({ headers })
  if (!session) throw wrongPassword()
  const { hasPassword } = await listSecondFactors(deps, session.user.id)
  if (!hasPassword) return
  const checking = api.verifyPassword({ body: { password: password ?? '' }, headers })
  await refusing(['INVALID_PASSWORD'], wrongPassword(), checking)
}
