import { inTransaction } from '../../lib/context.ts'
import { notFound } from '../../lib/errors.ts'
import { allowAutoReady } from '../api-keys/index.ts'
import { recordAudit } from '../audit-log/index.ts'
import { addSource } from '../polling/index.ts'
import type { ConnectionContext } from './context.ts'
import { parseLabel, subjectOf } from './label.ts'
import { decryptSettings, encryptionContext } from './secrets/decrypted-connection.ts'
import { requireSecretsAgain } from './secrets/require-secrets-again.ts'
import {
  type ConnectionAdapter,
  isToken,
  parseSettings,
  usesSocket,
} from './settings/parse-settings.ts'
import { lockSettings, updateLabel, updateSettings, updateUsesSocket } from './sql.ts'
import { updateConnected, updateNeverExpires } from './tokens/sql.ts'

interface SettingsChange {
  adapter: ConnectionAdapter
  id: string
  /** The settings to change; an empty one is removed. */
  given: Record<string, unknown>
  /** Names of secrets whose previous value stays valid until the next change. */
  keepPrevious?: readonly string[]
  /** Its new name; an empty one removes the name. */
  label?: string
}

/**
 * Changes settings of a connection; settings that are left out stay, but secrets do not stay with the address of another
 * server. Throws `not_found`, and `validation_failed` with all errors of the settings.
 */
export async function updateConnection(
  ctx: ConnectionContext,
  { adapter, id, given, keepPrevious = [], label }: SettingsChange,
): Promise<void> {
  const { encryption } = ctx
  const { teamId } = ctx.actor
  const hasNewToken = Object.keys(given).some((name) => isToken(adapter, name))
  await inTransaction(ctx, async (txCtx) => {
    // First, because a refresh locks the installation before the connection, too.
    if (hasNewToken) await updateNeverExpires(txCtx.sql, teamId, id)
    const row = await lockSettings(txCtx.sql, teamId, id)
    if (!row) throw notFound('The connection')
    const { refreshToken, ...decrypted } = decryptSettings(encryption, id, row.encrypted)
    const stored = { stored: row.settings, secrets: decrypted.settings, given }
    requireSecretsAgain(adapter.settings, stored)
    const both = keepPrevious.flatMap((name) => {
      const [newest] = [decrypted.settings[name]].flat()
      return newest === undefined ? [] : [[name, [given[name], newest]]]
    })
    const next = { ...given, ...Object.fromEntries(both) }
    const all = Object.entries({ ...row.settings, ...decrypted.settings, ...next })
    const { plain, secret, common } = parseSettings(
      adapter,
      Object.fromEntries(all.filter(([, value]) => value !== '')),
      row.settings,
    )
    const unseenSecrets = decrypted.unseenSecrets.filter((name) => !Object.hasOwn(given, name))
    const encrypted = encryption.encrypt(encryptionContext(id), {
      ...decrypted,
      settings: secret,
      unseenSecrets,
      // A refresh token belongs to the token before.
      ...(!hasNewToken && refreshToken !== undefined && { refreshToken }),
    })
    await updateSettings(txCtx.sql, { id, team_id: teamId, settings: plain, encrypted })
    await updateUsesSocket(txCtx.sql, teamId, id, usesSocket(adapter, secret))
    // A new token is the way to connect again.
    if (hasNewToken) await updateConnected(txCtx.sql, teamId, id, ctx.now())
    if (label !== undefined) await updateLabel(txCtx.sql, teamId, id, parseLabel(label))
    if (adapter.polling) await addSource(txCtx, id)
    await allowAutoReady(txCtx, { keyId: row.api_key_id, allowed: common.auto_ready })
    await recordAudit(txCtx, 'connection_changed', subjectOf(adapter.slug, id))
  })
}
