import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** A form that a request locks, and which of the earlier locks and responses still count. */
interface SubmissionLock {
  hash: Buffer
  at: Date
  /** Responses before this moment are not used again. */
  respondedAfter: Date
  /** A form without a response was not completed when it was locked before this moment. */
  lockedAfter: Date
}

/** Locks a form for the request that makes its response; false when another request has locked it. */
export async function lockSignedOutSubmission(
  sql: Sql | Tx,
  { hash, at, respondedAfter, lockedAfter }: SubmissionLock,
): Promise<boolean> {
  const rows = await sql`
    insert into signed_out_submissions as known (hash, created_at) values (${hash}, ${at})
    on conflict (hash) do update set created_at = excluded.created_at, response = null
      where known.created_at < case when known.response is null then ${lockedAfter}::timestamptz
        else ${respondedAfter}::timestamptz end
    returning hash`
  return rows.length > 0
}

/** The response to a form; null while it is being made, and undefined when the form was deleted. */
export async function selectSignedOutResponse(
  sql: Sql | Tx,
  hash: Buffer,
): Promise<Buffer | null | undefined> {
  const [row] = await sql<{ response: Buffer | null }[]>`
    select response from signed_out_submissions where hash = ${hash}`
  return row?.response
}

/** Stores the response to a form. */
export async function updateSignedOutResponse(
  sql: Sql | Tx,
  hash: Buffer,
  response: Buffer,
): Promise<void> {
  await sql`update signed_out_submissions set response = ${response} where hash = ${hash}`
}

/** Deletes a form that was not accepted. */
export async function deleteSignedOutSubmission(sql: Sql | Tx, hash: Buffer): Promise<void> {
  await sql`delete from signed_out_submissions where hash = ${hash}`
}

/** Deletes the forms that were sent before a moment. */
export async function deleteSignedOutSubmissionsBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'signed_out_submissions', sql`created_at < ${moment}`)
}
