import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { toBase32 } from '../../lib/base32.ts'
import type { Context, TxContext } from '../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import type { EncryptedColumn } from '../../lib/encryption.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import {
  type Account,
  type AccountContext,
  findAccountById,
  recordAccountAudit,
} from '../accounts/index.ts'
import { recordAudit } from '../audit-log/index.ts'
import { consumeCode } from '../login-throttle/index.ts'
import { authKeyOf, cookieNameOf } from './auth.ts'
import { inAuthTransaction } from './auth-transaction.ts'
import {
  type AuthDeps,
  type Client,
  type Cookies,
  headersOf,
  onlyCookie,
  refusing,
  unlessRefused,
} from './better-auth.ts'
import {
  deletePasskey,
  deleteSecondFactors,
  deleteSessions,
  type SecondFactors,
  selectPendingSecret,
  selectSecondFactors,
  selectWithSecondFactor,
  unverifyAuthenticator,
  updateTwoFactorEnabled,
} from './sql.ts'

/** A sign-in with the right password that waits for the second factor. */
export interface Challenge {
  account: Account
  factors: SecondFactors
}

/** An authenticator app that is being set up. */
export interface PendingAuthenticator {
  /** The key to type into the app, in base32. */
  key: string
  /** The address in the QR code. */
  uri: string
}

/** How people set up and use a second factor. */
export interface SecondFactor {
  /** The sign-in of this browser that waits for the second factor, or null. */
  getChallenge(client: Client): Promise<Challenge | null>
  /** Completes the sign-in with a code of the authenticator app or a backup code. Throws `validation_failed` for a wrong or used code. */
  enterCode(client: Client, challenge: Challenge, code: string): Promise<Cookies>
  /** Throws `validation_failed` for a wrong password. Accounts without a password need none. */
  requirePassword(client: Client, password: string | undefined): Promise<void>
  /** Starts to set up an authenticator app. Throws `validation_failed` for a wrong password. */
  startAuthenticator(client: Client, password: string | undefined): Promise<void>
  /** The authenticator app that is being set up, or null. */
  getPendingAuthenticator(account: Account): Promise<PendingAuthenticator | null>
  /** Confirms the authenticator app with a first code. Throws `validation_failed` for a wrong one. */
  confirmAuthenticator(
    client: Client,
    accountId: string,
    code: string,
  ): Promise<{ cookies: Cookies; backupCodes: readonly string[] }>
  /** Replaces the backup codes. Throws `validation_failed` for a wrong password. */
  createBackupCodes(
    client: Client,
    accountId: string,
    password: string | undefined,
  ): Promise<readonly string[]>
}

/** Creates the functions for second factors. */
export const createSecondFactor = (deps: AuthDeps): SecondFactor => ({
  getChallenge: (client) => getChallenge(deps, client),
  enterCode: (client, challenge, code) => enterCode(deps, client, challenge, code),
  requirePassword: (client, password) => requirePassword(deps, client, password),
  startAuthenticator: (client, password) => startAuthenticator(deps, client, password),
  getPendingAuthenticator: (account) => getPendingAuthenticator(deps, account),
  confirmAuthenticator: (client, accountId, code) =>
    confirmAuthenticator(deps, client, accountId, code),
  createBackupCodes: (client, accountId, password) =>
    createBackupCodes(deps, client, accountId, password),
})

async function getChallenge(deps: AuthDeps, client: Client): Promise<Challenge | null> {
  const name = cookieNameOf(deps.baseUrl, 'second_factor')
  const { cookie } = onlyCookie(client, name)
  const [identifier = ''] = decodeURIComponent(cookie.slice(name.length + 1)).split('.')
  if (identifier === '') return null
  const { internalAdapter } = await deps.auth.$context
  const found = await internalAdapter.findVerificationValue(identifier)
  // Better-auth compares with the time of the machine, as it does when it checks the code.
  if (!found || found.expiresAt <= new Date()) return null
  const account = await findAccountById(deps, found.value)
  return account ? { account, factors: await listSecondFactors(deps, account.id) } : null
}

const wrongCode = () =>
  invalidField('/code', 'the code is wrong or has been used; enter the next one')

async function enterCode(
  deps: AuthDeps,
  client: Client,
  { account: { id: accountId, email } }: Challenge,
  code: string,
): Promise<Cookies> {
  const { address } = client
  const digits = digitsOf(code)
  const cookies = await inAuthTransaction(deps, async ({ sql, now }) => {
    const verified = await unlessRefused(verifyCode(deps, client, code))
    // Not thrown: better-auth counts the wrong codes of a sign-in.
    if (!verified) return null
    const within = { sql, now, accountId, address }
    if (digits && !(await consumeCode(within, { accountId, code: digits }))) throw wrongCode()
    await recordAccountAudit(within, digits ? 'signed_in' : 'backup_code_used')
    return deps.cookiesIn(verified.headers)
  })
  if (cookies) return [...cookies, deps.devices.remember(email)]
  await recordAccountAudit({ ...deps, accountId, address }, 'second_factor_failed')
  throw wrongCode()
}

/** The six digits of an authenticator app, or undefined for another code. */
const digitsOf = (code: string) => /^\d{6}$/.exec(code.replaceAll(/\s/g, ''))?.[0]

async function verifyCode({ auth: { api }, baseUrl }: AuthDeps, client: Client, code: string) {
  // Without the cookie of another session, whose account better-auth would check instead.
  const headers = headersOf(onlyCookie(client, cookieNameOf(baseUrl, 'second_factor')))
  const digits = digitsOf(code)
  return digits
    ? await api.verifyTOTP({ body: { code: digits }, headers, returnHeaders: true })
    : await api.verifyBackupCode({ body: { code: code.trim() }, headers, returnHeaders: true })
}

const wrongPassword = () => invalidField('/password', 'the password is wrong')

async function requirePassword(
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

async function startAuthenticator(
  deps: AuthDeps,
  client: Client,
  password: string | undefined,
): Promise<void> {
  await requirePassword(deps, client, password)
  await inAuthTransaction(deps, () =>
    deps.auth.api.enableTwoFactor({
      body: password === undefined ? {} : { password },
      headers: headersOf(client),
    }),
  )
}

async function getPendingAuthenticator(
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
): Promise<{ cookies: Cookies; backupCodes: readonly string[] }> {
  const { api } = deps.auth
  const digits = digitsOf(code) ?? ''
  return await inAuthTransaction(deps, async ({ sql, now }) => {
    const verifying = api.verifyTOTP({
      ...{ body: { code: digits }, headers: headersOf(client), returnHeaders: true as const },
    })
    const verified = await unlessRefused(verifying)
    const within = { sql, now, accountId, address: client.address }
    if (!verified || !(await consumeCode(within, { accountId, code: digits }))) throw wrongCode()
    await recordAccountAudit(within, 'authenticator_added')
    const { backupCodes } = await api.viewBackupCodes({ body: { userId: accountId } })
    return { cookies: deps.cookiesIn(verified.headers), backupCodes }
  })
}

async function createBackupCodes(
  deps: AuthDeps,
  client: Client,
  accountId: string,
  password: string | undefined,
): Promise<readonly string[]> {
  await requirePassword(deps, client, password)
  return await inAuthTransaction(deps, async ({ sql, now }) => {
    const { backupCodes } = await deps.auth.api.generateBackupCodes({
      body: password === undefined ? {} : { password },
      headers: headersOf(client),
    })
    const ctx = { sql, now, accountId, address: client.address }
    await recordAccountAudit(ctx, 'backup_codes_created')
    return backupCodes
  })
}

/** The second factors of an account. */
export async function listSecondFactors(
  { sql }: { sql: Sql | Tx },
  accountId: string,
): Promise<SecondFactors> {
  return await withDeadline(selectSecondFactors(sql, accountId))
}

/** The ids of those accounts among the given ones that have a second factor. */
export async function findWithSecondFactor(
  { sql }: { sql: Sql | Tx },
  accountIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await withDeadline(selectWithSecondFactor(sql, accountIds))
  return new Set(rows.map(({ id }) => id))
}

/** Removes the authenticator app of the account. */
export async function removeAuthenticator(ctx: AccountContext): Promise<void> {
  await inAuthTransaction(ctx, async (within) => {
    await unverifyAuthenticator(within.sql, within.accountId)
    await updateTwoFactorEnabled(within.sql, within.accountId)
    await recordAccountAudit(within, 'authenticator_removed')
  })
}

/** Removes a passkey of the account. Throws `not_found`, also for the passkey of another account. */
export async function removePasskey(ctx: AccountContext, id: string): Promise<void> {
  await inAuthTransaction(ctx, async (within) => {
    const removed = await deletePasskey(within.sql, within.accountId, id)
    if (!removed) throw notFound('This passkey')
    await updateTwoFactorEnabled(within.sql, within.accountId)
    await recordAccountAudit(within, 'passkey_removed', removed.name)
  })
}

/**
 * Removes all second factors of an account and ends its sessions, for somebody who has lost theirs. The
 * entry in the audit log of the actor's team names `subject`.
 */
export async function resetSecondFactor(
  ctx: Context,
  { accountId, subject }: { accountId: string; subject: string },
): Promise<void> {
  await inAuthTransaction(ctx, async (within: TxContext) => {
    await deleteSecondFactors(within.sql, accountId)
    await updateTwoFactorEnabled(within.sql, accountId)
    await deleteSessions(within.sql, accountId)
    await recordAudit(within, 'second_factor_reset', subject)
  })
}

const betterAuthColumn = (column: string): EncryptedColumn => ({
  ...{ table: 'two_factors', column },
  async reencrypt(_id, value, { from, to }) {
    const data = await symmetricDecrypt({ key: authKeyOf(from), data: String(value) })
    return await symmetricEncrypt({ key: authKeyOf(to), data })
  },
})

/** The values that better-auth encrypts, for the rotation of the secret. */
export const encryptedSecondFactorColumns: readonly EncryptedColumn[] = [
  betterAuthColumn('secret'),
  betterAuthColumn('backup_codes'),
]
