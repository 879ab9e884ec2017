import { Counter, Histogram, type Registry } from 'prom-client'
import { onMeasurement } from '../lib/measurements.ts'

/**
 * Counts what the code of this process reports with `measure`. Returns the function that stops it.
 * Every label has few values: names of adapters and jobs, and outcomes.
 */
export function countMeasurements(registry: Registry): () => void {
  const registers = [registry]
  const stops = [...countKeyChecks(registers), ...countOutcomes(registers), countAi(registers)]
  return () => {
    for (const stop of stops) stop()
  }
}

function countKeyChecks(registers: Registry[]): (() => void)[] {
  const size = new Histogram({
    name: 'tidings_key_check_batch_requests',
    help: 'Requests whose key and rate limit were checked by one statement.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    registers,
  })
  const duration = new Histogram({
    name: 'tidings_key_check_batch_duration_seconds',
    help: 'Duration of the statements that check keys and rate limits.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  return [
    onMeasurement('keyCheckBatch', ({ requests, seconds }) => {
      size.observe(requests)
      duration.observe(seconds)
    }),
  ]
}

function countOutcomes(registers: Registry[]): (() => void)[] {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const webhooks = counter('tidings_webhook_requests_total', 'Webhook requests by outcome.', [
    'adapter',
    'outcome',
  ])
  const deliveries = counter('tidings_deliveries_settled_total', 'Deliveries by outcome.', [
    'adapter',
    'outcome',
  ])
  const errors = counter('tidings_provider_errors_total', 'Failed requests to providers by kind.', [
    'adapter',
    'problem',
  ])
  const jobs = counter('tidings_job_attempts_total', 'Attempts at jobs by outcome.', [
    'type',
    'outcome',
  ])
  const emails = counter('tidings_emails_total', 'Attempts at sending an email by outcome.', [
    'outcome',
  ])
  return [
    onMeasurement('webhookRequest', (labels) => webhooks.inc({ ...labels })),
    onMeasurement('deliverySettled', (labels) => deliveries.inc({ ...labels })),
    onMeasurement('providerError', (labels) => errors.inc({ ...labels })),
    onMeasurement('jobAttempt', ({ type, outcome }) => jobs.inc({ type, outcome })),
    onMeasurement('emailAttempt', (labels) => emails.inc({ ...labels })),
  ]
}

function countAi(registers: Registry[]): () => void {
  const duration = new Histogram({
    name: 'tidings_ai_request_duration_seconds',
    help: 'Duration of the requests to the AI provider by outcome.',
    labelNames: ['outcome'],
    buckets: [0.5, 1, 2.5, 5, 10, 20, 30],
    registers,
  })
  return onMeasurement('aiRequest', ({ outcome, seconds }) =>
    duration.observe({ outcome }, seconds),
  )
}
