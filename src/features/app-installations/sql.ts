import type { Sql, Tx } from '../../lib/database/db.ts'

export interface InstallationRow {
  team_id: string
  connection_id: string
  adapter: string
  workspace_id: string
  installed_at: Date
  expires_at: Date | null
}

/** The installation in a workspace, locked until the transaction ends. */
export async function lockInstallation(
  tx: Tx,
  adapter: string,
  workspaceId: string,
): Promise<Pick<InstallationRow, 'team_id' | 'connection_id'> | undefined> {
  const [row] = await tx<Pick<InstallationRow, 'team_id' | 'connection_id'>[]>`
    select team_id, connection_id from app_installations
    where adapter = ${adapter} and workspace_id = ${workspaceId} for update`
  return row
}

/** The installations in these workspaces. A workspace identifies the team. */
export async function selectInstallations(
  sql: Sql | Tx,
  adapter: string,
  workspaceIds: readonly string[],
): Promise<Pick<InstallationRow, 'team_id' | 'connection_id' | 'workspace_id'>[]> {
  return await sql`
    select team_id, connection_id, workspace_id from app_installations
    where adapter = ${adapter} and workspace_id = any(${[...workspaceIds]})`
}

/** When the app was added through a connection; undefined for a connection to another app. */
export async function selectInstalledAt(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
): Promise<Date | undefined> {
  const [row] = await sql<Pick<InstallationRow, 'installed_at'>[]>`
    select installed_at from app_installations
    where team_id = ${teamId} and connection_id = ${connectionId}`
  return row?.installed_at
}

/** Stores an installation, or that it was repeated. False when another connection has its workspace. */
export async function upsertInstallation(tx: Tx, row: InstallationRow): Promise<boolean> {
  const rows = await tx`
    insert into app_installations as stored
      (team_id, connection_id, adapter, workspace_id, installed_at, expires_at)
    values (${row.team_id}, ${row.connection_id}, ${row.adapter}, ${row.workspace_id},
      ${row.installed_at}, ${row.expires_at})
    on conflict (adapter, workspace_id) do update
      set installed_at = excluded.installed_at, expires_at = excluded.expires_at, refreshing_until = null
      where stored.team_id = excluded.team_id and stored.connection_id = excluded.connection_id
    returning team_id`
  return rows.length > 0
}

/**
 * Chooses up to 50 installations of all teams whose token expires before a moment, for one process until
 * another moment. Those of disconnected connections are left out.
 */
export async function startRefreshRows(
  sql: Sql | Tx,
  { at, expiresBefore, until }: Record<'at' | 'expiresBefore' | 'until', Date>,
): Promise<InstallationRow[]> {
  return await sql<InstallationRow[]>`
    update app_installations i set refreshing_until = ${until}
    from (
      select due.team_id, due.connection_id from app_installations due
      join connections c on c.team_id = due.team_id and c.id = due.connection_id
      where due.expires_at < ${expiresBefore} and c.disconnected_at is null
        and (due.refreshing_until is null or due.refreshing_until < ${at})
      order by due.expires_at limit 50 for update of due skip locked
    ) as chosen
    where i.team_id = chosen.team_id and i.connection_id = chosen.connection_id
    returning i.team_id, i.connection_id, i.adapter, i.workspace_id, i.installed_at, i.expires_at`
}

/** Stores when the new token expires. False when the app was added again, or removed, in the meantime. */
export async function updateExpiry(
  tx: Tx,
  {
    team_id,
    connection_id,
    installed_at,
    expires_at,
  }: Pick<InstallationRow, 'team_id' | 'connection_id' | 'installed_at' | 'expires_at'>,
): Promise<boolean> {
  const rows = await tx`
    update app_installations set expires_at = ${expires_at}, refreshing_until = null
    where team_id = ${team_id} and connection_id = ${connection_id} and installed_at = ${installed_at}
    returning team_id`
  return rows.length > 0
}
