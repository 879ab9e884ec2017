import type { BlockStatus } from '../../contract/vocabulary.ts'
import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, transaction } from '../../lib/db.ts'
import { updateStatuses } from './sql.ts'

/**
 * Marks drafts of a team as ready, or ready blocks as drafts, and returns how many of them have the
 * status now. Blocks that do not exist, or whose status does not allow it, stay as they are.
 */
export async function reviewBlocks(
  { sql, now }: { sql: Sql | Tx; now: Now },
  { teamId, ids, status }: { teamId: string; ids: readonly string[]; status: 'draft' | 'ready' },
): Promise<number> {
  const from: readonly BlockStatus[] =
    status === 'ready' ? ['draft', 'used', 'ready'] : ['ready', 'draft']
  return await transaction(sql, (tx) =>
    updateStatuses(tx, teamId, { ids, from, status, at: now() }),
  )
}
