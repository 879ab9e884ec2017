import { randomBytes } from 'node:crypto'
import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { upsertReceipt } from './sql.ts'

/**
 * The path of the page on which the sender of a block sees what happens to it, such as
 * `/receipts/acme/Jk3…`. Whoever knows the path can see the page. A block keeps its path.
 */
export async function createReceipt(
  { sql, now, actor }: Context,
  { blockId }: { blockId: string },
): Promise<string> {
  const receipt = { blockId, token: randomBytes(24).toString('base64url'), createdAt: now() }
  const { slug, token } = await withDeadline(upsertReceipt(sql, actor.teamId, receipt))
  return `/receipts/${slug}/${token}`
}
