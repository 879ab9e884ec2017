import type { Sql, Tx } from '../../lib/database/db.ts'

export interface EncryptedEmailRow {
  id: string
  team_id: string | null
  encrypted: Uint8Array
}

/** Stores an email until its link ends. */
export async function insertEncryptedEmail(
  tx: Tx,
  { id, team_id, encrypted }: EncryptedEmailRow,
  { at, expiresAt }: { at: Date; expiresAt: Date },
): Promise<void> {
  await tx`
    insert into account_emails (id, team_id, encrypted, expires_at, created_at)
    values (${id}, ${team_id}, ${encrypted}, ${expiresAt}, ${at})`
}

/** An email that has not been sent and whose link still works. */
export async function selectEncryptedEmail(
  sql: Sql,
  teamId: string | null,
  id: string,
  at: Date,
): Promise<EncryptedEmailRow | undefined> {
  const [row] = await sql<EncryptedEmailRow[]>`
    select id, team_id, encrypted from account_emails
    where team_id is not distinct from ${teamId} and id = ${id} and expires_at > ${at}`
  return row
}

/** Deletes an email that was sent. */
export async function deleteEncryptedEmail(
  sql: Sql,
  teamId: string | null,
  id: string,
): Promise<void> {
  await sql`
    delete from account_emails where team_id is not distinct from ${teamId} and id = ${id}`
}

/** Deletes emails whose links have ended. */
export async function deleteExpiredEmails(sql: Sql | Tx, at: Date): Promise<void> {
  await sql`delete from account_emails where expires_at <= ${at}`
}
