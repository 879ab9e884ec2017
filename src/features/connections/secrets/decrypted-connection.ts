import * as v from 'valibot'
import type { SettingsSchema } from '../../../contract/settings.ts'
import type { Language } from '../../../contract/vocabulary.ts'
import type { Now } from '../../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../../lib/database/db.ts'
import { hashLinkToken } from '../../../lib/ids.ts'
import { type Encryption, encryptedColumn } from '../../../lib/secrets/encryption.ts'
import { CommonSettings } from '../settings/common-settings.ts'
import {
  type ConnectionRow,
  selectByWebhookToken,
  selectConnection,
  selectConnectionsOf,
} from '../sql.ts'

/** The context of these functions. */
export interface ConnectionDeps {
  sql: Sql
  encryption: Encryption
  now: Now
}

/** A connection with its secrets, for receiving and forwarding. */
export interface DecryptedConnection {
  id: string
  teamId: string
  adapter: string
  /** The secret part of the address that the provider calls. */
  webhookToken: string
  apiKey: { id: string; value: string; isActive: boolean }
  /**
   * The adapter's settings as they were entered, with secrets; parse them with the adapter's
   * schema.
   */
  given: Record<string, unknown>
  common: CommonSettings
  /** Null when the token in the settings does not expire. */
  refreshToken: string | null
  /** The language of the team. */
  language: Language
  /** Whether other connections handle the requests from some sources. */
  hasRoutes: boolean
  /** Whether the app was removed at the provider, so that nothing can be sent. */
  isDisconnected: boolean
}

/** The encrypted part of a connection's row. */
const EncryptedPart = v.pipe(
  v.object({
    /** The webhook token, under the name with which connections were stored from the beginning. */
    hook: v.string(),
    key: v.string(),
    settings: v.record(v.string(), v.unknown()),
    /** Names of secret settings that the provider sent and nobody has seen. */
    unseenSecrets: v.exactOptional(v.array(v.string())),
    /** Secret settings that the provider has given when the connection was registered. */
    registered: v.exactOptional(v.record(v.string(), v.string())),
    /** Exchanged for a new token before the token in the settings expires. */
    refreshToken: v.exactOptional(v.string()),
    /** The name of `unseenSecrets` in connections that were stored before. */
    unshown: v.exactOptional(v.array(v.string())),
  }),
  v.transform(({ unshown = [], unseenSecrets = unshown, ...rest }) => ({ ...rest, unseenSecrets })),
)

/** Binds the encrypted secrets of a connection to its id, so that they cannot be decrypted as those of another. */
export const encryptionContext = (id: string) => `connections/${id}`

/** The secret settings of connections, for the rotation of the secret. */
export const encryptedConnectionColumn = encryptedColumn(
  'connections',
  'encrypted',
  encryptionContext,
)

/**
 * The connection that a provider calls at this address; null when the address does not exist or its
 * connection was removed.
 */
export async function findByWebhookToken(
  { sql, encryption }: Pick<ConnectionDeps, 'encryption'> & { sql: Sql | Tx },
  adapter: string,
  webhookToken: string,
): Promise<DecryptedConnection | null> {
  const row = await withDeadline(selectByWebhookToken(sql, adapter, hashLinkToken(webhookToken)))
  return row ? decryptConnection(encryption, row) : null
}

/** One connection of a team; null when it was removed. */
export async function findDecryptedConnection(
  { sql, encryption }: ConnectionDeps,
  teamId: string,
  id: string,
): Promise<DecryptedConnection | null> {
  const row = await withDeadline(selectConnection(sql, teamId, id))
  return row ? decryptConnection(encryption, row) : null
}

/** The connections of all teams with one of these adapters. Those that cannot be decrypted are left out. */
export async function listDecryptedConnections(
  { sql, encryption }: ConnectionDeps,
  adapters: readonly string[],
): Promise<DecryptedConnection[]> {
  const rows = await readPages((after) => selectConnectionsOf(sql, adapters, after))
  return rows.flatMap((row) => decryptedOrNone(encryption, row))
}

/** All rows of a query that returns those after an id, page by page. */
export async function readPages(
  select: (after: string) => Promise<ConnectionRow[]>,
): Promise<ConnectionRow[]> {
  const all: ConnectionRow[] = []
  for (;;) {
    const rows = await withDeadline(select(all.at(-1)?.id ?? ''))
    if (rows.length === 0) return all
    all.push(...rows)
  }
}

/** The decrypted connection of a row; none when it was encrypted with another secret. */
export function decryptedOrNone(encryption: Encryption, row: ConnectionRow): DecryptedConnection[] {
  try {
    return [decryptConnection(encryption, row)]
  } catch {
    return []
  }
}

function decryptConnection(encryption: Encryption, row: ConnectionRow): DecryptedConnection {
  const decrypted = decryptSettings(encryption, row.id, row.encrypted)
  const { key, hook: webhookToken, refreshToken = null } = decrypted
  return {
    id: row.id,
    teamId: row.team_id,
    adapter: row.adapter,
    webhookToken,
    apiKey: { id: row.api_key_id, value: key, isActive: row.key_active },
    given: { ...row.settings, ...secretsOf(decrypted) },
    common: v.parse(CommonSettings, row.settings),
    refreshToken,
    language: row.language,
    hasRoutes: row.has_routes,
    isDisconnected: row.disconnected_at !== null,
  }
}

/** The secret settings that people have entered, and those of the registration, which come first. */
export function secretsOf({
  settings,
  registered = {},
}: Pick<v.InferOutput<typeof EncryptedPart>, 'settings' | 'registered'>): Record<string, unknown> {
  const both = Object.entries(registered).map(([name, value]) => {
    const [entered] = [settings[name]].flat()
    return [name, typeof entered === 'string' ? [value, entered] : value]
  })
  return { ...settings, ...Object.fromEntries(both) }
}

/** The encrypted part of a row. Throws when it was encrypted with another secret. */
export const decryptSettings = (encryption: Encryption, id: string, encrypted: Buffer) =>
  v.parse(EncryptedPart, encryption.decrypt(encryptionContext(id), encrypted))

/**
 * A connection's settings, parsed with its adapter's schema; null when the schema rejects them. The
 * reason is left out, because it can contain a secret.
 */
export function readSettings<Schema extends SettingsSchema>(
  connection: DecryptedConnection,
  schema: Schema,
): v.InferOutput<Schema> | null {
  const settings = v.safeParse(schema, connection.given)
  return settings.success ? settings.output : null
}
