import { Gauge, type Registry } from 'prom-client'
import { getBackupState } from '../features/backups/index.ts'
import { type Sql, withDeadline } from '../lib/database/db.ts'
import { selectPoolSessions, selectQueueCounts, selectWaitingDeliveries } from './sql.ts'

const withinMs = 2_000
const limits = { deliveries: 10_000, connections: 500 }

/** Gauges whose values are in the database, and the constant sizes of the pools. */
export function createDatabaseGauges(
  registry: Registry,
  poolSizes: Readonly<Record<string, number>>,
) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const sizes = gauge(
    'tidings_database_pool_size',
    'Connections to the database that this process opens at most.',
    ['pool'],
  )
  for (const [pool, size] of Object.entries(poolSizes)) sizes.set({ pool }, size)
  return {
    isUp: gauge('tidings_database_up', 'Whether the database answered this scrape.', []),
    sessions: gauge('tidings_database_sessions', 'Sessions of all processes in the database.', [
      'pool',
      'state',
    ]),
    jobs: gauge('tidings_jobs', 'Jobs of all processes by state, up to 5 seconds old.', [
      'type',
      'state',
    ]),
    waiting: gauge(
      'tidings_deliveries_waiting',
      'Deliveries that wait, by connection, at most 10,000; the 500 connections with the most.',
      ['connection'],
    ),
    oldest: gauge(
      'tidings_deliveries_oldest_seconds',
      'Age of the oldest delivery that waits, by connection.',
      ['connection'],
    ),
    lastBackup: gauge(
      'tidings_backup_last_success_timestamp_seconds',
      'When the last scheduled backup was complete; absent before the first one.',
      [],
    ),
    failedBackups: gauge(
      'tidings_backup_failed_since_success',
      'Scheduled backups that have failed since the last complete one.',
      [],
    ),
  }
}

type DatabaseGauges = ReturnType<typeof createDatabaseGauges>

/** Loads the gauges. While the database does not answer, all but `tidings_database_up` are absent. */
export async function loadDatabaseGauges(sql: Sql, gauges: DatabaseGauges): Promise<void> {
  for (const gauge of Object.values(gauges)) gauge.reset()
  // Without labels, `reset` leaves a 0.
  gauges.lastBackup.remove()
  gauges.failedBackups.remove()
  try {
    await withDeadline(
      Promise.all([
        loadSessions(sql, gauges),
        loadJobs(sql, gauges),
        loadDeliveries(sql, gauges),
        loadBackups(sql, gauges),
      ]),
      withinMs,
    )
    gauges.isUp.set(1)
  } catch {
    gauges.isUp.set(0)
  }
}

async function loadSessions(sql: Sql, gauges: DatabaseGauges): Promise<void> {
  for (const { pool, state, count } of await selectPoolSessions(sql)) {
    gauges.sessions.set({ pool, state }, count)
  }
}

async function loadJobs(sql: Sql, gauges: DatabaseGauges): Promise<void> {
  for (const { type, ready, delayed, active, failed } of await selectQueueCounts(sql)) {
    for (const [state, count] of Object.entries({ ready, delayed, active, failed })) {
      gauges.jobs.set({ type, state }, count)
    }
  }
}

async function loadDeliveries(sql: Sql, gauges: DatabaseGauges): Promise<void> {
  for (const { connection, count, age } of await selectWaitingDeliveries(sql, limits)) {
    gauges.waiting.set({ connection }, count)
    gauges.oldest.set({ connection }, age)
  }
}

async function loadBackups(sql: Sql, gauges: DatabaseGauges): Promise<void> {
  const { lastSuccessAt, failures } = await getBackupState(sql)
  if (lastSuccessAt !== null) gauges.lastBackup.set(lastSuccessAt.getTime() / 1000)
  gauges.failedBackups.set(failures)
}
