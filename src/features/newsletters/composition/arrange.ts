import type { Newsletter } from '../../../contract/newsletters/newsletter.ts'
import { inTransaction, type LinkContext } from '../../../lib/context.ts'
import { invalidField } from '../../../lib/errors.ts'
import type { ExpectedVersions } from '../../../lib/versions.ts'
import { reloadNewsletter } from '../get.ts'
import { lockEditableNewsletter } from '../update.ts'
import { saveBlocksChange } from './blocks.ts'
import { selectNewsletterBlocks, updatePositions } from './blocks-sql.ts'
import { selectElements, updateElementPositions } from './elements-sql.ts'

/**
 * Puts the blocks and the elements of a newsletter into one order and returns the newsletter. Throws
 * `not_found`, `newsletter_sent`, `version_mismatch`, and `validation_failed` unless `ids` name each
 * block and each element once.
 */
export async function arrangeNewsletter(
  ctx: LinkContext,
  { id, ids, expected }: { id: string; ids: readonly string[]; expected: ExpectedVersions },
): Promise<Newsletter> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const { sql } = txCtx
    const newsletter = await lockEditableNewsletter(txCtx, { id, expected })
    const blocks = await selectNewsletterBlocks(sql, teamId, id)
    const elements = await selectElements(sql, teamId, id)
    const blockIds = new Set(blocks.map((block) => block.id))
    requireSameSet(ids, [...blockIds, ...elements.map((element) => element.id)])
    let before_position = 1
    const positions: { id: string; before_position: number }[] = []
    for (const one of ids) {
      if (blockIds.has(one)) before_position++
      else positions.push({ id: one, before_position })
    }
    await updatePositions(
      sql,
      teamId,
      id,
      ids.filter((one) => blockIds.has(one)),
    )
    await updateElementPositions(sql, teamId, id, positions)
    await saveBlocksChange(txCtx, { newsletter, at: txCtx.now() })
    return await reloadNewsletter(txCtx, id)
  })
}

function requireSameSet(ids: readonly string[], existing: readonly string[]): void {
  const named = new Set(ids)
  const isSame =
    ids.length === existing.length &&
    named.size === ids.length &&
    existing.every((one) => named.has(one))
  if (isSame) return
  const message = `ids must name each of the newsletter's ${existing.length} blocks and elements once, and nothing else`
  throw invalidField('/ids', message, 'not_the_set')
}
