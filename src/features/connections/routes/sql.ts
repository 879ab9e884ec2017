import type { Sql, Tx } from '../../../lib/database/db.ts'

export interface RouteRow {
  source: string
  target_team_id: string
  target_id: string
  /** Null when the target was removed. */
  target_team_name: string | null
  target_label: string | null
}

/** The routes of a connection: those without `*` first, then the longest. */
export async function selectRoutes(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
): Promise<RouteRow[]> {
  return await sql<RouteRow[]>`
    select r.source, r.target_team_id, r.target_id, t.name as target_team_name, c.label as target_label
    from connection_routes r
    left join connections c
      on c.team_id = r.target_team_id and c.id = r.target_id and c.removed_at is null
    left join teams t on t.id = c.team_id
    where r.team_id = ${teamId} and r.connection_id = ${connectionId}
    order by position('*' in r.source) > 0, length(r.source) desc, r.source
    limit 100`
}

interface NewRouteRow {
  connection_id: string
  source: string
  target_team_id: string
  target_id: string
  created_at: Date
}

/** Stores a route in place of an earlier one for the same source. */
export async function insertRoute(tx: Tx, teamId: string, row: NewRouteRow): Promise<void> {
  await tx`
    insert into connection_routes (team_id, connection_id, source, target_team_id, target_id, created_at)
    values (${teamId}, ${row.connection_id}, ${row.source}, ${row.target_team_id}, ${row.target_id}, ${row.created_at})
    on conflict (team_id, connection_id, source) do update
    set target_team_id = excluded.target_team_id, target_id = excluded.target_id, created_at = excluded.created_at`
}

/** Deletes a route; false when the connection has none for this source. */
export async function deleteRoute(
  tx: Tx,
  teamId: string,
  connectionId: string,
  source: string,
): Promise<boolean> {
  const rows = await tx`
    delete from connection_routes
    where team_id = ${teamId} and connection_id = ${connectionId} and source = ${source}
    returning source`
  return rows.length > 0
}

/** Deletes all routes of a connection. */
export async function deleteRoutes(tx: Tx, teamId: string, connectionId: string): Promise<void> {
  await tx`
    delete from connection_routes where team_id = ${teamId} and connection_id = ${connectionId}`
}
