import { inTransaction } from '../../../lib/context.ts'
import { notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../audit-log/index.ts'
import type { ConnectionContext } from '../context.ts'
import { subjectOf } from '../label.ts'
import { lockSettings, updateSettings } from '../sql.ts'
import { decryptSettings, encryptionContext } from './decrypted-connection.ts'

/** Returns the secrets that nobody has seen yet, by name, and marks them as seen. */
export async function revealSecretsOnce(
  ctx: ConnectionContext,
  id: string,
): Promise<Record<string, unknown>> {
  const { encryption } = ctx
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const row = await lockSettings(txCtx.sql, teamId, id)
    if (!row) throw notFound('The connection')
    const { unseenSecrets, ...decrypted } = decryptSettings(encryption, id, row.encrypted)
    if (unseenSecrets.length === 0) return {}
    const encrypted = encryption.encrypt(encryptionContext(id), decrypted)
    await updateSettings(txCtx.sql, { id, team_id: teamId, settings: row.settings, encrypted })
    await recordAudit(txCtx, 'connection_secret_shown', subjectOf(row.adapter, id))
    return Object.fromEntries(unseenSecrets.map((name) => [name, decrypted.settings[name]]))
  })
}
