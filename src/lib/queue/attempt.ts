import type { JobResult, JobWithMetadata, PgBoss, QueueOptions } from 'pg-boss'
import { type Measurements, measure, secondsSince } from '../measurements.ts'
import { reasonOf } from '../text/reason.ts'

/** A kind of job and how it is retried. pg-boss stores it in PostgreSQL. */
export interface JobType extends QueueOptions {
  name: string
  /** The type of the job that is created after the last attempt has failed. */
  deadLetter?: string
}

/** One attempt at a job. */
export interface Job {
  id: string
  data: unknown
  /** The number of this attempt, from 1. */
  attempt: number
  /**
   * True when no attempt follows: the job then fails or moves to the dead letter queue of its type.
   */
  isLastAttempt: boolean
}

/**
 * Thrown by a handler that knows when the next attempt can succeed. The attempt starts after
 * `seconds`, or after the delay of the job type if that is longer.
 */
export class RetryAfterError extends Error {
  override readonly name = 'RetryAfterError'
  readonly seconds: number

  constructor(seconds: number, cause: Error) {
    super(cause.message, { cause })
    this.seconds = seconds
  }
}

/** Thrown by a handler when no further attempt can succeed: the job fails at once. */
export class FinalError extends Error {
  override readonly name = 'FinalError'
}

/**
 * Runs the handler and returns the value that pg-boss stores. A failure is stored as one sentence
 * without addresses, because people see it in the console. pg-boss retries a failed job according
 * to its type; `deadletter` is its status of a job that is not retried.
 */
export async function runAttempt(
  boss: PgBoss,
  type: JobType,
  attempt: JobWithMetadata<unknown>,
  handler: (job: Job) => Promise<void>,
): Promise<JobResult> {
  const { id, data, retryCount, retryLimit } = attempt
  const isLastAttempt = retryCount >= retryLimit
  const startedAtMs = performance.now()
  const report = (outcome: Measurements['jobAttempt']['outcome']) =>
    measure('jobAttempt', { type: type.name, outcome, seconds: secondsSince(startedAtMs) })
  try {
    await handler({ id, data, attempt: retryCount + 1, isLastAttempt })
    report('completed')
    return { id, status: 'completed' }
  } catch (error) {
    const isFinal = isLastAttempt || error instanceof FinalError
    report(isFinal ? 'failed' : 'retried')
    const output = { message: reasonOf(error) }
    if (error instanceof FinalError) return { id, status: 'deadletter', output }
    if (error instanceof RetryAfterError) await failUntil(boss, type, attempt, error)
    return { id, status: 'failed', output }
  }
}

/** Fails this attempt and delays the next one by the time that the error states. */
async function failUntil(
  boss: PgBoss,
  { name, retryDelay = 1, retryDelayMax = Number.POSITIVE_INFINITY }: JobType,
  { id, retryCount }: JobWithMetadata<unknown>,
  error: RetryAfterError,
): Promise<void> {
  await boss.fail(name, { id, retryCount }, { message: reasonOf(error) })
  const backoffSeconds = Math.min(retryDelayMax, retryDelay * 2 ** retryCount)
  await boss.update(name, undefined, { id, startAfter: Math.max(error.seconds, backoffSeconds) })
}
