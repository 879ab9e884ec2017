import { daysBefore } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { deleteSettled } from './list-sql.ts'

/**
 * Deletes settled deliveries after 90 days, and after 14 days those that were ignored when they were
 * received. A request that the provider repeats later than that is recognized by its `external_id`.
 */
export async function purgeDeliveries({ sql, now }: ServiceContext): Promise<number> {
  const ago = (days: number) => daysBefore(now(), days)
  return await deleteSettled(sql, { ignored: ago(14), others: ago(90) })
}
