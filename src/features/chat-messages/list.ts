import { daysBefore } from '../../lib/clock.ts'
import {
  type Context,
  inTransaction,
  type ReadContext,
  type ServiceContext,
} from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { recordAudit } from '../audit-log/index.ts'
import type { ChatMessage } from './attempt.ts'
import { sendMessageJob } from './send-jobs.ts'
import { deleteMessagesBefore, reopenMessage, selectMessages } from './sql.ts'

/** The messages of a connection, newest first. */
export async function listMessages(
  { sql, actor }: ReadContext,
  { connectionId, before, limit }: { connectionId: string; before: string | null; limit: number },
): Promise<ChatMessage[]> {
  return await withDeadline(selectMessages(sql, actor.teamId, connectionId, { before, limit }))
}

/**
 * Sends a message again that failed, or of which nobody knows whether it was sent. Returns its connection.
 * Throws `not_found` for a message in another state.
 */
export async function retryMessage(
  ctx: Context & { queue: JobQueue },
  { id }: { id: string },
): Promise<{ connectionId: string }> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const row = await reopenMessage(txCtx.sql, teamId, id)
    if (!row) throw notFound('The message')
    const data = { teamId, messageId: id }
    await txCtx.queue.add(txCtx.sql, sendMessageJob, data, row.connection_id)
    await recordAudit(txCtx, 'chat_message_retried', `${row.kind} to ${row.recipient}`)
    return { connectionId: row.connection_id }
  })
}

const retentionDays = 90

/** Deletes messages after 90 days. */
export async function purgeChatMessages({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await deleteMessagesBefore(sql, before)
}
