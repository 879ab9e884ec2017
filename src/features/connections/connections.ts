import { randomBytes } from 'node:crypto'
import type { SettingsSchema } from '../../contract/settings.ts'
import { type Tx, withDeadline } from '../../lib/db.ts'
import { notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { createKey, revokeKey } from '../access/index.ts'
import { type ConnectionDeps, hashHook, placeOf, unseal } from './open.ts'
import { type CommonSettings, sortSettings } from './settings.ts'
import { insertConnection, removeRow, selectConnections } from './sql.ts'

/** What a connection needs to know of its adapter. */
export interface ConnectionKind {
  slug: string
  name: string
  settings: SettingsSchema
}

/** A connection as people see it: no secret but its address, which whoever sets it up needs. */
export interface Connection {
  id: string
  adapter: string
  /** The unguessable part of the address that the provider calls. */
  hookId: string
  apiKeyId: string
  keyStart: string
  /** Settings that are no secret. */
  settings: Record<string, unknown>
  /** Events of kinds that the adapter does not know. */
  unknownEvents: number
  createdAt: Date
}

/**
 * Makes a connection with a key of its own, which may call ingest and nothing else. Throws
 * `validation_failed` with every fault of the settings.
 */
export async function createConnection(
  { sql, vault, now }: ConnectionDeps,
  teamId: string,
  kind: ConnectionKind,
  given: Record<string, unknown>,
): Promise<Connection> {
  const { plain, secret, common } = sortSettings(kind.slug, kind.settings, given)
  const at = now()
  const id = newId('cn', at)
  const hookId = randomBytes(24).toString('base64url')
  const key = await withDeadline(
    sql.begin(async (tx) => {
      const made = await createKey(tx, now, teamId, keyFor(kind, common))
      await insertConnection(tx, {
        id,
        team_id: teamId,
        adapter: kind.slug,
        hook_hash: hashHook(hookId),
        api_key_id: made.id,
        settings: plain,
        sealed: vault.seal(placeOf(id), { hook: hookId, key: made.token, settings: secret }),
        created_at: at,
      })
      return made
    }),
  )
  const shown = { settings: plain, unknownEvents: 0, createdAt: at }
  return { id, adapter: kind.slug, hookId, apiKeyId: key.id, keyStart: key.start, ...shown }
}

const keyFor = (kind: ConnectionKind, common: CommonSettings) => ({
  name: kind.name,
  scopes: ['write' as const],
  ingest_only: true,
  allow_auto_ready: common.auto_ready,
  expires_at: null,
  provider: kind.slug,
})

/** A team's connections, newest first. */
export async function listConnections(
  { sql, vault }: ConnectionDeps,
  teamId: string,
): Promise<Connection[]> {
  const rows = await withDeadline(selectConnections(sql, teamId))
  return rows.map((row) => ({
    id: row.id,
    adapter: row.adapter,
    hookId: unseal(vault, row.id, row.sealed).hook,
    apiKeyId: row.api_key_id,
    keyStart: row.key_start,
    settings: row.settings,
    unknownEvents: row.unknown_events,
    createdAt: row.created_at,
  }))
}

/** Removes a connection, forgets its secrets and revokes its key. Throws `not_found`. */
export async function removeConnection(
  { sql, now }: Pick<ConnectionDeps, 'sql' | 'now'>,
  teamId: string,
  id: string,
): Promise<void> {
  const remove = async (tx: Tx) => {
    const keyId = await removeRow(tx, teamId, id, now())
    if (keyId === undefined) throw notFound('The connection')
    await revokeKey(tx, teamId, keyId)
  }
  await withDeadline(sql.begin(remove))
}

/** The address that a provider is given for a connection. */
export const hookUrl = (baseUrl: string, adapter: string, hookId: string) =>
  `${baseUrl}/hooks/${adapter}/${hookId}`
