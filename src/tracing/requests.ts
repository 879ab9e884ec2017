import {
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { Elysia } from 'elysia'
import { methodLabel, sentStatus } from '../lib/http/index.ts'

const propagator = new W3CTraceContextPropagator()
const headers = {
  keys: (request: Request) => [...request.headers.keys()],
  get: (request: Request, name: string) => request.headers.get(name) ?? undefined,
}

/**
 * A span for each request, which is a child of the span in its `traceparent` header (W3C Trace Context).
 * Its attributes are the method, the pattern of the route and the status: never a path, a query, a
 * header, an address or a body. Health checks and scrapes have no span.
 */
export function traceRequests(tracer: Tracer) {
  const spans = new WeakMap<Request, Span>()
  return new Elysia({ name: 'tracing' })
    .wrap((handle, request) => {
      const parent = propagator.extract(ROOT_CONTEXT, request, headers)
      const span = tracer.startSpan(methodLabel(request), { kind: SpanKind.SERVER }, parent)
      spans.set(request, span)
      const inside = trace.setSpan(parent, span)
      return (...given: unknown[]) => context.with(inside, () => handle(...given))
    })
    .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
      const span = spans.get(request)
      const status = sentStatus(request, set, responseValue)
      if (span === undefined || status === undefined) return
      const method = methodLabel(request)
      if (route) span.updateName(`${method} ${route}`).setAttribute('http.route', route)
      span.setAttributes({ 'http.request.method': method, 'http.response.status_code': status })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
}
