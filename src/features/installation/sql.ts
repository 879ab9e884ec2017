import type { Sql, Tx } from '../../lib/database/db.ts'
import { locks } from '../../lib/database/locks.ts'
import type { EncryptedColumn } from '../../lib/secrets/encryption.ts'

/** Waits for a rotation of the secret, and delays the next one until the transaction ends. */
export async function lockSecretShared(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${locks.secret})`
}

/** Locks the secret for a rotation until the transaction ends. */
export async function lockSecret(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${locks.secret})`
}

/** The fingerprint of the secret; null before the first start has stored one. */
export async function selectFingerprint(sql: Sql | Tx): Promise<string | null> {
  const [row] = await sql<{ secret_fingerprint: string }[]>`
    select secret_fingerprint from installation`
  return row?.secret_fingerprint ?? null
}

/** Stores the fingerprint of the secret, unless one is stored. */
export async function insertFingerprint(sql: Sql | Tx, fingerprint: string): Promise<void> {
  await sql`
    insert into installation (secret_fingerprint) values (${fingerprint})
    on conflict do nothing`
}

/** Stores the fingerprint of the secret in place of an earlier one. */
export async function upsertFingerprint(sql: Sql | Tx, fingerprint: string): Promise<void> {
  await sql`
    insert into installation (secret_fingerprint) values (${fingerprint})
    on conflict (only_row) do update set secret_fingerprint = excluded.secret_fingerprint`
}

/** Counts the connections of other services and commands to this database. */
export async function countOtherUsers(tx: Tx): Promise<number> {
  const [row] = await tx<{ connections: number }[]>`
    select count(*)::int as connections from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and application_name in (
        'tidings', 'tidings key checks', 'tidings queue', 'tidings command', 'tidings secret rotation'
      )`
  return row?.connections ?? 0
}

/** An encrypted value and the id of its row. */
export interface EncryptedRow {
  id: string
  value: unknown
}

/** The encrypted values of a column whose ids follow `after`, in the order of the ids. */
export async function selectEncrypted(
  tx: Tx,
  { table, column }: EncryptedColumn,
  after: string,
  limit: number,
): Promise<EncryptedRow[]> {
  return await tx<EncryptedRow[]>`
    select id, ${tx(column)} as value from ${tx(table)}
    where ${tx(column)} is not null and id > ${after} order by id limit ${limit} for update`
}

/** Stores an encrypted value. */
export async function updateEncrypted(
  tx: Tx,
  { table, column }: EncryptedColumn,
  { id, value }: { id: string; value: Buffer | string },
): Promise<void> {
  await tx`update ${tx(table)} set ${tx(column)} = ${value} where id = ${id}`
}
