import { planEmails } from '../console/index.ts'
import { runSchedules } from '../features/newsletter-schedules/index.ts'
import { databaseTime } from '../lib/database/database-time.ts'
import type { Sql } from '../lib/database/db.ts'
import type { JobQueue } from '../lib/queue/index.ts'

interface ScheduleDeps {
  sql: Sql
  queue: JobQueue
  baseUrl: string
}

/**
 * Prepares newsletters and reminds editors every five minutes, in one of all processes, by the clock of
 * the database.
 */
export async function scheduleNewsletters(deps: ScheduleDeps): Promise<void> {
  const emails = planEmails(deps.baseUrl)
  await deps.queue.schedule('newsletter-schedules', '*/5 * * * *', async () => {
    const at = await databaseTime(deps.sql)
    await runSchedules({ ...deps, now: () => at, emails })
  })
}
