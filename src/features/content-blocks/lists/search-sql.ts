import type { BlockStatus, BlockType } from '../../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../../lib/database/db.ts'

/** A block as a search shows it. */
export interface FoundBlock {
  id: string
  title: string
  status: BlockStatus
  block_type: BlockType
}

const searchedBlocks = 1000

/** The newest blocks of a team whose title contains this text, among its newest 1,000. */
export async function selectBlocksByTitle(
  sql: Sql | Tx,
  teamId: string,
  { text, limit }: { text: string; limit: number },
): Promise<FoundBlock[]> {
  return await sql<FoundBlock[]>`
    select id, title, status, block_type from (
      select id, title, status, block_type from content_blocks
      where team_id = ${teamId} order by id desc limit ${searchedBlocks}
    ) newest
    where strpos(lower(title), lower(${text})) > 0 order by id desc limit ${limit}`
}
