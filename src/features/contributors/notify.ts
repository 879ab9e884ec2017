import { type Context, inTransaction } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { sendMessages } from '../chat-messages/index.ts'
import { selectUnnotified } from './sql.ts'

const perRun = 200

/**
 * Stores a message to every contributor of the newsletters that were sent in a period: one for each person
 * and newsletter. Returns how many there are; up to 200 in one call.
 */
export async function notifyContributors(
  ctx: Context & { queue: JobQueue },
  { connectionId, from, until }: { connectionId: string; from: Date; until: Date },
): Promise<number> {
  const { teamId } = ctx.actor
  const period = { from, until, limit: perRun }
  const rows = await withDeadline(selectUnnotified(ctx.sql, teamId, connectionId, period))
  if (rows.length === 0) return 0
  const messages = rows.map(({ newsletter_id: subject, user_id: recipient }) => ({
    connectionId,
    kind: 'published' as const,
    recipient,
    subject,
  }))
  return await inTransaction(ctx, async (txCtx) => (await sendMessages(txCtx, messages)).length)
}
