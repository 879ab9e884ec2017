import type { Context } from '../../../lib/context.ts'
import { notFound } from '../../../lib/errors.ts'
import {
  type ChangeEmails,
  recordAccountChange,
  recordChangeByAdmin,
} from '../../account-emails/index.ts'
import type { AccountContext } from '../../accounts/index.ts'
import { inAuthTransaction } from '../better-auth/transaction.ts'
import {
  deletePasskey,
  deleteSecondFactors,
  deleteSessions,
  unverifyAuthenticator,
  updateTwoFactorEnabled,
} from '../sql.ts'
import { findWithSecondFactor } from './list.ts'

/** Removes the authenticator app of the account. */
export async function removeAuthenticator(ctx: AccountContext & ChangeEmails): Promise<void> {
  await inAuthTransaction(ctx, async (txCtx) => {
    await unverifyAuthenticator(txCtx.sql, txCtx.accountId)
    await updateTwoFactorEnabled(txCtx.sql, txCtx.accountId)
    await recordAccountChange(txCtx, { change: 'authenticator_removed' })
  })
}

/** Removes a passkey of the account. Throws `not_found`, also for the passkey of another account. */
export async function removePasskey(ctx: AccountContext & ChangeEmails, id: string): Promise<void> {
  await inAuthTransaction(ctx, async (txCtx) => {
    const removed = await deletePasskey(txCtx.sql, txCtx.accountId, id)
    if (!removed) throw notFound('This passkey')
    await updateTwoFactorEnabled(txCtx.sql, txCtx.accountId)
    await recordAccountChange(txCtx, { change: 'passkey_removed', detail: removed.name })
  })
}

/**
 * Removes all second factors of an account and ends its sessions, for somebody who has lost theirs. The
 * entry in the audit log of the actor's team names `subject`. Returns false, and changes nothing, for an
 * account without a second factor.
 */
export async function resetSecondFactor(
  ctx: Context & ChangeEmails,
  { accountId, subject }: { accountId: string; subject: string },
): Promise<boolean> {
  return await inAuthTransaction(ctx, async (txCtx) => {
    const withSecondFactor = await findWithSecondFactor(txCtx, [accountId])
    if (!withSecondFactor.has(accountId)) return false
    await deleteSecondFactors(txCtx.sql, accountId)
    await updateTwoFactorEnabled(txCtx.sql, accountId)
    await deleteSessions(txCtx.sql, accountId)
    await recordChangeByAdmin(txCtx, { change: 'second_factor_reset', accountId, subject })
    return true
  })
}
