import type { Sql, Tx } from '../../lib/database/db.ts'

export interface BlockKey {
  team_id: string
  block_id: string
}

/**
 * Reads the next rows of a table in the order of their blocks, and deletes all rows of those blocks that exist
 * neither in the library nor in the trash. Returns the last block; undefined when there is no further row.
 */
export async function deleteSlice(
  sql: Sql | Tx,
  table: string,
  { after, rows }: { after: BlockKey; rows: number },
): Promise<BlockKey | undefined> {
  const [last] = await sql<BlockKey[]>`
    with slice as materialized (
      select team_id, block_id from ${sql(table)}
      where (team_id, block_id) > (${after.team_id}, ${after.block_id})
      order by team_id, block_id limit ${rows}
    ), purged as materialized (
      select distinct s.team_id, s.block_id from slice s
      where not exists (select from content_blocks b where b.team_id = s.team_id and b.id = s.block_id)
        and not exists (select from trashed_blocks b where b.team_id = s.team_id and b.id = s.block_id)
    ), deleted as (
      delete from ${sql(table)} t using purged p where t.team_id = p.team_id and t.block_id = p.block_id
    )
    select team_id, block_id from slice order by team_id desc, block_id desc limit 1`
  return last
}
