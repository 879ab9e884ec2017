import type { Sql, Tx } from '../../lib/db.ts'

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

/** True once anybody has an account here. */
export async function hasAccounts(sql: Sql | Tx): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`select exists (select from accounts) as found`
  return row?.found === true
}

/** Stores an account with its password's hash; false when the address has one already. */
export async function insertAccount(
  sql: Sql | Tx,
  account: AccountRow,
  credential: { id: string; password: string },
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    with account as (
      insert into accounts (id, email, name, email_verified, created_at, updated_at)
      values (${account.id}, ${account.email}, ${account.name}, true, ${at}, ${at})
      on conflict (email) do nothing returning id
    )
    insert into credentials (id, account_id, provider_id, provider_account_id, password, created_at, updated_at)
    select ${credential.id}, id, 'credential', id, ${credential.password}, ${at}, ${at} from account
    returning id`
  return rows.length > 0
}

export async function updateAccountName(sql: Sql, accountId: string, name: string): Promise<void> {
  await sql`update accounts set name = ${name}, updated_at = now() where id = ${accountId}`
}

/** Ends every session of an account. */
export async function deleteSessions(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId}`
}

/** Keeps which team a session looks at. */
export async function updateSessionTeam(
  sql: Sql,
  sessionId: string,
  teamId: string,
): Promise<void> {
  await sql`update sessions set team_id = ${teamId} where id = ${sessionId}`
}

/**
 * Takes one attempt of a subject, by GCRA: `full_again_at` is when the whole burst is free again, and
 * runs ahead by `interval` with each attempt. Gives the ms to wait, 0 when the attempt is allowed.
 * One statement, so that attempts at the same moment count one by one.
 */
export async function takeAttempt(
  sql: Sql,
  subject: Buffer,
  at: Date,
  { burst, intervalMs }: { burst: number; intervalMs: number },
): Promise<number> {
  const first = new Date(at.getTime() + intervalMs)
  const latest = new Date(at.getTime() + (burst - 1) * intervalMs)
  const rows = await sql`
    insert into attempts as a (subject, full_again_at) values (${subject}, ${first})
    on conflict (subject) do update
      set full_again_at = greatest(a.full_again_at, ${at}) + make_interval(secs => ${intervalMs / 1000})
      where a.full_again_at <= ${latest}
    returning subject`
  if (rows.length > 0) return 0
  const [row] = await sql<{ wait: number }[]>`
    select (extract(epoch from full_again_at - ${latest}::timestamptz) * 1000)::float8 as wait
    from attempts where subject = ${subject}`
  return Math.max(row?.wait ?? 0, 1)
}

/** Gives attempts back to a subject. */
export async function giveBackAttempts(sql: Sql, subject: Buffer, byMs: number): Promise<void> {
  await sql`
    update attempts set full_again_at = full_again_at - make_interval(secs => ${byMs / 1000})
    where subject = ${subject}`
}

/** Drops what no longer holds anybody back. */
export async function deleteSpentAttempts(sql: Sql, at: Date): Promise<void> {
  await sql`delete from attempts where full_again_at < ${at}`
}
