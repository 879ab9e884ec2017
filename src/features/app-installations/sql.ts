import type { Sql, Tx } from '../../lib/database/db.ts'

export interface InstallationRow {
  team_id: string
  connection_id: string
  adapter: string
  workspace_id: string
  installed_at: Date
  expires_at: Date | null
}

/** Locks a workspace, also one without an installation, until the transaction ends. Returns its installation. */
export async function lockInstallation(
  tx: Tx,
  adapter: string,
  workspaceId: string,
): Promise<Pick<InstallationRow, 'team_id' | 'connection_id'> | undefined> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`install_app\n${adapter}\n${workspaceId}`}, 0))`
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

/** Stores an installation, or that it was repeated. False when another connection has its workspace. */
export async function upsertInstallation(tx: Tx, row: InstallationRow): Promise<boolean> {
  const rows = await tx`
    insert into app_installations as stored
      (team_id, connection_id, adapter, workspace_id, installed_at, expires_at)
    values (${row.team_id}, ${row.connection_id}, ${row.adapter}, ${row.workspace_id},
      ${row.installed_at}, ${row.expires_at})
    on conflict (adapter, workspace_id) do update
      set installed_at = excluded.installed_at, expires_at = excluded.expires_at, refreshing_until = null,
        refresh_problem = null
      where stored.team_id = excluded.team_id and stored.connection_id = excluded.connection_id
    returning team_id`
  return rows.length > 0
}

interface RefreshRow extends Pick<InstallationRow, 'team_id' | 'connection_id' | 'adapter'> {
  expires_at: Date
  refreshing_until: Date
}

interface RefreshChoice {
  adapters: readonly string[]
  startedAt: Date
  expiresBefore: Date
  refreshMs: number
}

/**
 * Chooses the installation, of any team, whose token expires before a moment and whose last refresh began the
 * longest time ago, for one process. Those of disconnected connections are left out.
 */
export async function startRefreshRow(
  sql: Sql | Tx,
  { adapters, startedAt, expiresBefore, refreshMs }: RefreshChoice,
): Promise<RefreshRow | undefined> {
  // In milliseconds, as the process reads it.
  const until = sql`date_trunc('milliseconds', clock_timestamp()) + ${refreshMs} * interval '1 millisecond'`
  const [row] = await sql<RefreshRow[]>`
    with chosen as materialized (
      select due.team_id, due.connection_id from app_installations due
      join connections c on c.team_id = due.team_id and c.id = due.connection_id
      where due.expires_at < ${expiresBefore} and due.adapter = any(${[...adapters]})
        and c.disconnected_at is null
        and (due.refreshing_until is null or due.refreshing_until < ${startedAt})
      order by due.refreshing_until nulls first, due.expires_at limit 1 for update of due skip locked
    )
    update app_installations i set refreshing_until = ${until} from chosen
    where i.team_id = chosen.team_id and i.connection_id = chosen.connection_id
    returning i.team_id, i.connection_id, i.adapter, i.expires_at, i.refreshing_until`
  return row
}

interface Refresh {
  teamId: string
  connectionId: string
  refreshingUntil: Date
}

/** Whether nothing has ended a refresh. The installation is locked until the transaction ends. */
export async function isRefreshing(
  tx: Tx,
  { teamId, connectionId, refreshingUntil }: Refresh,
): Promise<boolean> {
  const rows = await tx`
    select from app_installations
    where team_id = ${teamId} and connection_id = ${connectionId} and refreshing_until = ${refreshingUntil}
    for update`
  return rows.length > 0
}

/** Ends a refresh and stores when the new token expires. False when something else has ended it. */
export async function updateExpiry(
  tx: Tx,
  { teamId, connectionId, refreshingUntil }: Refresh,
  expiresAt: Date | null,
): Promise<boolean> {
  const rows = await tx`
    update app_installations
    set expires_at = ${expiresAt}, refreshing_until = null, refresh_problem = null
    where team_id = ${teamId} and connection_id = ${connectionId} and refreshing_until = ${refreshingUntil}
    returning team_id`
  return rows.length > 0
}

/** Stores why a token is not exchanged, unless something has ended the refresh. */
export async function updateRefreshProblem(
  sql: Sql | Tx,
  { teamId, connectionId, refreshingUntil }: Refresh,
  problem: string,
): Promise<void> {
  await sql`
    update app_installations set refresh_problem = ${problem}
    where team_id = ${teamId} and connection_id = ${connectionId} and refreshing_until = ${refreshingUntil}`
}

/** A removed connection whose secrets are not deleted yet. */
export interface RemovedRow {
  id: string
  team_id: string
  adapter: string
  removed_at: Date
  settings: Record<string, unknown>
  encrypted: Buffer
  is_in_use: boolean
}

/** Removed connections of all teams whose secrets are not deleted yet, the oldest first. */
export async function selectRemovedWithSecrets(sql: Sql, limit: number): Promise<RemovedRow[]> {
  return await sql<RemovedRow[]>`
    select c.id, c.team_id, c.adapter, c.removed_at, c.settings, c.encrypted,
      exists (
        select from app_installations i
        where i.adapter = c.adapter and i.workspace_id = c.settings ->> 'workspace_id'
      ) as is_in_use
    from connections c
    where c.removed_at is not null and c.encrypted is not null
    order by c.removed_at limit ${limit}`
}

/** Deletes the secrets of a removed connection. */
export async function deleteSecrets(sql: Sql, teamId: string, id: string): Promise<void> {
  await sql`
    update connections set encrypted = null
    where team_id = ${teamId} and id = ${id} and removed_at is not null`
}
