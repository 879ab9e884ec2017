import { daysBefore } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { deleteReceiptsBefore } from './sql.ts'

const retentionDays = 400

/** Deletes receipts after 400 days; their pages are not found any more. */
export async function purgeReceipts({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await deleteReceiptsBefore(sql, before)
}
