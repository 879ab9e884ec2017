import { timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Sql } from '../lib/database/db.ts'
import { replyGetOnly } from '../lib/http/index.ts'
import { createDatabaseGauges, loadDatabaseGauges } from './database.ts'
import { countMeasurements } from './measurements.ts'
import { measureRequests } from './requests.ts'

interface MetricsSettings {
  /** What a scraper sends as `Authorization: Bearer …`; null: nothing. */
  token: string | null
  /** The port on which they are served, or null: on that of the service. */
  port: number | null
  /** Connections at most, by the name of the pool. */
  poolSizes: Readonly<Record<string, number>>
}

export type Metrics = ReturnType<typeof createMetrics>

// Of V8. Bun counts all objects for them, during which no request is answered.
const heapSpaces = ['total', 'used', 'available'].map(
  (kind) => `nodejs_heap_space_size_${kind}_bytes`,
)

/**
 * What this process has done since its start, and what waits in the database, in the Prometheus
 * format: `requests` counts the requests of the app that uses it, `endpoint` is `GET /metrics`.
 */
export function createMetrics({ token, port, poolSizes }: MetricsSettings, sql: Sql) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of heapSpaces) registry.removeSingleMetric(name)
  const stopCounting = countMeasurements(registry)
  const gauges = createDatabaseGauges(registry, poolSizes)
  const endpoint = new Elysia()
    .all('/metrics', replyGetOnly, { parse: 'none' })
    .get('/metrics', async ({ headers, status, set }) => {
      if (token !== null && !isSame(headers['authorization'] ?? '', `Bearer ${token}`)) {
        set.headers['www-authenticate'] = 'Bearer'
        return status(401, 'Send METRICS_TOKEN as Authorization: Bearer …\n')
      }
      await loadDatabaseGauges(sql, gauges)
      set.headers['content-type'] = registry.contentType
      return await registry.metrics()
    })
  return { port, endpoint, requests: measureRequests(registry).onStop(stopCounting) }
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
