import type { Sql, Tx } from '../../lib/db.ts'

/** Ends every session of an account. */
export async function deleteSessions(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId}`
}

/** An open session, as its owner sees it. */
export interface OpenSession {
  id: string
  /** The network address from which it was started. */
  ip_address: string | null
  user_agent: string | null
  created_at: Date
  /** When it was last renewed; see `renewSeconds`. */
  updated_at: Date
}

/** The sessions of an account that end after `at`, the last used first. */
export async function selectSessions(
  sql: Sql | Tx,
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
  sql: Sql | Tx,
  accountId: string,
  id: string,
): Promise<OpenSession | undefined> {
  const [ended] = await sql<OpenSession[]>`
    delete from sessions where account_id = ${accountId} and id = ${id}
    returning id, ip_address, user_agent, created_at, updated_at`
  return ended
}

/** Ends every session of an account except one. */
export async function deleteOtherSessions(
  sql: Sql | Tx,
  accountId: string,
  exceptId: string,
): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId} and id <> ${exceptId}`
}

/** Stores the team that a session shows. */
export async function updateSessionTeam(
  sql: Sql | Tx,
  sessionId: string,
  teamId: string,
): Promise<void> {
  await sql`update sessions set team_id = ${teamId} where id = ${sessionId}`
}

/** Ends every link for a new password of an account. */
export async function deleteResetTokens(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`delete from account_tokens where value = ${accountId}`
}

/** Deletes the sessions and the links for a new password that ended before `at`. */
export async function deleteEnded(sql: Sql, at: Date): Promise<void> {
  await sql`delete from sessions where expires_at < ${at}`
  await sql`delete from account_tokens where expires_at < ${at}`
}
