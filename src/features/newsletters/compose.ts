import type { Newsletter } from '../../contract/newsletter.ts'
import { type Composition, maxNewsletterBlocks } from '../../contract/newsletter-input.ts'
import type { Now } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db.ts'
import { newId } from '../../lib/ids.ts'
import { saveBlocksChange, started } from './blocks.ts'
import {
  insertNewsletterBlocks,
  lockAvailableBlocks,
  lockComposition,
  selectNewsletterBlocks,
} from './blocks-sql.ts'
import { reloadNewsletter } from './get.ts'
import { sectionOrder } from './preview.ts'
import { lockEditableNewsletter } from './update.ts'

/**
 * Fills a newsletter up with blocks that are ready, free of embargo and in no unsent newsletter: the
 * oldest first in, in the template's order of sections. Throws `not_found`, `newsletter_sent`.
 */
export async function composeNewsletter(
  tx: Tx,
  now: Now,
  teamId: string,
  newsletterId: string,
  { block_types, limit = maxNewsletterBlocks }: Composition,
): Promise<Newsletter> {
  const newsletter = await lockEditableNewsletter(tx, teamId, newsletterId, null)
  const { length: count } = await selectNewsletterBlocks(tx, teamId, newsletterId)
  await lockComposition(tx, teamId)
  const at = now()
  const free = await lockAvailableBlocks(tx, teamId, {
    types: block_types ?? null,
    at,
    limit: Math.min(limit, maxNewsletterBlocks - count),
  })
  if (free.length > 0) {
    const rank = await sectionOrder(tx, newsletter)
    const places = free
      .toSorted((a, b) => rank(a.block_type) - rank(b.block_type))
      .map(({ id }, n) => ({ id: newId('nb', at), content_block_id: id, position: count + n + 1 }))
    await insertNewsletterBlocks(tx, teamId, newsletterId, places)
    await saveBlocksChange(tx, started(newsletter), at)
  }
  return await reloadNewsletter(tx, teamId, newsletterId)
}
