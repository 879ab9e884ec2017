import { inTransaction, type ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { insertFingerprint, lockSecretShared, selectFingerprint, upsertFingerprint } from './sql.ts'

export { type RotationResult, rotateEncryption } from './rotate.ts'

/**
 * The fingerprint of the secret that the database is used with; null before the first start. Waits
 * while the secret is being rotated.
 */
export async function findSecretFingerprint(ctx: ServiceContext): Promise<string | null> {
  return await inTransaction(ctx, async ({ sql }) => {
    await lockSecretShared(sql)
    return await selectFingerprint(sql)
  })
}

/**
 * Stores the fingerprint unless one is stored. Returns the stored one: of two processes, one is
 * first.
 */
export async function recordSecretFingerprint(
  ctx: ServiceContext,
  fingerprint: string,
): Promise<string> {
  await withDeadline(insertFingerprint(ctx.sql, fingerprint))
  return (await findSecretFingerprint(ctx)) ?? fingerprint
}

/** Stores the fingerprint of another secret. Values that were encrypted with the earlier one stay unreadable. */
export async function replaceSecretFingerprint(
  { sql }: ServiceContext,
  fingerprint: string,
): Promise<void> {
  await withDeadline(upsertFingerprint(sql, fingerprint))
}
