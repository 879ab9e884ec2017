import { digestEmail } from '../console/index.ts'
import { runDigests } from '../features/draft-digests/index.ts'
import { databaseTime } from '../lib/database/database-time.ts'
import type { Sql } from '../lib/database/db.ts'
import type { JobQueue } from '../lib/queue/index.ts'

interface DigestDeps {
  sql: Sql
  queue: JobQueue
  baseUrl: string
}

/** Prepares the digests that are due every 15 minutes, in one of all processes, by the clock of the database. */
export async function scheduleDigests(deps: DigestDeps): Promise<void> {
  const email = digestEmail(deps.baseUrl)
  await deps.queue.schedule('draft-digests', '*/15 * * * *', async () => {
    const at = await databaseTime(deps.sql)
    await runDigests({ ...deps, now: () => at, email })
  })
}
