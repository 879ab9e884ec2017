import { timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Sql } from '../lib/db.ts'
import { createDatabaseGauges, loadDatabaseGauges } from './database.ts'
import { countMeasurements } from './measurements.ts'
import { countRequests } from './requests.ts'

export interface MetricsSettings {
  /** What a scraper sends as `Authorization: Bearer …`. */
  token: string
  /** Connections at most, by the name of the pool. */
  poolSizes: Readonly<Record<string, number>>
}

/**
 * `GET /metrics` in the Prometheus format, for scrapers that send the token: what this process has
 * done since its start, and what waits in the database.
 */
export function createMetrics({ token, poolSizes }: MetricsSettings, sql: Sql) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const stopCounting = countMeasurements(registry)
  const gauges = createDatabaseGauges(registry, poolSizes)
  return new Elysia()
    .use(countRequests(registry))
    .onStop(stopCounting)
    .get('/metrics', async ({ headers, status, set }) => {
      if (!isSame(headers['authorization'] ?? '', `Bearer ${token}`)) {
        set.headers['www-authenticate'] = 'Bearer'
        return status(401, 'Send METRICS_TOKEN as Authorization: Bearer …\n')
      }
      await loadDatabaseGauges(sql, gauges)
      set.headers['content-type'] = registry.contentType
      return await registry.metrics()
    })
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
