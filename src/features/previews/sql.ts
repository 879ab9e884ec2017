import type { Sql, Tx } from '../../lib/db.ts'
import { mailChannel, type QueuedMail } from '../../lib/mailer.ts'

export interface PreviewRow {
  id: string
  team_id: string
  newsletter_id: string
  /** The key it was sent with, or else the member who sent it. */
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

/** Counts emails towards a team's day (UTC, `YYYY-MM-DD`); false when they would exceed the limit. */
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

/** How many emails count towards a team's day. */
export async function selectCounted(tx: Tx, teamId: string, day: string): Promise<number> {
  const [row] = await tx<{ emails: number }[]>`
    select emails from preview_daily_usage where team_id = ${teamId} and day = ${day}`
  return row?.emails ?? 0
}

/** Queues a preview's emails, and notifies the mailer when the transaction commits. */
export async function insertMails(
  tx: Tx,
  preview: PreviewRow,
  mails: readonly { id: string; recipient: string }[],
): Promise<void> {
  const { id: preview_id, team_id, queued_at: due_at } = preview
  await tx`insert into preview_emails ${tx(mails.map((mail) => ({ ...mail, preview_id, team_id, due_at })))}`
  await tx`select pg_notify(${mailChannel}, '')`
}

/**
 * Takes up to `limit` due mails of all teams, oldest first, each for one sender alone: until
 * `abandonedAt`, after which it is due again.
 */
export async function claimMails(
  sql: Sql,
  at: Date,
  abandonedAt: Date,
  limit: number,
): Promise<QueuedMail[]> {
  return await sql<QueuedMail[]>`
    with due as (
      select id from preview_emails where status = 'queued' and due_at <= ${at}
      order by due_at limit ${limit} for update skip locked
    )
    update preview_emails m set attempts = m.attempts + 1, due_at = ${abandonedAt}
    from due, previews p where m.id = due.id and p.id = m.preview_id
    returning m.id, m.team_id as "teamId", m.recipient, p.subject, p.html, p.text, m.attempts`
}

/** Stores that a mail has left. */
export async function updateSentMail(sql: Sql, mail: QueuedMail, at: Date): Promise<void> {
  await sql`
    update preview_emails set status = 'sent', sent_at = ${at}, last_error = null
    where team_id = ${mail.teamId} and id = ${mail.id}`
}

/** Stores that an attempt failed: the next one is due at `dueAt`, or null for never. */
export async function updateFailedMail(
  sql: Sql,
  mail: QueuedMail,
  reason: string,
  dueAt: Date | null,
): Promise<void> {
  await sql`
    update preview_emails set last_error = ${reason},
      status = ${dueAt === null ? 'failed' : 'queued'}, due_at = coalesce(${dueAt}, due_at)
    where team_id = ${mail.teamId} and id = ${mail.id} and status = 'queued'
      and attempts = ${mail.attempts}`
}

/** Deletes all teams' previews queued before a moment, with their emails. */
export async function deletePreviewsBefore(sql: Sql, before: Date): Promise<void> {
  await sql`delete from previews where queued_at < ${before}`
}

/** Deletes the counts of days before `day` (`YYYY-MM-DD`). */
export async function deleteDailyUsageBefore(sql: Sql, day: string): Promise<void> {
  await sql`delete from preview_daily_usage where day < ${day}`
}
