import { generateRandomString, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { type Sql, type Tx, withDeadline } from '../../../lib/database/db.ts'
import { toBase32 } from '../../../lib/text/base32.ts'
import { recordAccountChange } from '../../account-emails/index.ts'
import type { Account } from '../../accounts/index.ts'
import { consumeCode } from '../../login-throttle/index.ts'
import {
  type AuthDeps,
  type Client,
  type Cookies,
  headersOf,
  nullIfRefused,
} from '../better-auth/better-auth.ts'
import { authKeyOf } from '../better-auth/options.ts'
import { inAuthTransaction } from '../better-auth/transaction.ts'
import { selectPendingSecret, updatePendingSecret } from '../sql.ts'
import { digitsOf, wrongCode } from './code.ts'
import { requirePassword } from './confirm-password.ts'
import { findWithSecondFactor } from './list.ts'

/** An authenticator app that is being set up. */
export interface PendingAuthenticator {
  /** The key to type into the app, in base32. */
  key: string
  /** The address in the QR code. */
  uri: string
}

/** How people set up authenticator apps and backup codes. */
export interface Authenticators {
  /**
   * Throws `validation_failed` for a wrong password, and for an account without a password whose sign-in is not recent.
   */
  requirePassword(client: Client, password: string | undefined): Promise<void>
  /** Starts to set up an authenticator app. Throws `validation_failed` for a wrong password. */
  startAuthenticator(client: Client, accountId: string, password: string | undefined): Promise<void>
  /** The authenticator app that is being set up, or null. */
  findPendingAuthenticator(account: Account): Promise<PendingAuthenticator | null>
  /**
   * Confirms the authenticator app with a first code. `backupCodes` are returned for the first second factor of
   * the account. Throws `validation_failed` for a wrong code.
   */
  confirmAuthenticator(
    client: Client,
    accountId: string,
    code: string,
  ): Promise<{ cookies: Cookies; backupCodes: readonly string[] | null }>
  /** Replaces the backup codes. Throws `validation_failed` for a wrong password. */
  createBackupCodes(
    client: Client,
    accountId: string,
    password: string | undefined,
  ): Promise<readonly string[]>
}

/** Creates the functions for authenticator apps and backup codes. */
export const createAuthenticators = (deps: AuthDeps): Authenticators => ({
  requirePassword: (client, password) => requirePassword(deps, client, password),
  startAuthenticator: (client, accountId, password) =>
    startAuthenticator(deps, client, accountId, password),
  findPendingAuthenticator: (account) => findPendingAuthenticator(deps, account),
  confirmAuthenticator: (client, accountId, code) =>
    confirmAuthenticator(deps, client, accountId, code),
  createBackupCodes: (client, accountId, password) =>
    createBackupCodes(deps, client, accountId, password),
})

async function startAuthenticator(
  deps: AuthDeps,
  client: Client,
  accountId: string,
  password: string | undefined,
): Promise<void> {
  await requirePassword(deps, client, password)
  if (await hasSecondFactor(deps, accountId)) {
    // Not better-auth: it would replace the backup codes, which the person has saved.
    const data = generateRandomString(32)
    const secret = await symmetricEncrypt({ key: authKeyOf(deps.secret), data })
    return await withDeadline(updatePendingSecret(deps.sql, accountId, secret))
  }
  const { api } = await deps.auth()
  await inAuthTransaction(deps, () =>
    api.enableTwoFactor({
      body: password === undefined ? {} : { password },
      headers: headersOf(client),
    }),
  )
}

const hasSecondFactor = async (ctx: { sql: Sql | Tx }, accountId: string): Promise<boolean> =>
  (await findWithSecondFactor(ctx, [accountId])).has(accountId)

async function findPendingAuthenticator(
  { sql, secret }: AuthDeps,
  { id, email }: Account,
): Promise<PendingAuthenticator | null> {
  const encrypted = await withDeadline(selectPendingSecret(sql, id))
  if (encrypted === undefined) return null
  const decrypted = await symmetricDecrypt({ key: authKeyOf(secret), data: encrypted })
  const key = toBase32(Buffer.from(decrypted))
  const query = new URLSearchParams({ secret: key, issuer: 'Tidings' })
  return { key, uri: `otpauth://totp/Tidings:${encodeURIComponent(email)}?${query}` }
}

async function confirmAuthenticator(
  deps: AuthDeps,
  client: Client,
  accountId: string,
  code: string,
): Promise<{ cookies: Cookies; backupCodes: readonly string[] | null }> {
  const { api } = await deps.auth()
  const digits = digitsOf(code) ?? ''
  return await inAuthTransaction(deps, async (txDeps) => {
    const isFirst = !(await hasSecondFactor(txDeps, accountId))
    const verifying = api.verifyTOTP({
      body: { code: digits },
      headers: headersOf(client),
      returnHeaders: true as const,
    })
    const verified = await nullIfRefused(verifying)
    const txCtx = { ...txDeps, accountId, address: client.address }
    if (!verified || !(await consumeCode(txCtx, { accountId, code: digits }))) throw wrongCode()
    await recordAccountChange(txCtx, { change: 'authenticator_added' })
    const cookies = deps.cookiesIn(verified.headers)
    if (!isFirst) return { cookies, backupCodes: null }
    const { backupCodes } = await api.viewBackupCodes({ body: { userId: accountId } })
    return { cookies, backupCodes }
  })
}

async function createBackupCodes(
  deps: AuthDeps,
  client: Client,
  accountId: string,
  password: string | undefined,
): Promise<readonly string[]> {
  await requirePassword(deps, client, password)
  const { api } = await deps.auth()
  return await inAuthTransaction(deps, async (txDeps) => {
    const { backupCodes } = await api.generateBackupCodes({
      body: password === undefined ? {} : { password },
      headers: headersOf(client),
    })
    const txCtx = { ...txDeps, accountId, address: client.address }
    await recordAccountChange(txCtx, { change: 'backup_codes_created' })
    return backupCodes
  })
}
