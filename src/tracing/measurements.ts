import { type Attributes, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { onMeasurement } from '../lib/measurements.ts'

/**
 * Spans for what the code reports with `measure`: attempts at jobs, and within a request its calls of the
 * database and of the AI provider. Returns the function that ends this.
 */
export function traceMeasurements(tracer: Tracer): () => void {
  const add = (name: string, seconds: number, attributes: Attributes, isFailure = false) => {
    const endTime = Date.now()
    const span = tracer.startSpan(name, { startTime: endTime - seconds * 1000, attributes })
    if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endTime)
  }
  const isInRequest = () => trace.getActiveSpan() !== undefined
  const stops = [
    onMeasurement('jobAttempt', ({ type, outcome, seconds }) =>
      add(`job ${type}`, seconds, { 'tidings.job.outcome': outcome }, outcome === 'failed'),
    ),
    onMeasurement('databaseCall', ({ kind, seconds }) => {
      if (isInRequest()) add(`database ${kind}`, seconds, { 'db.system.name': 'postgresql' })
    }),
    onMeasurement('aiRequest', ({ outcome, seconds }) =>
      add('AI provider', seconds, {}, outcome === 'failed'),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
