import type { Sql, Tx } from '../../../lib/database/db.ts'

/**
 * Stores that the provider does not accept a connection any more since a moment (whole seconds), unless it was
 * connected later. Returns its adapter, and null when nothing has changed.
 */
export async function updateDisconnected(
  sql: Sql | Tx,
  { id, team_id, reason, at }: { id: string; team_id: string; reason: string; at: Date },
): Promise<string | null> {
  const [row] = await sql<{ adapter: string }[]>`
    update connections set disconnected_at = ${at}, disconnected_reason = ${reason}
    where team_id = ${team_id} and id = ${id} and removed_at is null and disconnected_at is null
      and (connected_at is null or date_trunc('second', connected_at) <= ${at})
    returning adapter`
  return row?.adapter ?? null
}

/** Stores that a connection has a new token, with which the provider accepts it. */
export async function updateConnected(
  sql: Sql | Tx,
  teamId: string,
  id: string,
  at: Date,
): Promise<void> {
  await sql`
    update connections
    set connected_at = ${at}, disconnected_at = null, disconnected_reason = null, token_problem = null
    where team_id = ${teamId} and id = ${id} and removed_at is null`
}

/** Stores why the provider does not accept the token of a connection, unless it has got another one since. */
export async function updateTokenProblem(
  sql: Sql | Tx,
  teamId: string,
  { id, problem, startedAt }: { id: string; problem: string; startedAt: Date },
): Promise<void> {
  await sql`
    update connections set token_problem = ${problem}
    where team_id = ${teamId} and id = ${id} and removed_at is null
      and token_problem is distinct from ${problem}
      and (connected_at is null or connected_at <= ${startedAt})`
}

/** Stores that the provider accepts the token of a connection. */
export async function clearTokenProblemRow(
  sql: Sql | Tx,
  teamId: string,
  id: string,
): Promise<void> {
  await sql`
    update connections set token_problem = null
    where team_id = ${teamId} and id = ${id} and token_problem is not null`
}

/** Stores that the token of a connection does not expire, which also ends a refresh in progress. */
export async function updateNeverExpires(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx`
    update app_installations set expires_at = null, refreshing_until = null, refresh_problem = null
    where team_id = ${teamId} and connection_id = ${id}`
}
