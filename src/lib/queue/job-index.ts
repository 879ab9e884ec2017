import type { PgBoss } from 'pg-boss'
import { locks } from '../database/locks.ts'

const name = 'tidings_job_state_idx'

/**
 * Creates the index with which jobs are counted and listed by their state; pg-boss has none for that.
 * The index is looked up first, because its creation waits for all writers, also when it exists.
 */
export async function createJobIndex(boss: PgBoss): Promise<void> {
  const db = boss.getDb()
  const { rows } = await db.executeSql(`select to_regclass('pgboss.${name}') is not null as found`)
  if (rows[0]?.found === true) return
  await db.executeSql(`
    begin;
    select pg_advisory_xact_lock(${locks.jobIndex});
    create index if not exists ${name} on pgboss.job (state, completed_on);
    commit`)
}
