import { inTransaction, type ServiceContext } from '../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { type AccountContext, recordAccountAudit } from '../accounts/index.ts'
import {
  deleteEnded,
  deleteOtherSessions,
  deleteSession,
  deleteSessions,
  type OpenSession,
} from './sql.ts'

/**
 * Ends one session of the account and returns it. `nameOf` gives its name in the audit log. Throws
 * `not_found`, also for the session of another account.
 */
export async function endSession(
  ctx: AccountContext,
  { id, nameOf }: { id: string; nameOf(session: OpenSession): string },
): Promise<OpenSession> {
  return await inTransaction(ctx, async (txCtx) => {
    const ended = await deleteSession(txCtx.sql, txCtx.accountId, id)
    if (!ended) throw notFound('This session')
    await recordAccountAudit(txCtx, 'session_ended', nameOf(ended))
    return ended
  })
}

/** Ends all sessions of the account except one. */
export async function endOtherSessions(ctx: AccountContext, exceptId: string): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    await deleteOtherSessions(txCtx.sql, txCtx.accountId, exceptId)
    await recordAccountAudit(txCtx, 'signed_out_elsewhere')
  })
}

/** Ends every session of an account. */
export async function endSessions({ sql }: { sql: Sql | Tx }, accountId: string): Promise<void> {
  await withDeadline(deleteSessions(sql, accountId))
}

/** Deletes the sessions and the links for a new password that have ended. */
export async function purgeEndedSessions({ sql, now }: ServiceContext): Promise<void> {
  await deleteEnded(sql, now())
}
