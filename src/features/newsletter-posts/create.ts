import { dayMs } from '../../lib/clock.ts'
import { inTransaction, type LinkContext } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { JobQueue, JobType } from '../../lib/queue/index.ts'
import { recordAudit } from '../audit-log/index.ts'
import { chatRetries } from '../chat-messages/index.ts'
import { lockSentNewsletter } from '../newsletters/index.ts'
import { upsertPost } from './sql.ts'

/** Posts one newsletter to one channel: retried for about nine hours. */
export const postJob: JobType = {
  name: 'post-newsletter',
  ...chatRetries,
  retryDelay: 5,
}

/** A newsletter, and the channel to which it is posted. */
export interface PostTarget {
  newsletterId: string
  /** The connection through which it is posted, and the channel; empty for the only one of its settings. */
  connectionId: string
  channel: string
}

/** A longer time is probably a mistake. */
const maxDays = 60

/**
 * Stores that a sent newsletter is posted to a channel of a connection, at once or at a time, and the job for it. A
 * newsletter is posted once to each channel: this can be repeated only after a failure. Throws
 * `not_found`, `validation_failed` for a time that is not within the next 60 days, and `invalid_transition` for a newsletter that is not sent or is posted already.
 */
export async function createPost(
  ctx: LinkContext & { queue: JobQueue },
  { newsletterId, connectionId, channel, at }: PostTarget & { at: Date | null },
): Promise<void> {
  const { teamId } = ctx.actor
  if (at !== null) requireSoon(at, ctx.now())
  await inTransaction(ctx, async (txCtx) => {
    const { sql, now, queue } = txCtx
    const { title } = await lockSentNewsletter(txCtx, newsletterId)
    const id = await upsertPost(sql, {
      id: newId('np', now()),
      team_id: teamId,
      newsletter_id: newsletterId,
      connection_id: connectionId,
      channel,
      created_at: now(),
      scheduled_at: at,
    })
    if (id === undefined) {
      throw new AppError('invalid_transition', 'The newsletter is posted there already.')
    }
    const job = { teamId, postId: id }
    if (at === null) await queue.add(sql, postJob, job, connectionId)
    else await queue.addAt(sql, postJob, job, { at, group: connectionId })
    const kind = at === null ? 'newsletter_posted' : 'newsletter_post_scheduled'
    await recordAudit(txCtx, kind, title)
  })
}

function requireSoon(at: Date, now: Date): void {
  const inMs = at.getTime() - now.getTime()
  if (inMs > 0 && inMs <= maxDays * dayMs) return
  throw new AppError('validation_failed', 'Choose a time within the next 60 days.')
}
