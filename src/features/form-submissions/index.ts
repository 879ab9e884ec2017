import { daysBefore } from '../../lib/clock.ts'
import type { ServiceContext, TxContext } from '../../lib/context.ts'
import {
  deleteFormSubmissionsBefore,
  deleteSurplusFormSubmissions,
  type FormSubmission,
  type FormSubmissionResult,
  insertFormSubmission,
  lockFormSubmission,
  selectFormSubmission,
} from './sql.ts'

export { acquireSignedOutSubmission, purgeSignedOutSubmissions } from './signed-out.ts'
export type { FormSubmission, FormSubmissionResult } from './sql.ts'

const retentionDays = 1
const maxPerMember = 100

/**
 * Locks a form that a person has sent until the transaction ends. Returns the result when the same form was
 * accepted before, and null when it is sent for the first time.
 */
export async function acquireFormSubmission(
  { sql }: TxContext,
  submission: FormSubmission,
): Promise<FormSubmissionResult | null> {
  await lockFormSubmission(sql, submission)
  return (await selectFormSubmission(sql, submission)) ?? null
}

/**
 * Stores the result of a form in the transaction of its change, for a day and for the last 100 forms of a
 * member.
 */
export async function storeFormSubmission(
  { sql, now, actor }: TxContext,
  { result, ...submission }: FormSubmission & { result: FormSubmissionResult },
): Promise<void> {
  await insertFormSubmission(sql, actor.teamId, submission, { ...result, createdAt: now() })
  await deleteSurplusFormSubmissions(sql, actor.teamId, submission.memberId, maxPerMember)
}

/** Deletes the form submissions of all teams after a day. */
export async function purgeFormSubmissions({ sql, now }: ServiceContext): Promise<void> {
  await deleteFormSubmissionsBefore(sql, daysBefore(now(), retentionDays))
}
