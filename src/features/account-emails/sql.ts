import type { Sql, Tx } from '../../lib/db.ts'
import { mailChannel, type QueuedMail } from '../../lib/mailer.ts'

export interface EncryptedEmailRow {
  id: string
  team_id: string | null
  encrypted: Uint8Array
  /** Including the present one. */
  attempts: number
}

/** Queues an email until its link ends, and notifies the mailer. */
export async function insertEncryptedEmail(
  sql: Sql | Tx,
  { id, team_id, encrypted }: Omit<EncryptedEmailRow, 'attempts'>,
  { at, expiresAt }: { at: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    with queued as (
      insert into account_emails (id, team_id, encrypted, due_at, expires_at, created_at)
      values (${id}, ${team_id}, ${encrypted}, ${at}, ${expiresAt}, ${at}) returning 1
    )
    select pg_notify(${mailChannel}, '') from queued`
}

/** Claims up to `limit` due emails whose links still work, the oldest first, each until `abandonedAt`. */
export async function claimEncryptedEmails(
  sql: Sql,
  at: Date,
  abandonedAt: Date,
  limit: number,
): Promise<EncryptedEmailRow[]> {
  return await sql<EncryptedEmailRow[]>`
    with due as (
      select id from account_emails where due_at <= ${at} and expires_at > ${at}
      order by due_at limit ${limit} for update skip locked
    )
    update account_emails m set attempts = m.attempts + 1, due_at = ${abandonedAt}
    from due where m.id = due.id
    returning m.id, m.team_id, m.encrypted, m.attempts`
}

type Attempt = Pick<QueuedMail, 'id' | 'teamId' | 'attempts'>

/** Deletes an email that was sent, or that nobody will send. */
export async function deleteEncryptedEmail(sql: Sql | Tx, { id, teamId }: Attempt): Promise<void> {
  await sql`
    delete from account_emails where team_id is not distinct from ${teamId} and id = ${id}`
}

/** Stores when an email is retried, unless another worker has claimed it since. */
export async function postponeEncryptedEmail(
  sql: Sql,
  { id, teamId, attempts }: Attempt,
  dueAt: Date,
): Promise<void> {
  await sql`
    update account_emails set due_at = ${dueAt}
    where team_id is not distinct from ${teamId} and id = ${id} and attempts = ${attempts}`
}

/** Deletes emails whose links have ended. */
export async function deleteExpiredEmails(sql: Sql, at: Date): Promise<void> {
  await sql`delete from account_emails where expires_at <= ${at}`
}
