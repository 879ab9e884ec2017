import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import type { Encryption } from '../../lib/secrets/encryption.ts'
import type { ConnectionReadContext } from './context.ts'
import { decryptSettings } from './secrets/decrypted-connection.ts'
import { type ConnectionRow, selectConnection, selectConnections } from './sql.ts'

/**
 * A connection as people see it. Its address is the only secret in it, because admins enter the
 * address at the provider.
 */
export interface Connection {
  id: string
  adapter: string
  /** The name that people gave it. */
  label: string | null
  /** The token in the address that the provider calls; it cannot be guessed. */
  webhookToken: string
  apiKeyId: string
  keyPrefix: string
  /**
   * False when it was encrypted with another secret; its address and its secrets cannot be read
   * then.
   */
  readable: boolean
  /** The settings that are not secret. */
  settings: Record<string, unknown>
  /** The names of the secret settings that are set. */
  secrets: string[]
  /** The names of the secrets that nobody has seen yet. */
  unseenSecrets: string[]
  /** How many events of kinds that the adapter does not know were received. */
  unknownEvents: number
  createdAt: Date
  /** Whether the app was removed at the provider, so that nothing can be sent. */
  isDisconnected: boolean
}

/** A team's connections, newest first. */
export async function listConnections({
  sql,
  actor,
  encryption,
}: ConnectionReadContext): Promise<Connection[]> {
  const rows = await withDeadline(selectConnections(sql, actor.teamId))
  return rows.map((row) => toConnection(encryption, row))
}

/** One connection of a team. Throws `not_found`. */
export async function getConnection(
  { sql, actor, encryption }: ConnectionReadContext,
  id: string,
): Promise<Connection> {
  const row = await withDeadline(selectConnection(sql, actor.teamId, id))
  if (!row) throw notFound('The connection')
  return toConnection(encryption, row)
}

function toConnection(encryption: Encryption, row: ConnectionRow): Connection {
  const encrypted = readableSettings(encryption, row)
  return {
    id: row.id,
    adapter: row.adapter,
    label: row.label,
    webhookToken: encrypted?.hook ?? '',
    readable: encrypted !== null,
    apiKeyId: row.api_key_id,
    keyPrefix: row.key_prefix,
    settings: row.settings,
    secrets: Object.keys(encrypted?.settings ?? {}),
    unseenSecrets: encrypted?.unseenSecrets ?? [],
    unknownEvents: row.unknown_events,
    createdAt: row.created_at,
    isDisconnected: row.disconnected_at !== null,
  }
}

/** The decrypted settings; null when they were encrypted with another secret, so that a list shows the other connections. */
function readableSettings(encryption: Encryption, { id, encrypted }: ConnectionRow) {
  try {
    return decryptSettings(encryption, id, encrypted)
  } catch {
    return null
  }
}

/** The webhook URL of a connection, which an admin enters at the provider. */
export const webhookUrl = (baseUrl: string, adapter: string, webhookToken: string) =>
  `${baseUrl}/hooks/${adapter}/${webhookToken}`
