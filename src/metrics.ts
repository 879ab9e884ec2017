import { timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Sql, withDeadline } from './lib/db.ts'
import { findContext } from './lib/http/index.ts'

interface MetricsDeps {
  sql: Sql
  /** What a scraper sends as `Authorization: Bearer …`. */
  token: string
}

const mostConnections = 500

/**
 * `GET /metrics` in the Prometheus format, for scrapers that send the token: the requests of this
 * process by route, and what waits in the database.
 */
export function createMetrics({ sql, token }: MetricsDeps) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'tidings_http_request_duration_seconds',
    help: 'Duration of the requests of this process by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const gauges = createGauges(registry)
  return new Elysia()
    .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
      const context = findContext(request)
      if (!context) return
      const sent = responseValue instanceof Response ? responseValue.status : Number(set.status)
      const labels = { method: request.method, route, status: context.errorStatus ?? sent }
      requests.observe(labels, (performance.now() - context.startedAtMs) / 1000)
    })
    .get('/metrics', async ({ headers, status, set }) => {
      if (!isSame(headers['authorization'] ?? '', `Bearer ${token}`)) {
        set.headers['www-authenticate'] = 'Bearer'
        return status(401, 'Send METRICS_TOKEN as Authorization: Bearer …\n')
      }
      await loadGauges(sql, gauges)
      set.headers['content-type'] = registry.contentType
      return await registry.metrics()
    })
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function createGauges(registry: Registry) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  return {
    isUp: gauge('tidings_database_up', 'Whether the database answered this scrape.', []),
    waiting: gauge('tidings_deliveries_waiting', 'Deliveries that wait, by connection.', [
      'connection',
    ]),
    oldest: gauge(
      'tidings_deliveries_oldest_seconds',
      'Age of the oldest delivery that waits, by connection.',
      ['connection'],
    ),
    emails: gauge('tidings_emails_waiting', 'Emails that wait to be sent.', ['kind']),
    sessions: gauge('tidings_database_sessions', 'Sessions of all processes in the database.', [
      'pool',
      'state',
    ]),
  }
}

type Gauges = ReturnType<typeof createGauges>

/** Sets what is counted in the database. While it does not answer, those series are absent. */
async function loadGauges(sql: Sql, gauges: Gauges): Promise<void> {
  for (const gauge of Object.values(gauges)) gauge.reset()
  try {
    const [waiting, emails, sessions] = await withDeadline(
      Promise.all([selectWaiting(sql), selectEmails(sql), selectSessions(sql)]),
      2_000,
    )
    for (const { connection, count, age } of waiting) {
      gauges.waiting.set({ connection }, count)
      gauges.oldest.set({ connection }, age)
    }
    for (const { kind, count } of emails) gauges.emails.set({ kind }, count)
    for (const { pool, state, count } of sessions) gauges.sessions.set({ pool, state }, count)
    gauges.isUp.set(1)
  } catch {
    gauges.isUp.set(0)
  }
}

const selectWaiting = (sql: Sql) =>
  sql<{ connection: string; count: number; age: number }[]>`
    select connection_id as connection, count(*)::int as count,
      extract(epoch from now() - min(received_at))::float8 as age
    from deliveries where status = 'waiting'
    group by connection_id order by count(*) desc limit ${mostConnections}`

const selectEmails = (sql: Sql) =>
  sql<{ kind: string; count: number }[]>`
    select 'account' as kind, count(*)::int as count from account_emails
    union all
    select 'preview', count(*)::int from preview_emails where status = 'queued'`

const selectSessions = (sql: Sql) =>
  sql<{ pool: string; state: string; count: number }[]>`
    select application_name as pool, coalesce(state, 'unknown') as state, count(*)::int as count
    from pg_stat_activity
    where datname = current_database() and application_name in ('tidings', 'tidings gate', 'tidings queue')
    group by 1, 2`
