import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { newLinkToken } from '../../lib/ids.ts'
import { upsertReceipt } from './sql.ts'

/**
 * The path of the page on which the sender of a block sees what happens to it, such as
 * `/receipts/acme/Jk3…`. Everybody who knows the path can see the page. A block keeps its path.
 */
export async function createReceipt(
  { sql, now, actor }: Context,
  { blockId }: { blockId: string },
): Promise<string> {
  const receipt = { blockId, token: newLinkToken(), createdAt: now() }
  const { slug, token } = await withDeadline(upsertReceipt(sql, actor.teamId, receipt))
  return `/receipts/${slug}/${token}`
}
