import type { Sql, Tx } from '../../lib/db.ts'

/** Ends every session of an account. */
export async function deleteSessions(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId}`
}

/** A session that holds, as its owner sees it. */
export interface OpenSession {
  id: string
  /** Where it was started from. */
  ip_address: string | null
  user_agent: string | null
  created_at: Date
  /** When it was last renewed; see `renewSeconds`. */
  updated_at: Date
}

/** The sessions of an account that end after a moment, the one used last first. */
export async function selectSessions(
  sql: Sql,
  accountId: string,
  at: Date,
  limit: number,
): Promise<OpenSession[]> {
  return await sql<OpenSession[]>`
    select id, ip_address, user_agent, created_at, updated_at from sessions
    where account_id = ${accountId} and expires_at > ${at}
    order by updated_at desc, id desc limit ${limit}`
}

/** Ends one session of an account; undefined when it has no such session. */
export async function deleteSession(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<OpenSession | undefined> {
  const [ended] = await sql<OpenSession[]>`
    delete from sessions where account_id = ${accountId} and id = ${id}
    returning id, ip_address, user_agent, created_at, updated_at`
  return ended
}

/** Ends every session of an account but one. */
export async function deleteOtherSessions(
  sql: Sql,
  accountId: string,
  keptId: string,
): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId} and id <> ${keptId}`
}

/** Keeps which team a session looks at. */
export async function updateSessionTeam(
  sql: Sql,
  sessionId: string,
  teamId: string,
): Promise<void> {
  await sql`update sessions set team_id = ${teamId} where id = ${sessionId}`
}

/** Ends every link for a new password of an account. */
export async function deleteResetTokens(sql: Sql, accountId: string): Promise<void> {
  await sql`delete from account_tokens where value = ${accountId}`
}

/** Drops sessions and links for a new password that ended before a moment. */
export async function deleteEnded(sql: Sql, at: Date): Promise<void> {
  await sql`delete from sessions where expires_at < ${at}`
  await sql`delete from account_tokens where expires_at < ${at}`
}
