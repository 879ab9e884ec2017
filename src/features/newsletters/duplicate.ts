import type { NewNewsletter } from '../../contract/newsletters/input.ts'
import type { Newsletter } from '../../contract/newsletters/newsletter.ts'
import { inTransaction, type LinkContext, type TxContext } from '../../lib/context.ts'
import { newId } from '../../lib/ids.ts'
import { saveBlocksChange, started } from './composition/blocks.ts'
import { insertNewsletterBlocks, lockExistingBlocks } from './composition/blocks-sql.ts'
import { insertElement } from './composition/elements-sql.ts'
import { createNewsletter } from './create.ts'
import { getNewsletter, reloadNewsletter } from './get.ts'
import { lockEditableNewsletter } from './update.ts'

interface Duplication {
  /** The newsletter that is duplicated. */
  id: string
  /** What the new one has in place of the original's. */
  changes: NewNewsletter
  /** False: only the elements are copied, in their order. */
  withBlocks: boolean
}

/**
 * Creates a newsletter with the texts, blocks and elements of another one, also of one that was sent, but
 * without its date. Blocks that were deleted since are left out. Throws `not_found`, and `validation_failed`
 * for an unknown template.
 */
export async function duplicateNewsletter(
  ctx: LinkContext,
  { id, changes, withBlocks }: Duplication,
): Promise<Newsletter> {
  return await inTransaction(ctx, async (txCtx) => {
    const original = await getNewsletter(txCtx, id)
    const { subject_line, preheader_text, template_slug, intro, closing } = original
    const { cover_image_url, cover_image_alt, cover_focal_x, cover_focal_y, cover_color } = original
    const copy = await createNewsletter(txCtx, {
      subject_line,
      preheader_text,
      template_slug,
      intro,
      closing,
      cover_image_url,
      cover_image_alt,
      cover_focal_x,
      cover_focal_y,
      cover_color,
      table_of_contents: original.table_of_contents,
      scheduled_date: null,
      ...changes,
    })
    const blocks = withBlocks ? original.blocks : []
    await copyContent(txCtx, { ...original, blocks }, copy.id)
    return await reloadNewsletter(txCtx, copy.id)
  })
}

async function copyContent(
  ctx: TxContext<LinkContext>,
  { blocks, elements }: Newsletter,
  id: string,
): Promise<void> {
  const { sql, actor } = ctx
  const at = ctx.now()
  const blockIds = blocks.map(({ content_block }) => content_block.id)
  const existing = new Set(await lockExistingBlocks(sql, actor.teamId, blockIds))
  const copied = blocks.filter(({ content_block }) => existing.has(content_block.id))
  if (copied.length === 0 && elements.length === 0) return
  const newsletter = await lockEditableNewsletter(ctx, { id, expected: null })
  const rows = copied.map(({ content_block }, index) => ({
    id: newId('nb', at),
    content_block_id: content_block.id,
    position: index + 1,
  }))
  if (rows.length > 0) await insertNewsletterBlocks(sql, actor.teamId, id, rows)
  for (const element of elements) {
    const before = copied.filter(({ position }) => position < element.before_position).length
    const row = { ...element, id: newId('ne', at), before_position: before + 1, created_at: at }
    await insertElement(sql, actor.teamId, id, row)
  }
  await saveBlocksChange(ctx, {
    newsletter: rows.length > 0 ? started(newsletter) : newsletter,
    at,
  })
}
