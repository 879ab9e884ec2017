import { daysBefore, type Now } from '../../../lib/clock.ts'
import {
  type Context,
  inTransaction,
  memberIdOf,
  type ServiceContext,
  type TxContext,
} from '../../../lib/context.ts'
import { sendChange } from '../../../lib/database/changes.ts'
import { undoOnError, withDeadline } from '../../../lib/database/db.ts'
import { AppError } from '../../../lib/errors.ts'
import { recordAudit } from '../../audit-log/index.ts'
import { recordBlockVersions } from '../../versions/index.ts'
import { deleteBlock } from '../delete.ts'
import { lockNewslettersOfBlocks } from '../newsletters-sql.ts'
import type { SeenBlock } from '../sql.ts'
import { lockBlockVersion } from '../update.ts'
import {
  deleteTrashBefore,
  insertTrashed,
  restoreTrashed,
  selectDeclined,
  selectTrashed,
  type TrashedBlock,
} from './sql.ts'

const retentionDays = 1

const maxListed = 100

/** The moment before which blocks in the trash can no longer be restored. */
const oldest = (now: Now) => daysBefore(now(), retentionDays)

/** Deletes a block so that it can be restored for a day; a draft is declined. Throws as `deleteBlock` does. */
export async function trashBlock(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    // Before the copy, so that the second of two simultaneous deletions finds no block.
    const { status } = await lockBlockVersion(txCtx, { id, expected: null })
    await moveToTrash(txCtx, { id, isDeclined: status === 'draft' })
  })
}

async function moveToTrash(
  ctx: TxContext,
  { id, isDeclined }: { id: string; isDeclined: boolean },
): Promise<void> {
  const { teamId, name } = ctx.actor
  await insertTrashed(ctx.sql, teamId, id, { at: ctx.now(), by: name })
  await deleteBlock(ctx, { id, expected: null, isDeclined })
}

/** What happened to blocks that were to be declined; those that are used or deleted are in neither list. */
export interface DeclinedBlocks {
  declined: { id: string; title: string }[]
  /** The ids of those that were changed since they were seen. */
  outdated: string[]
}

/** Declines drafts in one transaction, each as `trashBlock` does, unless it was changed since it was seen. */
export async function declineBlocks(
  ctx: Context,
  { seen }: { seen: readonly SeenBlock[] },
): Promise<DeclinedBlocks> {
  return await inTransaction(ctx, async (txCtx) => {
    const result: DeclinedBlocks = { declined: [], outdated: [] }
    const ids = seen.map(({ id }) => id)
    await lockNewslettersOfBlocks(txCtx.sql, ctx.actor.teamId, ids)
    for (const one of seen.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const title = await undoOnError(txCtx.sql, () => declineBlock(txCtx, one)).catch(
        expectedCodeOf,
      )
      if (typeof title === 'string') result.declined.push({ id: one.id, title })
      else if (title?.code === 'version_mismatch') result.outdated.push(one.id)
    }
    return result
  })
}

/** Declines a draft and returns its title; null for a block that is not a draft. */
async function declineBlock(ctx: TxContext, { id, version }: SeenBlock): Promise<string | null> {
  const { status, title } = await lockBlockVersion(ctx, {
    id,
    expected: version === null ? null : [version],
  })
  if (status !== 'draft') return null
  await moveToTrash(ctx, { id, isDeclined: true })
  return title
}

const expectedCodes = ['version_mismatch', 'not_found', 'block_in_use']

/** The code of an error that only concerns one of several blocks. Throws every other error. */
function expectedCodeOf(error: unknown): Pick<AppError, 'code'> {
  if (error instanceof AppError && expectedCodes.includes(error.code)) return { code: error.code }
  throw error
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
  const page = { after: oldest(ctx.now), limit: maxListed }
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

/** Undoes deletions in one transaction, and returns the ids of the blocks that could be restored. */
export async function restoreBlocks(ctx: Context, ids: readonly string[]): Promise<string[]> {
  return await inTransaction(ctx, async (txCtx) => {
    const restored: string[] = []
    for (const id of ids.toSorted()) {
      const title = await undoOnError(txCtx.sql, () => restoreBlock(txCtx, id)).catch(
        expectedCodeOf,
      )
      if (typeof title === 'string') restored.push(id)
    }
    return restored
  })
}

const notRestorable = () =>
  new AppError(
    'not_found',
    'This cannot be undone: a day has passed, its provider has withdrawn it, or it was received again.',
  )

/** Purges the blocks of all teams that were deleted more than a day ago. */
export async function purgeTrash({ sql, now }: ServiceContext): Promise<void> {
  await deleteTrashBefore(sql, oldest(now))
}
