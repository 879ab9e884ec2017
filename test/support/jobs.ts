import { forwarderJobs } from '../../src/forwarding/index.ts'
import type { TestApp } from './app.ts'
import { until } from './until.ts'

const sendingJobs = forwarderJobs.map(({ name }) => name)

/**
 * Waits until no job that sends something is under way or due, so that no message of an earlier test arrives in the next
 * one: receipts are sent after the outcome of a delivery is stored.
 */
export const untilNothingIsSent = ({ sql }: Pick<TestApp, 'sql'>): Promise<unknown> =>
  until(async () => {
    const [row] = await sql`
      select count(*)::integer as jobs from pgboss.job
      where name = any(${sendingJobs})
        and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))`
    return row?.['jobs'] === 0
  })

/**
 * Removes the connections of earlier tests. The time to plan messages grows with the number of connections, and
 * tests of chats plan messages often.
 */
export async function removeConnections({ sql }: Pick<TestApp, 'sql'>): Promise<void> {
  await sql`update connections set removed_at = now(), encrypted = null where removed_at is null`
}
