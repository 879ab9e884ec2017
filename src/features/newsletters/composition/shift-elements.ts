import type { TxContext } from '../../../lib/context.ts'
import { selectElements, updateElementPositions } from './elements-sql.ts'

/**
 * Keeps the elements where they are between the blocks when a block is added or removed at a position. A block
 * that is added before an element there is after the elements above this one.
 */
export async function shiftElements(
  { sql, actor: { teamId } }: TxContext,
  { id, position, by, before }: { id: string; position: number; by: 1 | -1; before?: string },
): Promise<void> {
  const elements = await selectElements(sql, teamId, id)
  const first = elements.findIndex((one) => one.id === before || one.before_position > position)
  if (first === -1) return
  const positions = elements.map((element, index) => ({
    id: element.id,
    before_position: element.before_position + (index >= first ? by : 0),
  }))
  await updateElementPositions(sql, teamId, id, positions)
}
