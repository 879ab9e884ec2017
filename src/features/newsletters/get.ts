import type { Newsletter } from '../../contract/newsletter.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { type NewsletterBlockRow, selectNewsletterBlocks } from './blocks-sql.ts'
import { summaryOf } from './list.ts'
import { type NewsletterRow, selectNewsletter } from './sql.ts'
import { missingNewsletter } from './transitions.ts'

/** A stored newsletter and its places as the contract shows them. */
export function toNewsletter(
  row: NewsletterRow,
  places: readonly NewsletterBlockRow[],
): Newsletter {
  const blocks = places.map(({ id, position, content_block }) => ({ id, position, content_block }))
  return { ...summaryOf({ ...row, blocks_count: blocks.length }), blocks }
}

interface ReadNewsletter {
  newsletter: Newsletter
  /** A block changed after the newsletter itself did: its version does not tell. */
  blocksChanged: boolean
}

/** One newsletter of a team. Throws `not_found`, also for another team's newsletter. */
export async function getNewsletter(sql: Sql, teamId: string, id: string): Promise<ReadNewsletter> {
  const [row, places] = await withDeadline(
    Promise.all([selectNewsletter(sql, teamId, id), selectNewsletterBlocks(sql, teamId, id)]),
  )
  if (!row) throw missingNewsletter()
  const blocksChanged = places.some(({ changed_at: at }) => at !== null && at > row.updated_at)
  return { newsletter: toNewsletter(row, places), blocksChanged }
}

/** Throws `not_found` unless the team has this newsletter. */
export async function requireNewsletter(sql: Sql, teamId: string, id: string): Promise<void> {
  if (!(await withDeadline(selectNewsletter(sql, teamId, id)))) throw missingNewsletter()
}

/** A newsletter as it is stored now, within a transaction. */
export async function reloadNewsletter(tx: Tx, teamId: string, id: string): Promise<Newsletter> {
  const row = await selectNewsletter(tx, teamId, id)
  if (!row) throw missingNewsletter()
  return toNewsletter(row, await selectNewsletterBlocks(tx, teamId, id))
}
