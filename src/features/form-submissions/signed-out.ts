import { setTimeout } from 'node:timers/promises'
import { daysBefore } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import {
  deleteSignedOutSubmission,
  deleteSignedOutSubmissionsBefore,
  lockSignedOutSubmission,
  selectSignedOutResponse,
  updateSignedOutResponse,
} from './signed-out-sql.ts'

const retentionDays = 1
/** How long a response is used again, in ms: longer than two clicks take, or a browser that tries again. */
const reuseMs = 60_000
/** How long a second request waits for the response of the first one, in ms: less than browsers wait. */
const lockMs = 8_000
const pollMs = 100

/** A form that was sent without a session: its first request makes the response, the others get it. */
type SignedOutSubmission =
  | {
      isFirst: true
      /** Stores the response, for a minute. */
      keep(response: Buffer): Promise<void>
      /** The form was not accepted: the same form sent again is tried again. */
      release(): Promise<void>
    }
  | { isFirst: false; response: Buffer }

/**
 * Acquires a form by a hash that nobody can guess. When the same form is being accepted by another request,
 * waits for its response; a request that takes longer than 8 s counts as failed.
 */
export async function acquireSignedOutSubmission(
  { sql, now }: ServiceContext,
  hash: Buffer,
): Promise<SignedOutSubmission> {
  for (;;) {
    const at = now()
    const respondedAfter = new Date(at.getTime() - reuseMs)
    const lockedAfter = new Date(at.getTime() - lockMs)
    if (
      await withDeadline(lockSignedOutSubmission(sql, { hash, at, respondedAfter, lockedAfter }))
    ) {
      return {
        isFirst: true,
        keep: (response) => withDeadline(updateSignedOutResponse(sql, hash, response)),
        release: () => withDeadline(deleteSignedOutSubmission(sql, hash)),
      }
    }
    const response = await withDeadline(selectSignedOutResponse(sql, hash))
    if (response) return { isFirst: false, response }
    // The first request is under way; nothing announces its response.
    await setTimeout(pollMs)
  }
}

/** Deletes forms that were sent without a session after a day. */
export async function purgeSignedOutSubmissions({ sql, now }: ServiceContext): Promise<void> {
  await deleteSignedOutSubmissionsBefore(sql, daysBefore(now(), retentionDays))
}
