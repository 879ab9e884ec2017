import { recordAccountChange } from '../../account-emails/index.ts'
import { type Account, findAccountById, recordAccountAudit } from '../../accounts/index.ts'
import { consumeCode } from '../../login-throttle/index.ts'
import {
  type AuthDeps,
  type Client,
  type Cookies,
  headersOf,
  nullIfRefused,
  onlyCookie,
} from '../better-auth/better-auth.ts'
import { inAuthTransaction } from '../better-auth/transaction.ts'
import { cookieNameOf } from '../cookie-names.ts'
import { lockPasswordHash, type SecondFactors } from '../sql.ts'
import { digitsOf, wrongCode } from './code.ts'
import { listSecondFactors } from './list.ts'

/** A sign-in with the right password that waits for the second factor. */
export interface Challenge {
  account: Account
  factors: SecondFactors
}

/** The second step of a sign-in. */
export interface Challenges {
  /** The sign-in of this browser that waits for the second factor, or null. */
  findChallenge(client: Client): Promise<Challenge | null>
  /**
   * Completes the sign-in with a code of the authenticator app or a backup code. Throws
   * `validation_failed` for a wrong or used code.
   */
  enterCode(client: Client, challenge: Challenge, code: string): Promise<Cookies>
}

/** Creates the functions for the second step of a sign-in. */
export const createChallenges = (deps: AuthDeps): Challenges => ({
  findChallenge: (client) => findChallenge(deps, client),
  enterCode: (client, challenge, code) => enterCode(deps, client, challenge, code),
})

async function findChallenge(deps: AuthDeps, client: Client): Promise<Challenge | null> {
  const name = cookieNameOf(deps.baseUrl, 'second_factor')
  const { cookie } = onlyCookie(client, name)
  const [identifier = ''] = decodeURIComponent(cookie.slice(name.length + 1)).split('.')
  if (identifier === '') return null
  const { internalAdapter } = await (await deps.auth()).$context
  const found = await internalAdapter.findVerificationValue(identifier)
  // Better-auth compares with the time of the machine, as it does when it checks the code.
  if (!found || found.expiresAt <= new Date()) return null
  const account = await findAccountById(deps, found.value)
  return account ? { account, factors: await listSecondFactors(deps, account.id) } : null
}

async function enterCode(
  deps: AuthDeps,
  client: Client,
  { account: { id: accountId, email } }: Challenge,
  code: string,
): Promise<Cookies> {
  const { address } = client
  const digits = digitsOf(code)
  const cookies = await inAuthTransaction(deps, async (txDeps) => {
    // A change of the password ends this sign-in: either before the code is checked, or with its session.
    await lockPasswordHash(txDeps.sql, email)
    const verified = await nullIfRefused(verifyCode(deps, client, code))
    // Not thrown: better-auth counts the wrong codes of a sign-in.
    if (!verified) return null
    const txCtx = { ...txDeps, accountId, address }
    if (digits && !(await consumeCode(txCtx, { accountId, code: digits }))) throw wrongCode()
    await (digits
      ? recordAccountAudit(txCtx, 'signed_in')
      : recordAccountChange(txCtx, { change: 'backup_code_used' }))
    return deps.cookiesIn(verified.headers)
  })
  if (cookies) return [...cookies, deps.devices.cookieFor(email)]
  await recordAccountAudit({ ...deps, accountId, address }, 'second_factor_failed')
  throw wrongCode()
}

async function verifyCode({ auth, baseUrl }: AuthDeps, client: Client, code: string) {
  const { api } = await auth()
  // Without the cookie of another session, whose account better-auth would check instead.
  const headers = headersOf(onlyCookie(client, cookieNameOf(baseUrl, 'second_factor')))
  const digits = digitsOf(code)
  return digits
    ? await api.verifyTOTP({ body: { code: digits }, headers, returnHeaders: true })
    : await api.verifyBackupCode({ body: { code: code.trim() }, headers, returnHeaders: true })
}
