import { type Context, inTransaction, type TxContext } from '../../../lib/context.ts'
import type { ExpectedVersions } from '../../../lib/versions.ts'
import { lockUsedTemplate } from '../../templates/index.ts'
import { getNewsletterVersion, type NewsletterContent } from '../../versions/index.ts'
import { saveBlocksChange } from '../composition/blocks.ts'
import {
  deleteNewsletterBlocks,
  insertNewsletterBlocks,
  lockExistingBlocks,
} from '../composition/blocks-sql.ts'
import { deleteElements, insertElement } from '../composition/elements-sql.ts'
import { withCleanTexts } from '../composition/rich-text.ts'
import { lockEditableNewsletter } from '../update.ts'

/** What of a version is not part of the newsletter again. */
export interface NotRestored {
  /** How many of its blocks were deleted since. */
  blocks: number
}

/**
 * Gives a newsletter the texts, blocks and elements of an earlier version, as its next version. Its
 * status stays as far as it fits, and an approval ends. Blocks keep their present texts; a template that
 * was deleted since stays replaced. Throws `not_found`, `newsletter_sent`, `version_mismatch`.
 */
export async function restoreNewsletterVersion(
  ctx: Context,
  { id, version, expected }: { id: string; version: number; expected: ExpectedVersions },
): Promise<NotRestored> {
  return await inTransaction(ctx, async (txCtx) => {
    const content = await getNewsletterVersion(txCtx, { id, version })
    const { status: _, blocks, elements: __, template_slug, ...fields } = content
    const hasTemplate = await lockUsedTemplate(txCtx, template_slug)
    const newsletter = await lockEditableNewsletter(txCtx, { id, expected })
    const next = {
      ...newsletter,
      ...withCleanTexts(fields),
      template_slug: hasTemplate ? template_slug : newsletter.template_slug,
    }
    const restored = await replaceContent(txCtx, id, content)
    await saveBlocksChange(txCtx, { newsletter: next, at: txCtx.now(), restored: version })
    return { blocks: blocks.length - restored }
  })
}

/** Replaces the blocks and elements of a newsletter; returns how many of the blocks still exist. */
async function replaceContent(
  { sql, actor: { teamId }, now }: TxContext,
  id: string,
  { blocks, elements }: NewsletterContent,
): Promise<number> {
  const ids = blocks.map((block) => block.content_block_id)
  const existing = new Set(await lockExistingBlocks(sql, teamId, ids))
  const positioned = blocks.map((block, index) => ({ ...block, before: index + 1 }))
  const kept = positioned.filter((block) => existing.has(block.content_block_id))
  await deleteNewsletterBlocks(sql, teamId, id)
  await deleteElements(sql, teamId, id)
  const rows = kept.map((block, index) => ({
    id: block.id,
    content_block_id: block.content_block_id,
    position: index + 1,
  }))
  if (rows.length > 0) await insertNewsletterBlocks(sql, teamId, id, rows)
  const created_at = now()
  for (const element of elements) {
    const before = kept.filter((block) => block.before < element.before_position).length
    await insertElement(sql, teamId, id, { ...element, before_position: before + 1, created_at })
  }
  return kept.length
}
