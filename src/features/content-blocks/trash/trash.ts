import { daysBefore, type Now } from '../../../lib/clock.ts'
import {
  type Context,
  inTransaction,
  memberIdOf,
  type ServiceContext,
} from '../../../lib/context.ts'
import { sendChange } from '../../../lib/database/changes.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { AppError } from '../../../lib/errors.ts'
import { recordAudit } from '../../audit-log/index.ts'
import { recordBlockVersions } from '../../versions/index.ts'
import { deleteBlock } from '../delete.ts'
import { lockBlockVersion } from '../update.ts'
import {
  insertTrashed,
  purgeTrashBefore,
  restoreTrashed,
  selectDeclined,
  selectTrashed,
  type TrashedBlock,
} from './sql.ts'

const retentionDays = 1

const mostListed = 100

/** The moment before which blocks in the trash can no longer be restored. */
const oldest = (now: Now) => daysBefore(now(), retentionDays)

/** Deletes a block so that it can be restored for a day; a draft is declined. Throws as `deleteBlock` does. */
export async function trashBlock(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    // Before the copy, so that the second of two simultaneous deletions finds no block.
    const { status } = await lockBlockVersion(txCtx, { id, expected: null })
    const { teamId, name } = ctx.actor
    await insertTrashed(txCtx.sql, teamId, id, { at: txCtx.now(), by: name })
    await deleteBlock(txCtx, { id, expected: null, isDeclined: status === 'draft' })
  })
}

/** A block whose deletion can still be undone, or null. */
export async function findTrashed(
  ctx: Context,
  id: string,
): Promise<{ title: string; isDeclined: boolean } | null> {
  const row = await withDeadline(selectTrashed(ctx.sql, ctx.actor.teamId, id, oldest(ctx.now)))
  return row ?? null
}

/** The last 100 drafts of the team that were declined and can still be restored, newest first. */
export async function listDeclined(ctx: Context): Promise<TrashedBlock[]> {
  const page = { after: oldest(ctx.now), limit: mostListed }
  return await withDeadline(selectDeclined(ctx.sql, ctx.actor.teamId, page))
}

/** Undoes a deletion and returns the title of the block. Throws `not_found` once that is impossible. */
export async function restoreBlock(ctx: Context, id: string): Promise<string> {
  return await inTransaction(ctx, async (txCtx) => {
    const row = await restoreTrashed(txCtx.sql, ctx.actor.teamId, id, oldest(txCtx.now))
    if (!row) throw notRestorable()
    await recordBlockVersions(txCtx, { ids: [id] })
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
