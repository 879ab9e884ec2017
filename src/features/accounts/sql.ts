import type { Sql, Tx } from '../../lib/database/db.ts'

export interface AccountRow {
  id: string
  email: string
  name: string
}

/** The account with this address, given in lower case. */
export async function selectAccountByEmail(
  sql: Sql | Tx,
  email: string,
): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`
    select id, email, name from accounts where email = ${email}`
  return row
}

/** The account with this id. */
export async function selectAccountById(
  sql: Sql | Tx,
  id: string,
): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`select id, email, name from accounts where id = ${id}`
  return row
}

/** True once anybody has an account here. */
export async function existsAccount(sql: Sql | Tx): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`select exists (select from accounts) as found`
  return row?.found === true
}

/** Stores an account with its password's hash; false when the address has one already. */
export async function insertAccount(
  sql: Sql | Tx,
  account: AccountRow,
  credential: { id: string; password: string; isVerified: boolean },
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    with account as (
      insert into accounts (id, email, name, email_verified, created_at, updated_at)
      values (${account.id}, ${account.email}, ${account.name}, ${credential.isVerified}, ${at}, ${at})
      on conflict (email) do nothing returning id
    )
    insert into credentials (id, account_id, provider_id, provider_account_id, password, created_at, updated_at)
    select ${credential.id}, id, 'credential', id, ${credential.password}, ${at}, ${at} from account
    returning id`
  return rows.length > 0
}

/** Stores an account without a password, unless the address has one already. */
export async function insertAccountWithoutPassword(
  sql: Sql | Tx,
  account: AccountRow,
  at: Date,
): Promise<void> {
  await sql`
    insert into accounts (id, email, name, email_verified, created_at, updated_at)
    values (${account.id}, ${account.email}, ${account.name}, true, ${at}, ${at})
    on conflict (email) do nothing`
}

/** Stores the name of a person. */
export async function updateAccountName(
  sql: Sql | Tx,
  accountId: string,
  name: string,
): Promise<void> {
  await sql`update accounts set name = ${name}, updated_at = now() where id = ${accountId}`
}

/** Stores the time zone that a person has chosen. */
export async function updateChosenTimeZone(
  sql: Sql | Tx,
  accountId: string,
  timeZone: string,
): Promise<void> {
  await sql`
    update accounts set time_zone = ${timeZone}, time_zone_chosen = true, updated_at = now()
    where id = ${accountId}`
}

/** Stores that the browser of a person decides about the time zone again. */
export async function deleteChosenTimeZone(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`
    update accounts set time_zone_chosen = false, updated_at = now() where id = ${accountId}`
}

/** Stores the time zone of a person's browser, unless the person has chosen one. */
export async function updateReportedTimeZone(
  sql: Sql | Tx,
  accountId: string,
  timeZone: string,
): Promise<void> {
  await sql`
    update accounts set time_zone = ${timeZone}, updated_at = now()
    where id = ${accountId} and not time_zone_chosen`
}

/** How often a person gets the new drafts by email. */
export const draftDigests = ['off', 'daily', 'weekly'] as const
export type DraftDigest = (typeof draftDigests)[number]

/** Which emails a person gets, and whether letters are shortcuts in the console. */
export interface PersonalSettings {
  notify_mentions: boolean
  notify_assignments: boolean
  notify_reminders: boolean
  draft_digest: DraftDigest
  keyboard_shortcuts: boolean
}

/** The personal settings of an account. */
export async function selectPersonalSettings(
  sql: Sql | Tx,
  accountId: string,
): Promise<PersonalSettings | undefined> {
  const [row] = await sql<PersonalSettings[]>`
    select notify_mentions, notify_assignments, notify_reminders, draft_digest, keyboard_shortcuts
    from accounts where id = ${accountId}`
  return row
}

/** Stores the given personal settings of an account. */
export async function updatePersonalSettings(
  sql: Sql | Tx,
  accountId: string,
  settings: Partial<PersonalSettings>,
): Promise<void> {
  await sql`update accounts set ${sql(settings)}, updated_at = now() where id = ${accountId}`
}

/** Lets the first digest of a person who gets none yet begin at a moment, in all teams. */
export async function updateDigestStart(sql: Sql | Tx, accountId: string, at: Date): Promise<void> {
  await sql`
    update members m set draft_digest_at = ${at} from accounts a
    where a.id = ${accountId} and a.draft_digest = 'off' and m.account_id = a.id`
}

/** Stores the language of a person. */
export async function updateAccountLanguage(
  sql: Sql | Tx,
  accountId: string,
  language: string | null,
): Promise<void> {
  await sql`update accounts set language = ${language}, updated_at = now() where id = ${accountId}`
}
