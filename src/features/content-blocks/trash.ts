import { daysBefore, type Now } from '../../lib/clock.ts'
import { type Context, inTransaction, memberIdOf, type ServiceContext } from '../../lib/context.ts'
import { sendChange } from '../../lib/database/changes.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { recordBlockVersions } from '../versions/index.ts'
import { deleteBlock } from './delete.ts'
import { insertTrashed, purgeTrashBefore, restoreTrashed, selectTrashed } from './trash-sql.ts'
import { lockBlockVersion } from './update.ts'

const retentionDays = 1

/** The moment before which blocks in the trash can no longer be restored. */
const oldest = (now: Now) => daysBefore(now(), retentionDays)

/** Deletes a block so that it can be restored for a day. Throws as `deleteBlock` does. */
export async function trashBlock(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    // Before the copy, so that the second of two simultaneous deletions finds no block.
    await lockBlockVersion(txCtx, { id, expected: null })
    await insertTrashed(txCtx.sql, ctx.actor.teamId, id, txCtx.now())
    await deleteBlock(txCtx, { id, expected: null })
  })
}

/** The title of a block whose deletion can still be undone, or null. */
export async function findTrashed(ctx: Context, id: string): Promise<string | null> {
  const row = await withDeadline(selectTrashed(ctx.sql, ctx.actor.teamId, id, oldest(ctx.now)))
  return row?.title ?? null
}

/** Undoes a deletion and returns the title of the block. Throws `not_found` once that is impossible. */
export async function restoreBlock(ctx: Context, id: string): Promise<string> {
  return await inTransaction(ctx, async (txCtx) => {
    const row = await restoreTrashed(txCtx.sql, ctx.actor.teamId, id, oldest(txCtx.now))
    if (!row) throw notRestorable()
    await recordBlockVersions(txCtx, [id])
    await recordAudit(txCtx, 'block_restored', row.title)
    const team = ctx.actor.teamId
    await sendChange(txCtx.sql, { topic: 'blocks', team, blocks: [id], by: memberIdOf(ctx) })
    return row.title
  })
}

const notRestorable = () =>
  new AppError(
    'not_found',
    'This cannot be undone: a day has passed, its provider has withdrawn it, or it was received again.',
  )

/** Purges the blocks of all teams that were deleted more than a day ago. */
export async function purgeTrash({ sql, now }: ServiceContext): Promise<void> {
  await withDeadline(purgeTrashBefore(sql, oldest(now)))
}
