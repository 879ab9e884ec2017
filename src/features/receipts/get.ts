import type { ReadContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { firstVersion } from '../../lib/versions.ts'
import { type ReceiptRow, selectReceipt, selectReceiptsOf } from './sql.ts'

/**
 * What happened to the news: it waits for review (`waiting`), an editor has approved it (`approved`), it is
 * in a newsletter that is being prepared (`in_newsletter`), it was sent in a newsletter (`published`), its
 * sender has withdrawn it (`withdrawn`), or its block was deleted (`not_used`).
 */
export type ReceiptState =
  | 'waiting'
  | 'approved'
  | 'in_newsletter'
  | 'published'
  | 'withdrawn'
  | 'not_used'

/** What the sender of news sees. */
export interface Receipt {
  teamId: string
  teamName: string
  blockId: string
  /** Null once the block is deleted. The list of a person's own items has it while the block is in the trash. */
  title: string | null
  state: ReceiptState
  /** Whether the block has been changed or reviewed since it was created. */
  isChanged: boolean
  /** When the newsletter with it was sent. */
  publishedAt: Date | null
}

/** The receipt under the path of `createReceipt`. Throws `not_found` for every other path. */
export async function getReceipt(
  { sql }: { sql: Sql },
  { slug, token }: { slug: string; token: string },
): Promise<Receipt> {
  const row = await withDeadline(selectReceipt(sql, slug, token))
  if (!row) throw notFound('This page')
  return receiptOf(row)
}

/** The receipts of some blocks with their paths, those of the newest blocks first. */
export async function listReceiptsOf(
  { sql, actor }: ReadContext,
  { blockIds }: { blockIds: readonly string[] },
): Promise<(Receipt & { path: string })[]> {
  const rows = await withDeadline(selectReceiptsOf(sql, actor.teamId, blockIds))
  return rows.map((row) => ({ ...receiptOf(row), path: `/receipts/${row.slug}/${row.token}` }))
}

function receiptOf(row: ReceiptRow): Receipt {
  const { team_id, team_name, block_id, title, version, published_at } = row
  const isChanged = version !== firstVersion
  const receipt = { teamId: team_id, teamName: team_name, blockId: block_id, title, isChanged }
  return { ...receipt, state: stateOf(row), publishedAt: published_at }
}

function stateOf({
  status,
  newsletter_id,
  is_withdrawn,
  published_at,
}: Pick<ReceiptRow, 'status' | 'newsletter_id' | 'is_withdrawn' | 'published_at'>): ReceiptState {
  if (published_at) return 'published'
  if (status === null) return is_withdrawn ? 'withdrawn' : 'not_used'
  if (newsletter_id !== null) return 'in_newsletter'
  return status === 'draft' ? 'waiting' : 'approved'
}
