import type { NewsletterStatus } from '../../contract/vocabulary.ts'
import type { ReadContext } from '../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'
import { wordsOf } from '../../lib/text/words.ts'

/** A newsletter as a search shows it. */
export interface FoundNewsletter {
  id: string
  title: string
  status: NewsletterStatus
}

const searchedNewsletters = 1000

/** The newest newsletters whose title or subject contains these words, among the newest 1,000. */
export async function searchNewsletters(
  { sql, actor }: ReadContext,
  { text, limit }: { text: string; limit: number },
): Promise<FoundNewsletter[]> {
  return await withDeadline(selectNewslettersByTitle(sql, actor.teamId, text, limit))
}

const selectNewslettersByTitle = async (
  sql: Sql | Tx,
  teamId: string,
  text: string,
  limit: number,
): Promise<FoundNewsletter[]> =>
  await sql<FoundNewsletter[]>`
    select id, title, status from (
      select id, title, status, subject_line from newsletters
      where team_id = ${teamId} order by id desc limit ${searchedNewsletters}
    ) newest
    where not exists (
      select from unnest(${wordsOf(text)}::text[]) as words (word)
      where strpos(lower(title || ' ' || coalesce(subject_line, '')), lower(word)) = 0
    )
    order by id desc limit ${limit}`
