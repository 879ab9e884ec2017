import type { TestApp } from './app.ts'
import { until } from './until.ts'

/**
 * Waits until no job that sends something is under way or due, so that no message of an earlier test arrives in the next
 * one: receipts are sent after the outcome of a delivery is stored.
 */
export const untilNothingIsSent = ({ sql }: Pick<TestApp, 'sql'>): Promise<unknown> =>
  until(async () => {
    const [row] = await sql`
      select count(*)::integer as jobs from pgboss.job
      where (name in ('forward', 'post-newsletter') or name like '%-chat-message')
        and (state = 'active' or (state = 'created' and start_after <= now()))`
    return row?.['jobs'] === 0
  })
