import { utcDay } from '../../../lib/clock.ts'
import type { LinkContext, TxContext } from '../../../lib/context.ts'
import { markBlocksUsed } from '../../content-blocks/index.ts'
import { markSentImages } from '../../images/index.ts'
import { completeFirstSteps } from '../../teams/index.ts'
import { recordBlockVersions, saveFirstBlockVersions } from '../../versions/index.ts'
import { selectNewsletterBlocks, snapshotBlocks } from '../composition/blocks-sql.ts'
import { renderForSending } from '../rendering/previews/newsletter.ts'
import { type NewsletterRow, updateNewsletterRow } from '../sql.ts'

/**
 * Stores a newsletter as sent: stores its snapshot, keeps its images permanently, and marks its
 * blocks as used.
 */
export async function sendNewsletter(
  ctx: TxContext<LinkContext>,
  { newsletter, day }: { newsletter: NewsletterRow; day: string | undefined },
): Promise<void> {
  const { sql } = ctx
  const { team_id: teamId, id, updated_at: at } = newsletter
  const emailDay = day ?? utcDay(ctx.now())
  const snapshot = await renderForSending(ctx, { newsletter, day: emailDay })
  const isOtherDay = newsletter.scheduled_date === null && emailDay !== utcDay(at)
  await updateNewsletterRow(sql, newsletter, { ...snapshot, day: isOtherDay ? emailDay : null })
  await markSentImages(ctx, snapshot.html)
  const blocks = await selectNewsletterBlocks(sql, teamId, id)
  const ids = blocks.map(({ content_block }) => content_block.id)
  await saveFirstBlockVersions(ctx, ids)
  await markBlocksUsed(sql, teamId, ids, at)
  await recordBlockVersions(ctx, { ids })
  await snapshotBlocks(sql, teamId, id)
  await completeFirstSteps(sql, teamId, { newsletterId: id, at })
}
