import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** One team's drafts in one calendar month. */
export interface UsagePeriod {
  teamId: string
  /** The month's first day in UTC, `YYYY-MM-DD`. */
  period: string
}

/**
 * Counts one draft of the month, in one statement, so that two requests cannot both get the last one.
 * A limit of -1 is unlimited. False when the limit is reached.
 */
export async function reserveDraft(
  tx: Tx,
  { teamId, period }: UsagePeriod,
  limit: number,
): Promise<boolean> {
  const rows = await tx`
    insert into ai_usage (team_id, period, used)
    select ${teamId}, ${period}::date, 1 where ${limit}::integer <> 0
    on conflict (team_id, period) do update set used = ai_usage.used + 1
      where ${limit}::integer < 0 or ai_usage.used < ${limit}::integer
    returning used`
  return rows.length > 0
}

/** Subtracts one draft of the month. */
export async function releaseDraft(tx: Tx, { teamId, period }: UsagePeriod): Promise<void> {
  await tx`
    update ai_usage set used = used - 1
    where team_id = ${teamId} and period = ${period}::date and used > 0`
}

/** Deletes the counts of months that began before `period` (`YYYY-MM-DD`). */
export async function deleteUsageBefore(sql: Sql | Tx, period: string): Promise<void> {
  await deleteInSlices(sql, 'ai_usage', sql`period < ${period}`)
}
