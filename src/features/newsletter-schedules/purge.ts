import { daysBefore } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { deletePlannedBefore } from './sql.ts'

const retentionDays = 400

/** Deletes what is known of the planned dates of all teams after 400 days. */
export async function purgePlannedDates({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await deletePlannedBefore(sql, before)
}
