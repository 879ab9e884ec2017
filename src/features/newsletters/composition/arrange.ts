import type { Newsletter } from '../../../contract/newsletters/newsletter.ts'
import { inTransaction, type LinkContext } from '../../../lib/context.ts'
import { invalidField } from '../../../lib/errors.ts'
import type { ExpectedVersions } from '../../../lib/versions.ts'
import { reloadNewsletter } from '../get.ts'
import { lockEditableNewsletter } from '../update.ts'
import { saveBlocksChange } from './blocks.ts'
import { selectNewsletterBlocks, updatePositions } from './blocks-sql.ts'
import { type ElementRow, selectElements, updateElementPositions } from './elements-sql.ts'

/**
 * Puts the blocks and the elements of a newsletter into one order and returns the newsletter; the present order
 * keeps its version. Throws `not_found`, `newsletter_sent`, `version_mismatch`, and `validation_failed` unless
 * `ids` name each block and each element once.
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
    const { ordered, positions } = positionsOf(ids, blockIds)
    const isChange =
      blocks.some((block, at) => block.id !== ordered[at]) ||
      elements.some((element, at) => !isAt(element, positions[at]))
    if (isChange) {
      await updatePositions(sql, teamId, id, ordered)
      await updateElementPositions(sql, teamId, id, positions)
      await saveBlocksChange(txCtx, { newsletter, at: txCtx.now() })
    }
    return await reloadNewsletter(txCtx, id)
  })
}

type ElementPosition = Pick<ElementRow, 'id' | 'before_position'>

/** The blocks of an order, and the elements with their positions between them. */
function positionsOf(ids: readonly string[], blockIds: ReadonlySet<string>) {
  const ordered: string[] = []
  const positions: ElementPosition[] = []
  for (const id of ids) {
    if (blockIds.has(id)) ordered.push(id)
    else positions.push({ id, before_position: ordered.length + 1 })
  }
  return { ordered, positions }
}

const isAt = (element: ElementPosition, position: ElementPosition | undefined): boolean =>
  element.id === position?.id && element.before_position === position.before_position

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
