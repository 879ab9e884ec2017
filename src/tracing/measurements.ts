import { type Attributes, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { onMeasurement } from '../lib/measurements.ts'

/**
 * Spans for what the code reports with `measure`: calls of the database and of the AI provider within a
 * request or an attempt at a job, whose span gets the outcome. Returns the function that ends this.
 */
export function traceMeasurements(tracer: Tracer): () => void {
  const add = (name: string, seconds: number, attributes: Attributes, isFailure = false) => {
    const endTime = Date.now()
    const span = tracer.startSpan(name, { startTime: endTime - seconds * 1000, attributes })
    if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endTime)
  }
  const isInSpan = () => trace.getActiveSpan() !== undefined
  const stops = [
    onMeasurement('jobAttempt', ({ outcome }) => {
      const span = trace.getActiveSpan()?.setAttribute('tidings.job.outcome', outcome)
      if (outcome === 'failed') span?.setStatus({ code: SpanStatusCode.ERROR })
    }),
    onMeasurement('databaseCall', ({ kind, seconds }) => {
      if (isInSpan()) add(`database ${kind}`, seconds, { 'db.system.name': 'postgresql' })
    }),
    onMeasurement('aiRequest', ({ outcome, seconds }) =>
      add('AI provider', seconds, {}, outcome === 'failed'),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
