import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** A form that a person has sent. */
export interface FormSubmission {
  accountId: string
  /** The person's membership in the team of the session. */
  memberId: string
  /** The person's memberships in all teams, because a form can lead to another team. */
  memberships: readonly { id: string; team_id: string }[]
  /** SHA-256 of the form, its fields and the page view that it was on. */
  hash: Buffer
}

/** What the browser got when the form was accepted. */
export interface FormSubmissionResult {
  /** The path of the next page; null for a part of a page. */
  location: string | null
  /** `Set-Cookie` values. */
  cookies: string[]
}

/** Locks a form submission until the transaction ends, and waits for another transaction that has the lock. */
export async function lockFormSubmission(
  tx: Tx,
  { accountId, hash }: FormSubmission,
): Promise<void> {
  const name = `${accountId}\n${hash.toString('hex')}`
  await tx`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

/** The result of a form submission that was accepted. */
export async function selectFormSubmission(
  tx: Tx,
  { memberships, hash }: FormSubmission,
): Promise<FormSubmissionResult | undefined> {
  const teamIds = memberships.map(({ team_id }) => team_id)
  const memberIds = memberships.map(({ id }) => id)
  const [row] = await tx<FormSubmissionResult[]>`
    select location, cookies from form_submissions
    where team_id = any(${teamIds}) and member_id = any(${memberIds}) and hash = ${hash}`
  return row
}

/** Stores the result of a form submission. */
export async function insertFormSubmission(
  tx: Tx,
  teamId: string,
  { memberId, hash }: FormSubmission,
  { location, cookies, createdAt }: FormSubmissionResult & { createdAt: Date },
): Promise<void> {
  await tx`
    insert into form_submissions (team_id, member_id, hash, location, cookies, created_at)
    values (${teamId}, ${memberId}, ${hash}, ${location}, ${cookies}, ${createdAt})`
}

/** Deletes the form submissions of a member except the newest ones. */
export async function deleteSurplusFormSubmissions(
  tx: Tx,
  teamId: string,
  memberId: string,
  limit: number,
): Promise<void> {
  await tx`
    delete from form_submissions
    where team_id = ${teamId} and member_id = ${memberId} and hash in (
      select hash from form_submissions where team_id = ${teamId} and member_id = ${memberId}
      order by created_at desc offset ${limit}
    )`
}

/** Deletes the form submissions of all teams that were accepted before a moment. */
export async function deleteFormSubmissionsBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'form_submissions', sql`created_at < ${moment}`)
}
