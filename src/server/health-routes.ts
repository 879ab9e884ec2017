import { Elysia } from 'elysia'
import packageJson from '../../package.json' with { type: 'json' }
import { type DatabaseState, getDatabaseState } from '../lib/database/database-health.ts'
import type { Sql } from '../lib/database/db.ts'
import { type Drain, replyGetOnly } from '../lib/http/index.ts'
import type { Metrics } from '../metrics/index.ts'

type NotReady = 'stopping' | Exclude<DatabaseState, 'ready'>

const reasons: Record<NotReady, string> = {
  stopping: 'The process is stopping.',
  database_read_only: 'The database is read-only: it accepts no changes.',
  database_unavailable: 'The database does not answer.',
  disk_full: 'The disk of the database is full: free some space there.',
}

export interface HealthDeps {
  sql: Sql
  drain: Drain
  /** Null: there are no metrics. */
  metrics: Metrics | null
}

/**
 * `/healthz`, `/readyz`, `/version`, and `/metrics` unless it has a port of its own; a worker has no
 * other routes. While the process drains, it is not ready.
 */
export function createHealthRoutes({ sql, drain, metrics }: HealthDeps) {
  return new Elysia()
    .onBeforeHandle(({ set }) => {
      set.headers['x-request-id'] = Bun.randomUUIDv7()
    })
    .use(metrics?.requests ?? new Elysia())
    .use(metrics?.port === null ? metrics.endpoint : new Elysia())
    .get('/healthz', () => ({ status: 'ok' }))
    .get('/readyz', async ({ status }) => {
      const state = drain.isStarted ? 'stopping' : await getDatabaseState(sql)
      if (state === 'ready') return { status: state }
      return status(503, { status: state, reason: reasons[state] })
    })
    .get('/version', () => ({ version: packageJson.version }))
    .all('/healthz', replyGetOnly, { parse: 'none' })
    .all('/readyz', replyGetOnly, { parse: 'none' })
    .all('/version', replyGetOnly, { parse: 'none' })
}
