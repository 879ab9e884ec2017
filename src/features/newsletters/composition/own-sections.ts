import { type Context, inTransaction } from '../../../lib/context.ts'
import { newId } from '../../../lib/ids.ts'
import { getTeamDetails } from '../../teams/index.ts'
import { getTemplate, inLanguage } from '../../templates/index.ts'
import { type Section, sectionsOf } from '../rendering/sections/template-sections.ts'
import { textsIn } from '../rendering/texts.ts'
import { lockEditableNewsletter } from '../update.ts'
import { saveBlocksChange } from './blocks.ts'
import { selectNewsletterBlocks, updatePositions } from './blocks-sql.ts'
import { insertElement, selectElements } from './elements-sql.ts'

/**
 * The blocks of a newsletter in the sections of its template, with the headings that readers see; empty
 * sections are left out.
 */
export async function groupBySection<Block extends { block_type: string }>(
  ctx: Context,
  { template_slug, blocks }: { template_slug: string; blocks: readonly Block[] },
): Promise<Section<Block>[]> {
  const { language } = await getTeamDetails(ctx, null)
  const { sections } = inLanguage(await getTemplate(ctx, template_slug), language)
  return sectionsOf(sections, blocks, textsIn(language).moreNews)
}

/**
 * Makes the sections of the template a newsletter's own, so that their headings and order can be
 * changed: it looks the same afterwards. Does nothing for a newsletter that has elements or no blocks.
 * Throws `not_found`, `newsletter_sent`.
 */
export async function adoptSections(ctx: Context, { id }: { id: string }): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const newsletter = await lockEditableNewsletter(txCtx, { id, expected: null })
    const { sql } = txCtx
    if ((await selectElements(sql, teamId, id)).length > 0) return
    const rows = await selectNewsletterBlocks(sql, teamId, id)
    const blocks = rows.map((row) => ({ id: row.id, block_type: row.content_block.block_type }))
    const filled = await groupBySection(txCtx, { template_slug: newsletter.template_slug, blocks })
    if (filled.length === 0) return
    const at = txCtx.now()
    let before_position = 1
    for (const { title, blocks: own } of filled) {
      await insertElement(sql, teamId, id, {
        id: newId('ne', at),
        type: 'section',
        before_position,
        created_at: at,
        heading: title,
        body: null,
        options: null,
      })
      before_position += own.length
    }
    const order = filled.flatMap((section) => section.blocks.map((block) => block.id))
    await updatePositions(sql, teamId, id, order)
    await saveBlocksChange(txCtx, { newsletter, at })
  })
}
