import type { Language } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'

export interface ConnectionRow {
  id: string
  team_id: string
  adapter: string
  /** The name that people gave it. */
  label: string | null
  api_key_id: string
  key_prefix: string
  key_active: boolean
  /** Settings that are not secret, as they were entered. */
  settings: Record<string, unknown>
  encrypted: Buffer
  unknown_events: number
  created_at: Date
  /** The language of the team. */
  language: Language
  has_routes: boolean
  disconnected_at: Date | null
  /** Null until a process has read the encrypted settings. */
  uses_socket: boolean | null
}

export interface NewConnectionRow {
  id: string
  team_id: string
  adapter: string
  label: string | null
  webhook_token_hash: Buffer
  api_key_id: string
  settings: object
  encrypted: Buffer
  created_at: Date
  uses_socket: boolean
}

/** Stores a connection. */
export async function insertConnection(tx: Tx, row: NewConnectionRow): Promise<void> {
  await tx`
    insert into connections (id, team_id, adapter, label, webhook_token_hash, api_key_id, settings, encrypted,
      created_at, connected_at, uses_socket)
    values (${row.id}, ${row.team_id}, ${row.adapter}, ${row.label}, ${row.webhook_token_hash}, ${row.api_key_id},
      ${JSON.stringify(row.settings)}::text::json, ${row.encrypted}, ${row.created_at}, ${row.created_at},
      ${row.uses_socket})`
}

// A removed connection stays in the table for its deliveries; no query here returns it.
const connections = (sql: Sql | Tx) => sql`
  select c.id, c.team_id, c.adapter, c.label, c.api_key_id, k.prefix as key_prefix, c.settings, c.encrypted,
    c.unknown_events, c.created_at, c.disconnected_at, c.uses_socket, t.language,
    exists (select from connection_routes r where r.team_id = c.team_id and r.connection_id = c.id) as has_routes,
    k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp()) as key_active
  from connections c join api_keys k on k.team_id = c.team_id and k.id = c.api_key_id
  join teams t on t.id = c.team_id
  where c.removed_at is null`

/** A team's connections, newest first. */
export async function selectConnections(sql: Sql | Tx, teamId: string): Promise<ConnectionRow[]> {
  return await sql<ConnectionRow[]>`
    ${connections(sql)} and c.team_id = ${teamId}
    order by c.id desc limit 1000`
}

/** One connection of a team. */
export async function selectConnection(
  sql: Sql | Tx,
  teamId: string,
  id: string,
): Promise<ConnectionRow | undefined> {
  const [row] = await sql<ConnectionRow[]>`
    ${connections(sql)} and c.team_id = ${teamId} and c.id = ${id}`
  return row
}

/** The connection that a provider calls at this address. The address identifies the team. */
export async function selectByWebhookToken(
  sql: Sql | Tx,
  adapter: string,
  tokenHash: Buffer,
): Promise<ConnectionRow | undefined> {
  const [row] = await sql<ConnectionRow[]>`
    ${connections(sql)} and c.webhook_token_hash = ${tokenHash} and c.adapter = ${adapter}`
  return row
}

/** Connections of all teams with one of these adapters, by id: up to 200 after an id. */
export async function selectConnectionsOf(
  sql: Sql | Tx,
  adapters: readonly string[],
  after: string,
): Promise<ConnectionRow[]> {
  return await sql<ConnectionRow[]>`
    ${connections(sql)} and c.adapter = any(${[...adapters]}) and c.id > ${after}
    order by c.id limit 200`
}

/** Connections of all teams that ask for a socket, or of which it is not known: up to 200 after an id. */
export async function selectConnectionsWithSocket(
  sql: Sql | Tx,
  adapters: readonly string[],
  after: string,
): Promise<ConnectionRow[]> {
  return await sql<ConnectionRow[]>`
    ${connections(sql)} and c.uses_socket is not false and c.adapter = any(${[...adapters]}) and c.id > ${after}
    order by c.id limit 200`
}

/** Stores whether a connection asks for a socket. */
export async function updateUsesSocket(
  sql: Sql | Tx,
  teamId: string,
  id: string,
  usesSocket: boolean,
): Promise<void> {
  await sql`
    update connections set uses_socket = ${usesSocket}
    where team_id = ${teamId} and id = ${id} and uses_socket is distinct from ${usesSocket}`
}

type LockedSettings = Pick<ConnectionRow, 'adapter' | 'api_key_id' | 'settings' | 'encrypted'>

/** The encrypted part of a connection, locked until the transaction ends. */
export async function lockSettings(
  tx: Tx,
  teamId: string,
  id: string,
): Promise<LockedSettings | undefined> {
  const [row] = await tx<LockedSettings[]>`
    select adapter, api_key_id, settings, encrypted from connections
    where team_id = ${teamId} and id = ${id} and removed_at is null for update`
  return row
}

interface StoredSettings {
  id: string
  team_id: string
  settings: object
  encrypted: Buffer
}

/** Replaces the settings of a connection. */
export async function updateSettings(
  tx: Tx,
  { id, team_id, settings, encrypted }: StoredSettings,
): Promise<void> {
  await tx`
    update connections set settings = ${JSON.stringify(settings)}::text::json, encrypted = ${encrypted}
    where team_id = ${team_id} and id = ${id}`
}

/** Changes the name of a connection. Returns false when the team has no connection with this id. */
export async function updateLabel(
  sql: Sql | Tx,
  teamId: string,
  id: string,
  label: string | null,
): Promise<boolean> {
  const rows = await sql`
    update connections set label = ${label}
    where team_id = ${teamId} and id = ${id} and removed_at is null returning id`
  return rows.length > 0
}

/**
 * Marks a connection removed, and deletes its secrets unless its token is revoked first; undefined when the team
 * has no such connection.
 */
export async function markConnectionRemoved(
  tx: Tx,
  teamId: string,
  id: string,
  { at, keepsSecrets }: { at: Date; keepsSecrets: boolean },
): Promise<Pick<ConnectionRow, 'adapter' | 'api_key_id'> | undefined> {
  const [row] = await tx<Pick<ConnectionRow, 'adapter' | 'api_key_id'>[]>`
    update connections set removed_at = ${at},
      encrypted = case
        when ${keepsSecrets}::boolean or (registration ->> 'isRemovable')::boolean then encrypted
      end
    where team_id = ${teamId} and id = ${id} and removed_at is null
    returning adapter, api_key_id`
  return row
}

/**
 * Ends the installation of the operator's app, so that its workspace can be connected again; false for a connection
 * without one.
 */
export async function deleteInstallation(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx`
    delete from app_installations where team_id = ${teamId} and connection_id = ${id}
    returning connection_id`
  return rows.length > 0
}

/** Ends the lease of the socket of a connection. */
export async function deleteSocketLease(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx`delete from socket_leases where team_id = ${teamId} and connection_id = ${id}`
}
