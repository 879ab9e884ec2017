import type { Sql, Tx } from '../../lib/db.ts'

// Any number will do, as long as every Tidings process asks for the same one.
const setupLock = 7_140_272

/** Lets one set-up at a time go on; held until the transaction ends. */
export async function lockSetup(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${setupLock})`
}

/** Stores the hash of a set-up link's token. */
export async function insertSetupLink(sql: Sql, tokenHash: Buffer, at: Date): Promise<void> {
  await sql`insert into setup_links (token_hash, created_at) values (${tokenHash}, ${at})`
}

/** True when a set-up link has this token. */
export async function findSetupLink(sql: Sql | Tx, tokenHash: Buffer): Promise<boolean> {
  const rows = await sql`select token_hash from setup_links where token_hash = ${tokenHash}`
  return rows.length > 0
}

/** Closes the set-up for all its links. */
export async function deleteSetupLinks(tx: Tx): Promise<void> {
  await tx`delete from setup_links`
}
