import { inTransaction, type LinkContext } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { JobQueue, JobType } from '../../lib/queue/index.ts'
import { recordAudit } from '../audit-log/index.ts'
import { getNewsletter } from '../newsletters/index.ts'
import { upsertPost } from './sql.ts'

/** Posts one newsletter to one channel. */
export const postJob: JobType = {
  name: 'post-newsletter',
  retryLimit: 8,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 60,
}

interface PostRequest {
  newsletterId: string
  /** The connection through which it is posted, to the channel in its settings. */
  connectionId: string
}

/**
 * Stores that a sent newsletter is posted to the channel of a connection, and the job for it. A
 * newsletter is posted once to each channel: this can be repeated only after a failure. Throws
 * `not_found`, and `invalid_transition` for a newsletter that is not sent or is posted already.
 */
export async function postNewsletter(
  ctx: LinkContext & { queue: JobQueue },
  { newsletterId, connectionId }: PostRequest,
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (within) => {
    const { sql, now, queue } = within
    const newsletter = await getNewsletter(within, newsletterId)
    if (newsletter.status !== 'sent') {
      throw new AppError('invalid_transition', 'Mark the newsletter as sent first. Then post it.')
    }
    const id = await upsertPost(sql, {
      id: newId('np', now()),
      team_id: teamId,
      newsletter_id: newsletterId,
      connection_id: connectionId,
      created_at: now(),
    })
    if (id === undefined) {
      throw new AppError('invalid_transition', 'The newsletter is posted there already.')
    }
    await queue.add(sql, postJob, { teamId, postId: id })
    await recordAudit(within, 'newsletter_posted', newsletter.title)
  })
}
