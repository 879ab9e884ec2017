import { type Context, inTransaction } from '../../lib/context.ts'
import type { ExpectedVersions } from '../../lib/versions.ts'
import { recordAudit } from '../audit-log/index.ts'
import { deleteNewsletterRow } from './sql.ts'
import { lockEditableNewsletter } from './update.ts'

/**
 * Deletes a newsletter; its blocks stay in the library. Throws `not_found`, `newsletter_sent`,
 * `version_mismatch`.
 */
export async function deleteNewsletter(
  ctx: Context,
  { id, expected }: { id: string; expected: ExpectedVersions },
): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const { title } = await lockEditableNewsletter(txCtx, { id, expected })
    await deleteNewsletterRow(txCtx.sql, ctx.actor.teamId, id)
    await recordAudit(txCtx, 'newsletter_deleted', title)
  })
}
