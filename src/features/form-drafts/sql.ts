import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

export interface FormDraftRow {
  /** The values of the form as the page sends them; empty when there is nothing to restore. */
  content: string
  savedAt: Date
}

/** Stores a draft of a member; returns false when a newer one is stored, or another one of the same time. */
export async function upsertFormDraft(
  sql: Sql | Tx,
  { teamId, memberId, form }: { teamId: string; memberId: string; form: string },
  { content, savedAt }: FormDraftRow,
): Promise<boolean> {
  const { count } = await sql`
    insert into form_drafts (team_id, member_id, form, content, saved_at)
    values (${teamId}, ${memberId}, ${form}, ${content}, ${savedAt})
    on conflict (team_id, member_id, form) do update
      set content = excluded.content, saved_at = excluded.saved_at
      where form_drafts.saved_at < excluded.saved_at
        -- The response to the first request was lost.
        or (form_drafts.saved_at = excluded.saved_at and form_drafts.content = excluded.content)`
  return count === 1
}

/** The draft of a member for a form. */
export async function selectFormDraft(
  sql: Sql | Tx,
  teamId: string,
  memberId: string,
  form: string,
): Promise<FormDraftRow | undefined> {
  const [row] = await sql<FormDraftRow[]>`
    select content, saved_at as "savedAt" from form_drafts
    where team_id = ${teamId} and member_id = ${memberId} and form = ${form}`
  return row
}

/** Deletes the drafts of a member except the newest ones. */
export async function deleteOldestDrafts(
  sql: Sql | Tx,
  teamId: string,
  memberId: string,
  limit: number,
): Promise<void> {
  await sql`
    delete from form_drafts
    where team_id = ${teamId} and member_id = ${memberId} and form in (
      select form from form_drafts where team_id = ${teamId} and member_id = ${memberId}
      order by saved_at desc offset ${limit}
    )`
}

/** Deletes the drafts of all teams that were stored before a moment. */
export async function deleteFormDraftsBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'form_drafts', sql`saved_at < ${moment}`)
}
