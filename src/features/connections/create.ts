import { inTransaction } from '../../lib/context.ts'
import { hashLinkToken, newId, newLinkToken } from '../../lib/ids.ts'
import { createConnectionKey } from '../api-keys/index.ts'
import { recordAudit } from '../audit-log/index.ts'
import { addSource } from '../polling/index.ts'
import type { ConnectionContext } from './context.ts'
import type { Connection } from './get.ts'
import { parseLabel, subjectOf } from './label.ts'
import { encryptionContext } from './secrets/decrypted-connection.ts'
import type { CommonSettings } from './settings/common-settings.ts'
import { type ConnectionAdapter, parseSettings, usesSocket } from './settings/parse-settings.ts'
import { insertConnection } from './sql.ts'

interface NewConnection {
  adapter: ConnectionAdapter
  /** The settings, secrets included. */
  given: Record<string, unknown>
  /** Names of secrets among the settings that nobody has seen yet. */
  unseenSecrets?: readonly string[]
  /** A name that distinguishes it from other connections. */
  label?: string
}

/**
 * Creates a connection with its own key, which can call only ingest. Throws `validation_failed`
 * with all errors of the settings.
 */
export async function createConnection(
  ctx: ConnectionContext,
  { adapter, given, unseenSecrets = [], label = '' }: NewConnection,
): Promise<Connection> {
  const name = parseLabel(label)
  const { plain, secret, common } = parseSettings(adapter, given)
  const at = ctx.now()
  const id = newId('cn', at)
  const webhookToken = newLinkToken()
  const key = await inTransaction(ctx, async (txCtx) => {
    const made = await createConnectionKey(txCtx, keyFor(adapter, common))
    await insertConnection(txCtx.sql, {
      id,
      team_id: ctx.actor.teamId,
      adapter: adapter.slug,
      label: name,
      webhook_token_hash: hashLinkToken(webhookToken),
      api_key_id: made.id,
      settings: plain,
      encrypted: ctx.encryption.encrypt(encryptionContext(id), {
        hook: webhookToken,
        key: made.token,
        settings: secret,
        unseenSecrets,
      }),
      created_at: at,
      uses_socket: usesSocket(adapter, secret),
    })
    if (adapter.polling) await addSource(txCtx, id)
    await recordAudit(txCtx, 'connection_created', subjectOf(adapter.slug, id))
    return made
  })
  return {
    id,
    adapter: adapter.slug,
    label: name,
    webhookToken,
    apiKeyId: key.id,
    keyPrefix: key.prefix,
    readable: true,
    settings: plain,
    secrets: Object.keys(secret),
    unseenSecrets: [...unseenSecrets],
    unknownEvents: 0,
    createdAt: at,
    isDisconnected: false,
  }
}

const keyFor = (adapter: ConnectionAdapter, common: CommonSettings) => ({
  name: adapter.name,
  scopes: ['write' as const],
  ingest_only: true,
  allow_auto_ready: common.auto_ready,
  expires_at: null,
  provider: adapter.slug,
})
