import type { TxContext } from '../../../lib/context.ts'
import { notFound } from '../../../lib/errors.ts'
import type { ConnectionContext } from '../context.ts'
import { decryptSettings, encryptionContext } from '../secrets/decrypted-connection.ts'
import { type ConnectionAdapter, parseSettings } from '../settings/parse-settings.ts'
import { lockSettings, updateSettings } from '../sql.ts'
import { clearTokenProblemRow, updateConnected } from './sql.ts'

interface NewTokens {
  adapter: ConnectionAdapter
  id: string
  /** The settings with tokens, and others that belong to them; all others stay. */
  settings: Record<string, string>
  /** Null for tokens that do not expire. */
  refreshToken: string | null
}

/**
 * Replaces the tokens of a connection. Throws `not_found`, and `validation_failed`
 * for settings that its adapter does not accept.
 */
export async function replaceTokens(
  { sql, encryption, actor: { teamId } }: TxContext<ConnectionContext>,
  { adapter, id, settings, refreshToken }: NewTokens,
): Promise<void> {
  const row = await lockSettings(sql, teamId, id)
  if (!row) throw notFound('The connection')
  const { refreshToken: _, ...decrypted } = decryptSettings(encryption, id, row.encrypted)
  const all = { ...row.settings, ...decrypted.settings, ...settings }
  const { plain, secret } = parseSettings(adapter, all, row.settings)
  const encrypted = encryption.encrypt(encryptionContext(id), {
    ...decrypted,
    settings: secret,
    ...(refreshToken !== null && { refreshToken }),
  })
  await updateSettings(sql, { id, team_id: teamId, settings: plain, encrypted })
  await clearTokenProblemRow(sql, teamId, id)
}

/** Stores that a person has connected the app of a connection again. */
export async function reconnect(
  { sql, actor: { teamId }, now }: TxContext<ConnectionContext>,
  id: string,
): Promise<void> {
  await updateConnected(sql, teamId, id, now())
}
