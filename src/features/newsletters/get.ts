import type { Newsletter } from '../../contract/newsletters/newsletter.ts'
import type { Context, LinkContext, TxContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { type NewsletterBlockRow, selectNewsletterBlocks } from './composition/blocks-sql.ts'
import { type ElementRow, selectElements } from './composition/elements-sql.ts'
import { summaryOf } from './list.ts'
import { missingNewsletter } from './sending/transitions.ts'
import { type NewsletterRow, selectNewsletter } from './sql.ts'

/** A stored newsletter, its blocks and its elements in the format of the contract. */
function toNewsletter(
  { baseUrl }: LinkContext,
  row: NewsletterRow,
  rows: readonly NewsletterBlockRow[],
  elements: ElementRow[],
): Newsletter {
  const blocks = rows.map(({ id, position, content_block }) => ({ id, position, content_block }))
  return { ...summaryOf(baseUrl, { ...row, blocks_count: blocks.length }), blocks, elements }
}

/** One newsletter of a team. Throws `not_found`, also for another team's newsletter. */
export async function getNewsletter(ctx: LinkContext, id: string): Promise<Newsletter> {
  const {
    sql,
    actor: { teamId },
  } = ctx
  // Its version first: whoever changes this version would otherwise undo a change that they have not seen.
  const row = await withDeadline(selectNewsletter(sql, teamId, id))
  if (!row) throw missingNewsletter()
  const [blocks, elements] = await withDeadline(
    Promise.all([selectNewsletterBlocks(sql, teamId, id), selectElements(sql, teamId, id)]),
  )
  return toNewsletter(ctx, row, blocks, elements)
}

/** Throws `not_found` unless the team has this newsletter. */
export async function requireNewsletter({ sql, actor }: Context, id: string): Promise<void> {
  if (!(await withDeadline(selectNewsletter(sql, actor.teamId, id)))) throw missingNewsletter()
}

/** A newsletter as it is stored now, within a transaction. */
export async function reloadNewsletter(
  ctx: TxContext<LinkContext>,
  id: string,
): Promise<Newsletter> {
  const {
    sql,
    actor: { teamId },
  } = ctx
  const row = await selectNewsletter(sql, teamId, id)
  if (!row) throw missingNewsletter()
  const blocks = await selectNewsletterBlocks(sql, teamId, id)
  return toNewsletter(ctx, row, blocks, await selectElements(sql, teamId, id))
}
