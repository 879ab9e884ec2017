import type { Sql, Tx } from '../../lib/db.ts'

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

/** Drops sessions and links for a new password that ended before a moment. */
export async function deleteEnded(sql: Sql, at: Date): Promise<void> {
  await sql`delete from sessions where expires_at < ${at}`
  await sql`delete from account_tokens where expires_at < ${at}`
}
