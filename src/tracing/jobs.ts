import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { JobTraces } from '../lib/queue/index.ts'

const propagator = new W3CTraceContextPropagator()

/**
 * A span for each attempt at a job, the root of a trace of its own. It has a link to the span of the
 * request that created the job, because attempts can follow hours later.
 */
export function traceJobs(tracer: Tracer): JobTraces {
  return {
    reference() {
      const carrier: Record<string, string> = {}
      propagator.inject(context.active(), carrier, defaultTextMapSetter)
      return carrier['traceparent'] ?? null
    },
    async run(type, reference, attempt) {
      const options = { kind: SpanKind.CONSUMER, links: linksTo(reference) }
      const span = tracer.startSpan(`job ${type}`, options, ROOT_CONTEXT)
      try {
        return await context.with(trace.setSpan(ROOT_CONTEXT, span), attempt)
      } finally {
        span.end()
      }
    },
  }
}

function linksTo(traceparent: string | null) {
  if (traceparent === null) return []
  const parent = propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter)
  const linked = trace.getSpanContext(parent)
  return linked === undefined ? [] : [{ context: linked }]
}
