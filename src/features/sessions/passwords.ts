import * as v from 'valibot'
import type { Context } from '../../lib/context.ts'
import type { Tx } from '../../lib/database/db.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { newId, newLinkToken } from '../../lib/ids.ts'
import { recordAccountChange, recordChangeByAdmin } from '../account-emails/index.ts'
import { findAccount, findAccountById, requireUnrelatedPassword } from '../accounts/index.ts'
import { consumeResetEmail } from '../login-throttle/index.ts'
import {
  type AuthDeps,
  type Client,
  type Cookies,
  headersOf,
  throwIfRefused,
} from './better-auth/better-auth.ts'
import { resetSeconds } from './better-auth/options.ts'
import { inAuthTransaction } from './better-auth/transaction.ts'
import { updateVerified } from './identity-provider/sql.ts'
import { deleteResetLinks, deleteTokens, resetLinkPrefix } from './sql.ts'

/** How people change and reset their passwords. */
export interface Passwords {
  /** Ends all other sessions. Throws `validation_failed` when the current password is wrong. */
  changePassword(client: Client, input: { current: string; next: string }): Promise<Cookies>
  /** Sends a link if the address has an account, at most 3 an hour; earlier links stop working. Logs errors. A response does not wait for it, because its time would show whether there is an account. */
  requestReset(email: string): Promise<void>
  /** The token of a link for a new password. The entry in the audit log of the actor's team names `subject`. */
  createResetToken(ctx: Context, input: { accountId: string; subject: string }): Promise<string>
  /** Throws `not_found` unless the token still opens the page for a new password. */
  requireResetToken(token: string): Promise<void>
  /** Sets the password and ends all sessions. Throws `not_found` for a link that was used or is too old. */
  resetPassword(
    client: Pick<Client, 'address'>,
    input: { token: string; next: string },
  ): Promise<void>
}

/** Creates the functions for passwords. */
export function createPasswords(deps: AuthDeps): Passwords {
  return {
    changePassword: (client, input) => changePassword(deps, client, input),
    async requestReset(email) {
      const address = v.safeParse(v.pipe(v.string(), v.trim(), v.email()), email)
      if (!address.success) return
      try {
        await sendResetLink(deps, address.output.toLowerCase())
      } catch (err) {
        deps.log.error({ err }, 'no link for a new password was sent')
      }
    },
    createResetToken: (ctx, input) => createResetToken(deps, ctx, input),
    async requireResetToken(token) {
      await requireResetAccountId(deps, token)
    },
    resetPassword: (client, input) => resetPassword(deps, client, input),
  }
}

async function changePassword(
  deps: AuthDeps,
  client: Client,
  { current, next }: { current: string; next: string },
): Promise<Cookies> {
  const { api } = await deps.auth()
  return await inAuthTransaction(deps, async (txDeps) => {
    const { sql } = txDeps
    const session = await api.getSession({ headers: headersOf(client) })
    if (session) requireUnrelatedPassword(next, session.user)
    const { headers, response } = await throwIfRefused(
      ['INVALID_PASSWORD'],
      invalidField('/current', 'the current password is wrong'),
      api.changePassword({
        body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
        headers: headersOf(client),
        returnHeaders: true,
      }),
    )
    const { address } = client
    const accountId = response.user.id
    await deleteTokens(sql, accountId)
    await recordAccountChange({ ...txDeps, accountId, address }, { change: 'password_changed' })
    return deps.cookiesIn(headers)
  })
}

async function sendResetLink(deps: AuthDeps, email: string): Promise<void> {
  const account = await findAccount(deps, email)
  if (!account || !(await consumeResetEmail(deps, email))) return
  const token = await inAuthTransaction(deps, (txDeps) => replaceResetToken(txDeps, account.id))
  await deps.sendReset(account, token)
}

async function createResetToken(
  { auth, emailQueue }: AuthDeps,
  ctx: Context,
  { accountId, subject }: { accountId: string; subject: string },
): Promise<string> {
  return await inAuthTransaction({ ...ctx, auth, emailQueue }, async (txCtx) => {
    // An admin who has seen the link can have chosen the password.
    if (ctx.actor.kind === 'member') await updateVerified(txCtx.sql, accountId, false)
    const token = await replaceResetToken(txCtx, accountId)
    await recordChangeByAdmin(txCtx, { change: 'password_link_made', accountId, subject })
    return token
  })
}

/** Creates a link for a new password in place of the earlier ones of the account. */
async function replaceResetToken(
  { auth, sql, now }: Pick<AuthDeps, 'auth' | 'now'> & { sql: Tx },
  accountId: string,
): Promise<string> {
  const { internalAdapter } = await (await auth()).$context
  const token = newLinkToken()
  const at = now()
  await deleteResetLinks(sql, accountId)
  await internalAdapter.createVerificationValue({
    id: newId(resetLinkPrefix, at),
    identifier: resetIdentifier(token),
    value: accountId,
    expiresAt: new Date(at.getTime() + resetSeconds * 1000),
  })
  return token
}

async function resetPassword(
  deps: AuthDeps,
  { address }: Pick<Client, 'address'>,
  { token, next }: { token: string; next: string },
): Promise<void> {
  const { api } = await deps.auth()
  await inAuthTransaction(deps, async (txDeps) => {
    const { sql } = txDeps
    const accountId = await requireResetAccountId(deps, token)
    const account = await findAccountById({ sql }, accountId)
    if (account) requireUnrelatedPassword(next, account)
    await throwIfRefused(
      ['INVALID_TOKEN'],
      usedLinkError(),
      api.resetPassword({ body: { newPassword: next, token } }),
    )
    await deleteTokens(sql, accountId)
    await recordAccountChange({ ...txDeps, accountId, address }, { change: 'password_reset' })
  })
}

/** The account whose password the token resets. Throws `not_found` for a link that was used or is too old. */
async function requireResetAccountId({ auth, now }: AuthDeps, token: string): Promise<string> {
  const { internalAdapter } = await (await auth()).$context
  const found = await internalAdapter.findVerificationValue(resetIdentifier(token))
  if (!found || found.expiresAt <= now()) throw usedLinkError()
  return found.value
}

/** The identifier under which better-auth stores a link for a new password. */
const resetIdentifier = (token: string) => `reset-password:${token}`

function usedLinkError(): AppError {
  return new AppError('not_found', 'This link was used or has expired. Request a new one.')
}
