import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** Which claims of a form are still valid. */
interface Claim {
  hash: Buffer
  at: Date
  /** Responses before this moment are not used again. */
  respondedAfter: Date
  /** A form without a response was not completed when it was claimed before this moment. */
  claimedAfter: Date
}

/** Claims a form for the request that makes its response; false when another request has claimed it. */
export async function insertClaim(
  sql: Sql | Tx,
  { hash, at, respondedAfter, claimedAfter }: Claim,
): Promise<boolean> {
  const rows = await sql`
    insert into signed_out_submissions as known (hash, created_at) values (${hash}, ${at})
    on conflict (hash) do update set created_at = excluded.created_at, response = null
      where known.created_at < case when known.response is null then ${claimedAfter}::timestamptz
        else ${respondedAfter}::timestamptz end
    returning hash`
  return rows.length > 0
}

/** The response to a form; null while it is being made, and undefined when the claim was deleted. */
export async function selectSignedOutResponse(
  sql: Sql | Tx,
  hash: Buffer,
): Promise<Buffer | null | undefined> {
  const [row] = await sql<{ response: Buffer | null }[]>`
    select response from signed_out_submissions where hash = ${hash}`
  return row?.response
}

/** Stores the response to a form. */
export async function updateResponse(sql: Sql | Tx, hash: Buffer, response: Buffer): Promise<void> {
  await sql`update signed_out_submissions set response = ${response} where hash = ${hash}`
}

/** Deletes the claim of a form that was not accepted. */
export async function deleteClaim(sql: Sql | Tx, hash: Buffer): Promise<void> {
  await sql`delete from signed_out_submissions where hash = ${hash}`
}

/** Deletes the forms that were sent before a moment. */
export async function deleteClaimsBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'signed_out_submissions', sql`created_at < ${moment}`)
}
