import type { Logger } from 'pino'
import * as v from 'valibot'
import { FinalError, type Job, type JobType, RetryAfterError } from '../queue/index.ts'
import { type MailTransport, type OutgoingMail, sendFailure } from './mail.ts'

/**
 * An email is retried for about a day: after the growing delays of `failedAttempt` when the mail server has
 * failed, and soon when it was interrupted.
 */
export const emailRetries = {
  retryLimit: 12,
  retryDelay: 10,
  // Longer than an outage of the database in which no heartbeat is stored, so that no email is sent twice.
  // The email of a process that died is sent after this time and `retryDelay`.
  heartbeatSeconds: 60,
} satisfies Omit<JobType, 'name'>

const firstDelaySeconds = 60
const maxDelaySeconds = 4 * 3_600

/** The data of a job that sends one stored email. Jobs in backups of earlier releases lack a `teamId` that is null. */
export const EmailJobData = v.object({
  teamId: v.nullish(v.string(), null),
  emailId: v.string(),
})
export type EmailJobData = v.InferOutput<typeof EmailJobData>

/** Why an email was not sent. No attempt follows when it is final. */
interface EmailFailure {
  reason: string
  isFinal: boolean
}

/**
 * Makes one attempt to send an email. A failure is logged and passed to `onFailure`; then the error is thrown
 * with which the job ends its attempt.
 */
export async function sendEmail(
  { log, mail }: { log: Logger; mail: MailTransport },
  job: Job,
  email: OutgoingMail,
  onFailure: (failure: EmailFailure) => Promise<void> = async () => {},
): Promise<void> {
  try {
    await mail.send(email)
  } catch (error) {
    const failure = failedAttempt(error, job)
    const isFinal = failure instanceof FinalError || job.isLastAttempt
    const { id: emailId, teamId } = email
    log.warn({ emailId, teamId, isFinal, reason: failure.message }, 'email was not sent')
    await onFailure({ reason: failure.message, isFinal })
    throw failure
  }
}

/**
 * The error with which a job ends its attempt at an email: a `FinalError` when no further one can succeed,
 * otherwise with the time until the next one. Its message is that of {@link sendFailure}.
 */
function failedAttempt(error: unknown, { attempt }: Job): Error {
  const failure = sendFailure(error)
  if (failure instanceof FinalError) return failure
  const seconds = Math.min(maxDelaySeconds, firstDelaySeconds * 2 ** (attempt - 1))
  return new RetryAfterError(seconds, failure)
}
