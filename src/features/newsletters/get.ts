import type { Newsletter } from '../../contract/newsletter.ts'
import type { Context, TxContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/db.ts'
import { type NewsletterBlockRow, selectNewsletterBlocks } from './blocks-sql.ts'
import { summaryOf } from './list.ts'
import { type NewsletterRow, selectNewsletter } from './sql.ts'
import { missingNewsletter } from './transitions.ts'

/** A stored newsletter and its blocks in the format of the contract. */
export function toNewsletter(row: NewsletterRow, rows: readonly NewsletterBlockRow[]): Newsletter {
  const blocks = rows.map(({ id, position, content_block }) => ({ id, position, content_block }))
  return { ...summaryOf({ ...row, blocks_count: blocks.length }), blocks }
}

interface ReadNewsletter {
  newsletter: Newsletter
  /** True when a block changed after the newsletter itself: then the version does not identify it. */
  blocksChanged: boolean
}

/** One newsletter of a team. Throws `not_found`, also for another team's newsletter. */
export async function getNewsletter(
  { sql, actor: { teamId } }: Context,
  id: string,
): Promise<ReadNewsletter> {
  const [row, blocks] = await withDeadline(
    Promise.all([selectNewsletter(sql, teamId, id), selectNewsletterBlocks(sql, teamId, id)]),
  )
  if (!row) throw missingNewsletter()
  const blocksChanged = blocks.some(({ changed_at: at }) => at !== null && at > row.updated_at)
  return { newsletter: toNewsletter(row, blocks), blocksChanged }
}

/** Throws `not_found` unless the team has this newsletter. */
export async function requireNewsletter({ sql, actor }: Context, id: string): Promise<void> {
  if (!(await withDeadline(selectNewsletter(sql, actor.teamId, id)))) throw missingNewsletter()
}

/** A newsletter as it is stored now, within a transaction. */
export async function reloadNewsletter(
  { sql, actor: { teamId } }: TxContext,
  id: string,
): Promise<Newsletter> {
  const row = await selectNewsletter(sql, teamId, id)
  if (!row) throw missingNewsletter()
  return toNewsletter(row, await selectNewsletterBlocks(sql, teamId, id))
}
