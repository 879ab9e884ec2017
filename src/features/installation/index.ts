import { type Sql, withDeadline } from '../../lib/db.ts'
import { insertFingerprint, selectFingerprint, upsertFingerprint } from './sql.ts'

/** The fingerprint of the secret that the database is used with; null before the first start. */
export async function getSecretFingerprint(sql: Sql): Promise<string | null> {
  return await withDeadline(selectFingerprint(sql))
}

/** Stores the fingerprint unless there is one. Returns the stored one: of two processes, one is first. */
export async function recordSecretFingerprint(sql: Sql, fingerprint: string): Promise<string> {
  await withDeadline(insertFingerprint(sql, fingerprint))
  return (await getSecretFingerprint(sql)) ?? fingerprint
}

/** Stores the fingerprint of another secret. What was encrypted under the earlier one stays unreadable. */
export async function replaceSecretFingerprint(sql: Sql, fingerprint: string): Promise<void> {
  await withDeadline(upsertFingerprint(sql, fingerprint))
}
