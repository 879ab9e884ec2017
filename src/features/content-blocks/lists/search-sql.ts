import type { BlockStatus, BlockType } from '../../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../../lib/database/db.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** A block as a search shows it. */
export interface FoundBlock {
  id: string
  title: string
  status: BlockStatus
  block_type: BlockType
}

const searchedBlocks = 1000
// Reading the words of a block takes much longer than reading its title.
const searchedTexts = 200

/**
 * The newest blocks of a team: first those among its newest 1,000 whose title contains all words, then those among
 * its newest 200 that contain all words of the text, of which the last can be the beginning of one.
 */
export async function selectNewestBlocks(
  sql: Sql | Tx,
  teamId: string,
  { text, limit }: { text: string; limit: number },
): Promise<FoundBlock[]> {
  return await sql<FoundBlock[]>`
    with wanted as materialized (
      -- The query ends with its last lexeme, which becomes a prefix.
      select case when numnode(query) > 0 then (query::text || ':*')::tsquery end as query
      from (select search_query(${text}) as query) typed
    )
    select id, title, status, block_type from (
      select id, title, status, block_type, search, row_number() over (order by id desc) as position,
        not exists (
          select from unnest(${wordsOf(text)}::text[]) as words (word)
          where strpos(lower(title), lower(word)) = 0
        ) as has_title
      from content_blocks where team_id = ${teamId} order by id desc limit ${searchedBlocks}
    ) newest, wanted
    where has_title or (position <= ${searchedTexts} and search @@ wanted.query)
    order by has_title desc, id desc limit ${limit}`
}
