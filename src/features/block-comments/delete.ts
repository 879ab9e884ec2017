import { type Context, inTransaction, type ServiceContext } from '../../lib/context.ts'
import type { Sql } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { getBlock } from '../content-blocks/index.ts'
import { deleteRowsOfPurgedBlocks } from '../purged-blocks/index.ts'
import { announceDiscussion } from './announce.ts'
import { deleteCommentRow } from './sql.ts'

/** Deletes a comment; without `memberId`, also that of another member. Throws `not_found`. */
export async function deleteComment(
  ctx: Context,
  comment: { id: string; blockId: string; memberId: string | null },
): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const { title } = await getBlock(txCtx, comment.blockId)
    const isDeleted = await deleteCommentRow(txCtx.sql, ctx.actor.teamId, comment)
    if (!isDeleted) throw notFound('The comment')
    await recordAudit(txCtx, 'block_comment_deleted', title)
    await announceDiscussion(txCtx, comment.blockId)
  })
}

/** Deletes the comments and assignments of all teams whose block no longer exists. */
export async function purgeComments(ctx: ServiceContext & { sql: Sql }): Promise<void> {
  await deleteRowsOfPurgedBlocks(ctx, { table: 'block_comments' })
  await deleteRowsOfPurgedBlocks(ctx, { table: 'block_assignments' })
}
