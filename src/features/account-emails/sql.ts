import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

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
  await deleteInSlices(sql, 'account_emails', sql`expires_at <= ${at}`)
}

/** The changes of an account that its person gets an email about, because an attacker would hide them. */
export type AccountChange =
  | 'passkey_added'
  | 'passkey_removed'
  | 'authenticator_added'
  | 'authenticator_removed'
  | 'backup_codes_created'
  | 'backup_code_used'
  | 'password_changed'
  | 'password_reset'
  | 'password_link_made'
  | 'sign_in_link_made'
  | 'second_factor_reset'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'credentials_replaced'
  | 'chat_account_linked'

/** A change of an account that its person has no email about yet. */
export interface ChangeRow {
  id: string
  account_id: string
  change: AccountChange
  /** The passkey, the identity provider, the chat account or the admin; null for none and for an operator. */
  detail: string | null
  /** The network address of the person; null when somebody else made the change. */
  address: string | null
  created_at: Date
}

/** Stores a change of an account until the email about it is stored. */
export async function insertChange(tx: Tx, change: ChangeRow): Promise<void> {
  await tx`insert into account_changes ${tx({ ...change })}`
}

/** Locks and returns the changes of an account, the first one first, without those that another job has locked. */
export async function lockChanges(tx: Tx, accountId: string): Promise<ChangeRow[]> {
  return await tx<ChangeRow[]>`
    select id, account_id, change, detail, address, created_at from account_changes
    where account_id = ${accountId} order by id for update skip locked`
}

/** Deletes changes whose email is stored. */
export async function deleteChanges(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`delete from account_changes where id = any(${[...ids]})`
}

/** Deletes the changes before a moment. */
export async function deleteChangesBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'account_changes', sql`created_at < ${moment}`)
}
