import { randomBytes } from 'node:crypto'
import { type Context, inTransaction } from '../../lib/context.ts'
import { withDeadline } from '../../lib/db.ts'
import type { Encryption } from '../../lib/encryption.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import {
  allowAutoReady,
  createConnectionKey,
  replaceToken,
  revokeConnectionKey,
} from '../api-keys/index.ts'
import { recordAudit } from '../audit-log/index.ts'
import {
  type ConnectionDeps,
  decryptSettings,
  encryptionContext,
  hashWebhookToken,
} from './open.ts'
import { type CommonSettings, type ConnectionKind, parseSettings } from './settings.ts'
import {
  type ConnectionRow,
  insertConnection,
  lockSettings,
  removeRow,
  selectConnection,
  selectConnections,
  updateLabel,
  updateSettings,
} from './sql.ts'

/** A connection as people see it: no secret but its address, which whoever sets it up needs. */
export interface Connection {
  id: string
  adapter: string
  /** The name that people gave it. */
  label: string | null
  /** The unguessable part of the address that the provider calls. */
  hookId: string
  apiKeyId: string
  keyPrefix: string
  /** False when it was encrypted under another secret: then its address and its secrets are lost. */
  readable: boolean
  /** Settings that are no secret. */
  settings: Record<string, unknown>
  /** Names of the secret settings that are set. */
  secrets: string[]
  /** Those among them that nobody has seen yet. */
  unshown: string[]
  /** Events of kinds that the adapter does not know. */
  unknownEvents: number
  createdAt: Date
}

/** What functions that change connections work with. */
type ConnectionContext = Context & Pick<ConnectionDeps, 'vault'>

interface NewConnection {
  kind: ConnectionKind
  /** The settings, secrets included. */
  given: Record<string, unknown>
  /** Names of secrets among the settings that nobody has seen yet. */
  unshown?: readonly string[]
  /** A name that distinguishes it from other connections. */
  label?: string
}

/**
 * Creates a connection with a key of its own, which may call ingest and nothing else. Throws
 * `validation_failed` with every fault of the settings.
 */
export async function createConnection(
  ctx: ConnectionContext,
  { kind, given, unshown = [], label = '' }: NewConnection,
): Promise<Connection> {
  const name = parseLabel(label)
  const { plain, secret, common } = parseSettings(kind, given)
  const at = ctx.now()
  const id = newId('cn', at)
  const hookId = randomBytes(24).toString('base64url')
  const key = await inTransaction(ctx, async (within) => {
    const made = await createConnectionKey(within, keyFor(kind, common))
    await insertConnection(within.sql, {
      id,
      team_id: ctx.actor.teamId,
      adapter: kind.slug,
      label: name,
      webhook_token_hash: hashWebhookToken(hookId),
      api_key_id: made.id,
      settings: plain,
      encrypted: ctx.vault.encrypt(encryptionContext(id), {
        hook: hookId,
        key: made.token,
        settings: secret,
        unshown,
      }),
      created_at: at,
    })
    await recordAudit(within, 'connection_created', subjectOf(kind.slug, id))
    return made
  })
  return {
    ...{ id, adapter: kind.slug, label: name, hookId, apiKeyId: key.id, keyPrefix: key.prefix },
    readable: true,
    ...{ settings: plain, secrets: Object.keys(secret), unshown: [...unshown] },
    ...{ unknownEvents: 0, createdAt: at },
  }
}

/** What the audit log calls a connection. */
const subjectOf = (adapter: string, id: string) => `${adapter} ${id}`

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
  return rows.map((row) => shown(vault, row))
}

/** One connection of a team. Throws `not_found`. */
export async function getConnection(
  { sql, vault }: ConnectionDeps,
  teamId: string,
  id: string,
): Promise<Connection> {
  const row = await withDeadline(selectConnection(sql, teamId, id))
  if (!row) throw notFound('The connection')
  return shown(vault, row)
}

function shown(vault: Encryption, row: ConnectionRow): Connection {
  const encrypted = readableSettings(vault, row)
  return {
    id: row.id,
    adapter: row.adapter,
    label: row.label,
    hookId: encrypted?.hook ?? '',
    readable: encrypted !== null,
    apiKeyId: row.api_key_id,
    keyPrefix: row.key_prefix,
    settings: row.settings,
    secrets: Object.keys(encrypted?.settings ?? {}),
    unshown: encrypted?.unshown ?? [],
    unknownEvents: row.unknown_events,
    createdAt: row.created_at,
  }
}

/** Null when they were encrypted under another secret: one such connection must not hide the others. */
function readableSettings(vault: Encryption, { id, encrypted }: ConnectionRow) {
  try {
    return decryptSettings(vault, id, encrypted)
  } catch {
    return null
  }
}

interface SettingsChange {
  kind: ConnectionKind
  id: string
  given: Record<string, unknown>
  beside?: readonly string[]
  /** Its new name; an empty one removes the name. */
  label?: string
}

/**
 * Changes settings of a connection: those given replace what was set, an empty one is taken away, all
 * others stay. Secrets among `beside` go before the newest one that was set, so that both are taken
 * until the next change. Throws `not_found`, and `validation_failed` with every fault of the whole.
 */
export async function changeSettings(
  ctx: ConnectionContext,
  { kind, id, given, beside = [], label }: SettingsChange,
): Promise<void> {
  const { vault } = ctx
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (within) => {
    const row = await lockSettings(within.sql, teamId, id)
    if (!row) throw notFound('The connection')
    const decrypted = decryptSettings(vault, id, row.encrypted)
    const both = beside.flatMap((name) => {
      const [newest] = [decrypted.settings[name]].flat()
      return newest === undefined ? [] : [[name, [given[name], newest]]]
    })
    const next = { ...given, ...Object.fromEntries(both) }
    const all = Object.entries({ ...row.settings, ...decrypted.settings, ...next })
    const { plain, secret, common } = parseSettings(
      kind,
      Object.fromEntries(all.filter(([, value]) => value !== '')),
    )
    const unshown = decrypted.unshown?.filter((name) => !Object.hasOwn(given, name)) ?? []
    const box = vault.encrypt(encryptionContext(id), { ...decrypted, settings: secret, unshown })
    await updateSettings(within.sql, { id, team_id: teamId, settings: plain, encrypted: box })
    if (label !== undefined) await updateLabel(within.sql, teamId, id, parseLabel(label))
    await allowAutoReady(within, { keyId: row.api_key_id, allowed: common.auto_ready })
    await recordAudit(within, 'connection_changed', subjectOf(kind.slug, id))
  })
}

const maxLabelCharacters = 100

/** A label without spaces at its ends, or null when nothing is left. Throws `validation_failed`. */
function parseLabel(label: string): string | null {
  const trimmed = label.normalize('NFC').trim()
  if (trimmed.length > maxLabelCharacters || /\p{Cc}/u.test(trimmed)) {
    throw invalidField(
      '/label',
      `label must be one line of at most ${maxLabelCharacters} characters`,
    )
  }
  return trimmed === '' ? null : trimmed
}

/**
 * Replaces the key of a connection, also one that was revoked, and returns the new prefix. The address
 * stays the same, and deliveries that wait are forwarded with the new key. Throws `not_found`.
 */
export async function rotateConnectionKey(ctx: ConnectionContext, id: string): Promise<string> {
  const { vault } = ctx
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (within) => {
    const row = await lockSettings(within.sql, teamId, id)
    if (!row) throw notFound('The connection')
    const decrypted = decryptSettings(vault, id, row.encrypted)
    const { prefix, token } = await replaceToken(within, row.api_key_id)
    const encrypted = vault.encrypt(encryptionContext(id), { ...decrypted, key: token })
    await updateSettings(within.sql, { id, team_id: teamId, settings: row.settings, encrypted })
    await recordAudit(within, 'connection_key_rotated', subjectOf(row.adapter, id))
    return prefix
  })
}

/** Secrets that nobody has seen yet, by name; with that they have been seen. */
export async function revealSecretsOnce(
  ctx: ConnectionContext,
  id: string,
): Promise<Record<string, unknown>> {
  const { vault } = ctx
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (within) => {
    const row = await lockSettings(within.sql, teamId, id)
    if (!row) throw notFound('The connection')
    const { unshown = [], ...decrypted } = decryptSettings(vault, id, row.encrypted)
    if (unshown.length === 0) return {}
    const encrypted = vault.encrypt(encryptionContext(id), decrypted)
    await updateSettings(within.sql, { id, team_id: teamId, settings: row.settings, encrypted })
    await recordAudit(within, 'connection_secret_shown', subjectOf(row.adapter, id))
    return Object.fromEntries(unshown.map((name) => [name, decrypted.settings[name]]))
  })
}

/** Removes a connection, forgets its secrets and revokes its key. Throws `not_found`. */
export async function removeConnection(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (within) => {
    const removed = await removeRow(within.sql, ctx.actor.teamId, id, ctx.now())
    if (!removed) throw notFound('The connection')
    await revokeConnectionKey(within, removed.api_key_id)
    await recordAudit(within, 'connection_removed', subjectOf(removed.adapter, id))
  })
}

/** The address that a provider is given for a connection. */
export const webhookUrl = (baseUrl: string, adapter: string, hookId: string) =>
  `${baseUrl}/hooks/${adapter}/${hookId}`
