import { type Sql, withDeadline } from '../../lib/database/db.ts'

/** The job type of scheduled backups. */
export const backupJob = 'backup'

export interface BackupState {
  /** When the last scheduled backup was complete; null: there is none, or it is more than a week ago. */
  lastSuccessAt: Date | null
  /** Jobs that failed since then, after all their attempts. */
  failures: number
  /** Why the last of them failed, or why the attempt under way is retried. */
  reason: string | null
}

/** What became of the last scheduled backups. The queue keeps their jobs for a week. */
export async function getBackupState(sql: Sql): Promise<BackupState> {
  const [row] = await withDeadline(selectBackupState(sql))
  return row ?? { lastSuccessAt: null, failures: 0, reason: null }
}

const selectBackupState = (sql: Sql) =>
  sql<BackupState[]>`
    with job as materialized (
      select state, completed_on, created_on, output->>'message' as reason from pgboss.job
      where name = ${backupJob}
    ), last as (
      select max(completed_on) as success from job where state = 'completed'
    )
    select last.success as "lastSuccessAt",
      count(job.state) filter (where job.state = 'failed')::int as failures,
      (array_agg(job.reason order by job.created_on desc) filter (where job.reason is not null))[1] as reason
    from last left join job
      on job.state in ('failed', 'retry', 'active') and (last.success is null or job.created_on > last.success)
    group by last.success`

/** True when a backup has waited for two hours although none is being written: no process writes them any more. */
export async function isBackupAbandoned(sql: Sql): Promise<boolean> {
  const [row] = await withDeadline(sql<{ abandoned: boolean | null }[]>`
    select bool_or(state < 'active' and start_after < now() - interval '2 hours')
      and not bool_or(state = 'active') as abandoned
    from pgboss.job where name = ${backupJob}`)
  return row?.abandoned ?? false
}
