import { daysAfter, utcDay } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { deleteSourceEventsBefore } from './sql.ts'

const retentionDays = 400

/** Deletes the events of sources that have been over for 400 days, unless people have added texts to them. */
export async function purgeEvents({ sql, now }: ServiceContext): Promise<void> {
  await deleteSourceEventsBefore(sql, daysAfter(utcDay(now()), -retentionDays))
}
