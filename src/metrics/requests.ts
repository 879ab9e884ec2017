import { Elysia } from 'elysia'
import { Histogram, type Registry } from 'prom-client'
import { findContext, methodLabel, sentStatus } from '../lib/http/index.ts'

/**
 * Records the duration of each request by method, route and status. A route is a pattern, never the path
 * of a request: paths contain secrets, and there is no end of them.
 */
export function measureRequests(registry: Registry) {
  const requests = new Histogram({
    name: 'tidings_http_request_duration_seconds',
    help: 'Duration of the requests of this process by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  return new Elysia().onAfterResponse(
    { as: 'global' },
    ({ request, route, set, responseValue }) => {
      const context = findContext(request)
      if (!context) return
      const status = sentStatus(request, set, responseValue) ?? 0
      const labels = { method: methodLabel(request), route: route || 'none', status }
      requests.observe(labels, (performance.now() - context.startedAtMs) / 1000)
    },
  )
}
