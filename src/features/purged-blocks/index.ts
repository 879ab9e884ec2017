import type { ServiceContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { type BlockKey, deleteSlice } from './sql.ts'

/** Tables with rows of blocks that outlive a deletion, which can be undone, but not the purge of the block. */
type TableOfBlocks = 'block_assignments' | 'block_comments' | 'block_versions'

/** A statement that reads so many rows takes far less time than a statement may take. */
const rowsPerSlice = 10_000

/**
 * Deletes the rows of purged blocks from a table, of all teams: slice by slice, because a table can have more
 * rows than one statement can read in time.
 */
export async function deleteRowsOfPurgedBlocks(
  { sql }: ServiceContext & { sql: Sql },
  { table, rows = rowsPerSlice }: { table: TableOfBlocks; rows?: number },
): Promise<void> {
  let after: BlockKey | undefined = { team_id: '', block_id: '' }
  while (after) after = await withDeadline(deleteSlice(sql, table, { after, rows }))
}
