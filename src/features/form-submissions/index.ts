import { daysBefore } from '../../lib/clock.ts'
import type { ServiceContext, TxContext } from '../../lib/context.ts'
import {
  deleteSubmissionsBefore,
  deleteSurplusSubmissions,
  type FormSubmission,
  insertSubmission,
  lockSubmission,
  type SubmissionResult,
  selectSubmission,
} from './sql.ts'

export { claimSignedOutSubmission, purgeSignedOutSubmissions } from './signed-out.ts'
export type { FormSubmission, SubmissionResult } from './sql.ts'

const retentionDays = 1
const maxSubmissions = 100

/**
 * Locks a form that a person has sent until the transaction ends. Returns the result when the same form was
 * accepted before, and null when it is sent for the first time.
 */
export async function acquireSubmission(
  { sql }: TxContext,
  submission: FormSubmission,
): Promise<SubmissionResult | null> {
  await lockSubmission(sql, submission)
  return (await selectSubmission(sql, submission)) ?? null
}

/**
 * Stores the result of a form in the transaction of its change, for a day and for the last 100 forms of a
 * member.
 */
export async function storeSubmission(
  { sql, now, actor }: TxContext,
  { result, ...submission }: FormSubmission & { result: SubmissionResult },
): Promise<void> {
  await insertSubmission(sql, actor.teamId, submission, { ...result, createdAt: now() })
  await deleteSurplusSubmissions(sql, actor.teamId, submission.memberId, maxSubmissions)
}

/** Deletes the submissions of all teams after a day. */
export async function purgeFormSubmissions({ sql, now }: ServiceContext): Promise<void> {
  await deleteSubmissionsBefore(sql, daysBefore(now(), retentionDays))
}
