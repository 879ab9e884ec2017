import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'
import type { OutgoingMail } from '../../lib/mail/mail.ts'

export interface PreviewRow {
  id: string
  team_id: string
  newsletter_id: string
  /** The key that sent it, or else the member who sent it. */
  api_key_id: string | null
  member_id: string | null
  subject: string
  html: string
  text: string
  queued_at: Date
}

/** Stores a preview as it will be emailed. */
export async function insertPreview(tx: Tx, row: PreviewRow): Promise<void> {
  await tx`
    insert into previews (id, team_id, newsletter_id, api_key_id, member_id, subject, html, text,
      queued_at)
    values (${row.id}, ${row.team_id}, ${row.newsletter_id}, ${row.api_key_id}, ${row.member_id},
      ${row.subject}, ${row.html}, ${row.text}, ${row.queued_at})`
}

/** Deletes a team's previews that were queued before a moment, and their emails. */
export async function deletePreviews(tx: Tx, teamId: string, before: Date): Promise<void> {
  await tx`delete from previews where team_id = ${teamId} and queued_at < ${before}`
}

/** Counts emails of a team on a day (UTC, `YYYY-MM-DD`); false when they would exceed the limit. */
export async function reserveMails(
  tx: Tx,
  teamId: string,
  { day, emails, limit }: { day: string; emails: number; limit: number },
): Promise<boolean> {
  const rows = await tx`
    insert into preview_daily_usage as c (team_id, day, emails) values (${teamId}, ${day}, ${emails})
    on conflict (team_id, day) do update set emails = c.emails + excluded.emails
      where c.emails + excluded.emails <= ${limit}
    returning 1`
  return rows.length > 0
}

/** How many emails of a team count on a day. */
export async function selectCounted(tx: Tx, teamId: string, day: string): Promise<number> {
  const [row] = await tx<{ emails: number }[]>`
    select emails from preview_daily_usage where team_id = ${teamId} and day = ${day}`
  return row?.emails ?? 0
}

/** Stores the emails of a preview. */
export async function insertEmails(
  tx: Tx,
  { id: preview_id, team_id }: PreviewRow,
  emails: readonly { id: string; recipient: string }[],
): Promise<void> {
  await tx`insert into preview_emails ${tx(emails.map((email) => ({ ...email, preview_id, team_id })))}`
}

interface UnsentEmail extends OutgoingMail {
  /** The newsletter of its preview. */
  newsletter: string
  /** Whether an earlier attempt has failed. */
  hasFailed: boolean
}

/** An email of a preview that has not been sent; undefined once its recipient is no member any more. */
export async function selectUnsentEmail(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<UnsentEmail | undefined> {
  const [row] = await sql<UnsentEmail[]>`
    select m.id, m.team_id as "teamId", m.recipient, p.subject, p.html, p.text,
      p.newsletter_id as newsletter, m.last_error is not null as "hasFailed"
    from preview_emails m join previews p on p.team_id = m.team_id and p.id = m.preview_id
      join members r on r.team_id = m.team_id and r.email = m.recipient
    where m.team_id = ${teamId} and m.id = ${id} and m.status <> 'sent' and r.removed_at is null`
  return row
}

/** Stores that an email was sent. */
export async function updateSentEmail(
  sql: Sql,
  teamId: string,
  id: string,
  at: Date,
): Promise<void> {
  await sql`
    update preview_emails set status = 'sent', sent_at = ${at}, last_error = null
    where team_id = ${teamId} and id = ${id}`
}

/** Stores why an attempt failed, and whether it was the last one. Returns false when the email was sent. */
export async function updateFailedEmail(
  sql: Sql,
  teamId: string,
  id: string,
  { reason, isFinal }: { reason: string; isFinal: boolean },
): Promise<boolean> {
  const { count } = await sql`
    update preview_emails
    set last_error = ${reason}, status = ${isFinal ? 'failed' : 'queued'}
    where team_id = ${teamId} and id = ${id} and status <> 'sent'`
  return count > 0
}

/** An email of a preview that was not delivered. */
export interface UndeliveredEmail {
  newsletter_id: string
  recipient: string
  reason: string
  /** False when another attempt follows. */
  is_final: boolean
  /** When its preview was sent. */
  queued_at: Date
}

/** The emails of newsletters that were not delivered to members who have got no later one, newest first. */
export async function selectUndelivered(
  sql: Sql | Tx,
  teamId: string,
  newsletterIds: readonly string[],
  limit: number,
): Promise<UndeliveredEmail[]> {
  return await sql<UndeliveredEmail[]>`
    select newsletter_id, recipient, reason, status = 'failed' as is_final, queued_at from (
      select distinct on (p.newsletter_id, e.recipient) p.newsletter_id, e.recipient, e.status,
        e.last_error as reason, p.queued_at
      from previews p join preview_emails e on e.team_id = p.team_id and e.preview_id = p.id
        join members m on m.team_id = e.team_id and m.email = e.recipient
      where p.team_id = ${teamId} and p.newsletter_id = any(${[...newsletterIds]}) and m.removed_at is null
      order by p.newsletter_id, e.recipient, p.queued_at desc
    ) last
    where status <> 'sent' and reason is not null
    order by queued_at desc, recipient limit ${limit}`
}

/** Deletes all teams' previews queued before a moment, with their emails. */
export async function deletePreviewsBefore(sql: Sql | Tx, before: Date): Promise<void> {
  await deleteInSlices(sql, 'previews', sql`queued_at < ${before}`)
}

/** Deletes the counts of days before `day` (`YYYY-MM-DD`). */
export async function deleteDailyUsageBefore(sql: Sql | Tx, day: string): Promise<void> {
  await deleteInSlices(sql, 'preview_daily_usage', sql`day < ${day}`)
}
