import { type Channel, channel } from 'node:diagnostics_channel'

/** What the service reports to /metrics, by name. No member contains personal data or a secret. */
export interface Measurements {
  /** One statement that checked the keys and rate limits of several requests. */
  keyCheckBatch: { requests: number; seconds: number }
  /** One webhook request that an adapter has read. */
  webhookRequest: { adapter: string; outcome: string }
  /** One delivery that is settled. */
  deliverySettled: { adapter: string; outcome: string }
  /** One request to a provider that failed while a delivery was composed. */
  providerError: { adapter: string; problem: string }
  /** One attempt at a job. */
  jobAttempt: { type: string; outcome: 'completed' | 'retried' | 'failed'; seconds: number }
  /** One call of the database that somebody waited for. */
  databaseCall: { kind: 'statement' | 'transaction'; seconds: number }
  /** One attempt at sending an email. */
  emailAttempt: { outcome: 'sent' | 'captured' | 'failed' }
  /** One request to the AI provider. */
  aiRequest: { outcome: 'succeeded' | 'failed'; seconds: number }
}

// Bun (1.4.5) loses the subscribers of a channel that nothing refers to, so the channels are kept here.
const channels = {
  keyCheckBatch: channel('tidings:keyCheckBatch'),
  webhookRequest: channel('tidings:webhookRequest'),
  deliverySettled: channel('tidings:deliverySettled'),
  providerError: channel('tidings:providerError'),
  jobAttempt: channel('tidings:jobAttempt'),
  databaseCall: channel('tidings:databaseCall'),
  emailAttempt: channel('tidings:emailAttempt'),
  aiRequest: channel('tidings:aiRequest'),
} satisfies Record<keyof Measurements, Channel>

/** Reports a measurement to the subscribers of this process. Without any, it does nothing. */
export function measure<Name extends keyof Measurements>(
  name: Name,
  measurement: Measurements[Name],
): void {
  channels[name].publish(measurement)
}

/** Calls `listener` for each measurement from now on. Returns the function that ends this. */
export function onMeasurement<Name extends keyof Measurements>(
  name: Name,
  listener: (measurement: Measurements[Name]) => void,
): () => void {
  const receive = (message: unknown) => listener(published<Name>(message))
  channels[name].subscribe(receive)
  return () => void channels[name].unsubscribe(receive)
}

/** Sound because only `measure` publishes on these channels. */
const published = <Name extends keyof Measurements>(message: unknown) =>
  message as Measurements[Name]

/** Seconds since a moment of `performance.now()`. */
export const secondsSince = (startedAtMs: number): number =>
  (performance.now() - startedAtMs) / 1000

/** Runs `work` and passes its duration in seconds to `report`, also when it throws. */
export async function timed<T>(
  work: () => Promise<T>,
  report: (seconds: number, isDone: boolean) => void,
): Promise<T> {
  const startedAtMs = performance.now()
  try {
    const result = await work()
    report(secondsSince(startedAtMs), true)
    return result
  } catch (error) {
    report(secondsSince(startedAtMs), false)
    throw error
  }
}
