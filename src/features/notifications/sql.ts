import type { Language } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** What a person can switch notifications on for. */
export type NotificationKind = 'mentions' | 'assignments' | 'reminders' | 'drafts'

/** A member who gets a notification. */
export interface Recipient {
  id: string
  name: string
  /** The language that the person has chosen for the console, or null. */
  language: string | null
  team_language: Language
  team_name: string
  /** The IANA time zone of the person, or null. */
  time_zone: string | null
}

const wants = (sql: Sql | Tx, kind: NotificationKind) =>
  kind === 'drafts' ? sql`a.draft_digest <> 'off'` : sql`${sql(`a.notify_${kind}`)}`

/** Those of these members who have an account and want notifications of a kind. */
export async function selectRecipients(
  sql: Sql | Tx,
  teamId: string,
  memberIds: readonly string[],
  kind: NotificationKind,
): Promise<Recipient[]> {
  return await sql<Recipient[]>`
    select m.id, m.name, a.language, t.language as team_language,
      t.name as team_name, a.time_zone
    from members m join accounts a on a.id = m.account_id join teams t on t.id = m.team_id
    where m.team_id = ${teamId} and m.id = any(${[...memberIds]}) and m.removed_at is null
      and ${wants(sql, kind)}
    order by m.id`
}

/** An email to a member. */
export interface NotificationEmail {
  id: string
  memberId: string
  subject: string
  html: string
  text: string
}

/** Stores emails until they are sent, a few hundred at most. */
export async function insertNotificationEmails(
  tx: Tx,
  teamId: string,
  emails: readonly NotificationEmail[],
  at: Date,
): Promise<void> {
  const rows = emails.map(({ memberId, ...email }) => ({
    ...email,
    team_id: teamId,
    member_id: memberId,
    created_at: at,
  }))
  await tx`insert into notification_emails ${tx(rows)}`
}

/** An email that has not been sent, with the address of the member; undefined once they were removed. */
export async function selectNotificationEmail(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<{ recipient: string; subject: string; html: string; text: string } | undefined> {
  const [row] = await sql<{ recipient: string; subject: string; html: string; text: string }[]>`
    select m.email as recipient, e.subject, e.html, e.text
    from notification_emails e join members m on m.team_id = e.team_id and m.id = e.member_id
    where e.team_id = ${teamId} and e.id = ${id} and m.removed_at is null`
  return row
}

/** Deletes an email that was sent. */
export async function deleteNotificationEmail(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`delete from notification_emails where team_id = ${teamId} and id = ${id}`
}

/** Deletes the emails of all teams that were stored before a moment. */
export async function deleteNotificationEmailsBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'notification_emails', sql`created_at < ${moment}`)
}
