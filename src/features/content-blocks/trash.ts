import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { AppError } from '../../lib/errors.ts'
import type { ExpectedVersions } from '../../lib/versions.ts'
import { deleteBlock } from './delete.ts'
import { insertTrashed, purgeTrashBefore, restoreTrashed, selectTrashed } from './trash-sql.ts'

const keptMs = 24 * 60 * 60 * 1000

const oldest = (now: Now) => new Date(now().getTime() - keptMs)

/** Deletes a block so that it can be undone for a day. Throws as `deleteBlock` does. */
export async function trashBlock(
  tx: Tx,
  now: Now,
  teamId: string,
  id: string,
  expected: ExpectedVersions,
): Promise<void> {
  await insertTrashed(tx, teamId, id, now())
  await deleteBlock(tx, teamId, id, expected)
}

/** The title of a block whose deletion can still be undone, or null. */
export async function findTrashed(
  sql: Sql,
  now: Now,
  teamId: string,
  id: string,
): Promise<string | null> {
  const row = await withDeadline(selectTrashed(sql, teamId, id, oldest(now)))
  return row?.title ?? null
}

/** Undoes a deletion, and gives the block's title. Throws `not_found` once that is impossible. */
export async function restoreBlock(tx: Tx, now: Now, teamId: string, id: string): Promise<string> {
  const row = await restoreTrashed(tx, teamId, id, oldest(now))
  if (row) return row.title
  throw new AppError(
    'not_found',
    'This cannot be undone: a day has passed, its tool has taken it back, or it came in again meanwhile.',
  )
}

/** Forgets blocks that were deleted more than a day ago. */
export async function purgeTrash(sql: Sql, now: Now): Promise<void> {
  await purgeTrashBefore(sql, oldest(now))
}
