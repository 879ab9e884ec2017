import { type Sql, type Tx, transaction } from '../database/db.ts'
import type { JobQueue } from './queue.ts'

/** Adds the jobs that migrations have stored, each once, also when several processes start. */
export async function addMigrationJobs(sql: Sql, queue: JobQueue): Promise<void> {
  await transaction(sql, async (tx) => {
    for (const { queue: name, data } of await takeMigrationJobs(tx)) {
      await queue.add(tx, { name }, data)
    }
  })
}

async function takeMigrationJobs(tx: Tx): Promise<{ queue: string; data: object }[]> {
  return await tx<
    { queue: string; data: object }[]
  >`delete from migration_jobs returning queue, data`
}
