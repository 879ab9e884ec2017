import { type Composition, maxNewsletterBlocks } from '../../../contract/newsletters/input.ts'
import type { Newsletter } from '../../../contract/newsletters/newsletter.ts'
import { inTransaction, type LinkContext } from '../../../lib/context.ts'
import { newId } from '../../../lib/ids.ts'
import { reloadNewsletter } from '../get.ts'
import { getSectionOrder } from '../rendering/previews/newsletter.ts'
import { lockEditableNewsletter } from '../update.ts'
import { arrangeInSections } from './arrange-in-sections.ts'
import { saveBlocksChange, started } from './blocks.ts'
import {
  insertNewsletterBlocks,
  lockAvailableBlocks,
  lockComposition,
  selectNewsletterBlocks,
} from './blocks-sql.ts'

/**
 * Adds the blocks that are ready, not under embargo and in no unsent newsletter: the oldest first, in
 * the order of the template's sections, or to the sections of a newsletter with elements. Throws
 * `not_found`, `newsletter_sent`.
 */
export async function composeNewsletter(
  ctx: LinkContext,
  { id, block_types, limit = maxNewsletterBlocks }: Composition & { id: string },
): Promise<Newsletter> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const { sql } = txCtx
    const newsletter = await lockEditableNewsletter(txCtx, { id, expected: null })
    const { length: count } = await selectNewsletterBlocks(sql, teamId, id)
    await lockComposition(sql, teamId)
    const at = txCtx.now()
    const available = await lockAvailableBlocks(sql, teamId, {
      types: block_types ?? null,
      at,
      limit: Math.min(limit, maxNewsletterBlocks - count),
    })
    if (available.length > 0) {
      const rank = await getSectionOrder(txCtx, newsletter)
      const added = available
        .toSorted((a, b) => rank(a.block_type) - rank(b.block_type))
        .map((block, index) => ({
          id: newId('nb', at),
          content_block_id: block.id,
          position: count + index + 1,
        }))
      await insertNewsletterBlocks(sql, teamId, id, added)
      await arrangeInSections(txCtx, { newsletter, added: added.length })
      await saveBlocksChange(txCtx, { newsletter: started(newsletter), at })
    }
    return await reloadNewsletter(txCtx, id)
  })
}
