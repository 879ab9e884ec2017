import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** What a token allows. */
export type TokenPurpose = 'install_app' | 'link_chat_account'

export interface OneTimeTokenRow {
  token_hash: Buffer
  team_id: string
  purpose: TokenPurpose
  data: Record<string, string>
  expires_at: Date
}

/** Stores a token. */
export async function insertToken(sql: Sql | Tx, row: OneTimeTokenRow): Promise<void> {
  await sql`
    insert into one_time_tokens (token_hash, team_id, purpose, data, expires_at)
    values (${row.token_hash}, ${row.team_id}, ${row.purpose}, ${sql.json(row.data)}, ${row.expires_at})`
}

/** A token that has not expired. */
export async function selectToken(
  sql: Sql | Tx,
  { token_hash, purpose }: Pick<OneTimeTokenRow, 'token_hash' | 'purpose'>,
  at: Date,
): Promise<Pick<OneTimeTokenRow, 'team_id' | 'data'> | undefined> {
  const [row] = await sql<Pick<OneTimeTokenRow, 'team_id' | 'data'>[]>`
    select team_id, data from one_time_tokens
    where token_hash = ${token_hash} and purpose = ${purpose} and expires_at > ${at}`
  return row
}

/** Deletes a token that has not expired, and returns its data. */
export async function deleteToken(
  sql: Sql | Tx,
  key: Pick<OneTimeTokenRow, 'team_id' | 'token_hash' | 'purpose'>,
  at: Date,
): Promise<Record<string, string> | undefined> {
  const [row] = await sql<Pick<OneTimeTokenRow, 'data'>[]>`
    delete from one_time_tokens
    where token_hash = ${key.token_hash} and team_id = ${key.team_id} and purpose = ${key.purpose}
      and expires_at > ${at}
    returning data`
  return row?.data
}

/** Deletes the tokens of all teams that expired before a moment. */
export async function deleteTokensBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'one_time_tokens', sql`expires_at < ${moment}`)
}
