import { daysBefore, isoWeek } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { firstIdAt } from '../../lib/ids.ts'

const retentionDays = 400

/** Deletes, for all teams, the state of items that have not changed for 400 days. */
export async function purgeItemState({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await withDeadline(sql`delete from item_sync_state where received_at < ${before}`)
  await withDeadline(sql`delete from rollups where week < ${isoWeek(before)}`)
  // A sort key begins with the id of the delivery.
  await withDeadline(sql`delete from rollup_items where sort_key < ${firstIdAt('dl', before)}`)
}
