import type { Sql } from '../../lib/db.ts'

export async function selectFingerprint(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ secret_fingerprint: string }[]>`
    select secret_fingerprint from installation`
  return row?.secret_fingerprint ?? null
}

export async function insertFingerprint(sql: Sql, fingerprint: string): Promise<void> {
  await sql`
    insert into installation (secret_fingerprint) values (${fingerprint})
    on conflict do nothing`
}

export async function upsertFingerprint(sql: Sql, fingerprint: string): Promise<void> {
  await sql`
    insert into installation (secret_fingerprint) values (${fingerprint})
    on conflict (only_row) do update set secret_fingerprint = excluded.secret_fingerprint`
}
