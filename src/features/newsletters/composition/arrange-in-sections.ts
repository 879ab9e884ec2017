import type { TxContext } from '../../../lib/context.ts'
import { getSectionOrder } from '../rendering/previews/newsletter.ts'
import type { NewsletterRow } from '../sql.ts'
import { type NewsletterBlockRow, selectNewsletterBlocks, updatePositions } from './blocks-sql.ts'
import { selectElements, updateElementPositions } from './elements-sql.ts'

/**
 * Puts the `added` last blocks of a newsletter with elements each after the last block of its section of the template;
 * blocks of other sections stay at the end. Without elements, a newsletter shows the sections of its template anyway.
 * Returns the ids of all blocks in their order.
 */
export async function arrangeInSections(
  ctx: TxContext,
  { newsletter, added }: { newsletter: NewsletterRow; added: number },
): Promise<string[]> {
  const { sql } = ctx
  const { team_id: teamId, id } = newsletter
  const blocks = await selectNewsletterBlocks(sql, teamId, id)
  const elements = await selectElements(sql, teamId, id)
  if (elements.length === 0) return blocks.map((block) => block.id)
  const order = await getSectionOrder(ctx, newsletter)
  const sectionOf = ({ content_block }: NewsletterBlockRow) => order(content_block.block_type)
  const earlier = blocks.slice(0, -added)
  const inSections = [...earlier]
  const atEnd: NewsletterBlockRow[] = []
  for (const block of blocks.slice(-added)) {
    const last = inSections.findLastIndex((one) => sectionOf(one) === sectionOf(block))
    if (last === -1) atEnd.push(block)
    else inSections.splice(last + 1, 0, block)
  }
  // An element stays before its block, and one at the end before the blocks that are added there.
  const positions = elements.map((element) => {
    const next = earlier[element.before_position - 1]
    const before_position = (next ? inSections.indexOf(next) : inSections.length) + 1
    return { id: element.id, before_position }
  })
  const ids = [...inSections, ...atEnd].map((block) => block.id)
  await updatePositions(sql, teamId, id, ids)
  await updateElementPositions(sql, teamId, id, positions)
  return ids
}
