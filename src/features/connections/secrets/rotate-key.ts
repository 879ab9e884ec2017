import { inTransaction } from '../../../lib/context.ts'
import { notFound } from '../../../lib/errors.ts'
import { replaceToken } from '../../api-keys/index.ts'
import { recordAudit } from '../../audit-log/index.ts'
import type { ConnectionContext } from '../context.ts'
import { subjectOf } from '../label.ts'
import { lockSettings, updateSettings } from '../sql.ts'
import { decryptSettings, encryptionContext } from './decrypted-connection.ts'

/**
 * Replaces the key of a connection, also one that was revoked, and returns the new prefix. The
 * webhook URL of the connection stays the same, and deliveries that wait are forwarded with the new
 * key. Throws `not_found`.
 */
export async function rotateConnectionKey(ctx: ConnectionContext, id: string): Promise<string> {
  const { encryption } = ctx
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const row = await lockSettings(txCtx.sql, teamId, id)
    if (!row) throw notFound('The connection')
    const decrypted = decryptSettings(encryption, id, row.encrypted)
    const { prefix, token } = await replaceToken(txCtx, row.api_key_id)
    const encrypted = encryption.encrypt(encryptionContext(id), { ...decrypted, key: token })
    await updateSettings(txCtx.sql, { id, team_id: teamId, settings: row.settings, encrypted })
    await recordAudit(txCtx, 'connection_key_rotated', subjectOf(row.adapter, id))
    return prefix
  })
}
