import type { TxContext } from '../../../lib/context.ts'
import { selectElements, updateElementPositions } from './elements-sql.ts'

/** Keeps the elements where they are between the blocks when a block is added or removed at a position. */
export async function shiftElements(
  { sql, actor: { teamId } }: TxContext,
  { id, position, by }: { id: string; position: number; by: 1 | -1 },
): Promise<void> {
  const elements = await selectElements(sql, teamId, id)
  if (elements.length === 0) return
  const positions = elements.map((element) => ({
    id: element.id,
    before_position: element.before_position + (element.before_position > position ? by : 0),
  }))
  await updateElementPositions(sql, teamId, id, positions)
}
