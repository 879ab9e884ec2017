import { daysBefore, isoWeek } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'
import { firstIdAt } from '../../lib/ids.ts'

const retentionDays = 400

/** Deletes, for all teams, the state of items that have not changed for 400 days. */
export async function purgeItemState({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await deleteInSlices(sql, 'item_sync_state', sql`received_at < ${before}`)
  await deleteInSlices(sql, 'rollups', sql`week < ${isoWeek(before)}`)
  // A sort key begins with the id of the delivery.
  await deleteInSlices(sql, 'rollup_items', sql`sort_key < ${firstIdAt('dl', before)}`)
}
