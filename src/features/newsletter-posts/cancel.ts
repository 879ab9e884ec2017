import { inTransaction, type LinkContext } from '../../lib/context.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { getNewsletter } from '../newsletters/index.ts'
import type { PostTarget } from './create.ts'
import { deleteWaitingPost } from './sql.ts'

/** Cancels a post that waits for its time, or for its next attempt. Throws `not_found` when there is none. */
export async function cancelPost(
  ctx: LinkContext,
  { newsletterId, ...to }: PostTarget,
): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const { title } = await getNewsletter(txCtx, newsletterId)
    const key = { newsletterId, ...to }
    if (!(await deleteWaitingPost(txCtx.sql, ctx.actor.teamId, key))) throw notFound('The post')
    await recordAudit(txCtx, 'newsletter_post_cancelled', title)
  })
}
