import type { Sql, Tx } from '../../lib/db.ts'

/** Whose claim it is: keys are unique per API key and path. */
export interface IdempotencyScope {
  keyId: string
  path: string
}

export interface StoredResponse {
  /** SHA-256 in hex. */
  request_hash: string
  status: number
  location: string | null
  answer: unknown
}

/** Takes the claim's lock until the transaction ends; false when another has it. */
export async function lockKeyRow(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${keyId}\n${path}\n${key}`}, 0)) as locked`
  return row?.locked === true
}

/** The same lock, waited for. */
export async function waitForKey(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`${keyId}\n${path}\n${key}`}, 0))`
}

/** What a claim was answered with. */
export async function selectResponse(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
): Promise<StoredResponse | undefined> {
  const [row] = await tx<StoredResponse[]>`
    select encode(request_hash, 'hex') as request_hash, status, location, answer
    from idempotency_keys where api_key_id = ${keyId} and path = ${path} and key = ${key}`
  return row
}

/** Stores a claim's answer. */
export async function insertResponse(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
  { request_hash, status, location, answer }: StoredResponse,
  at: Date,
): Promise<void> {
  await tx`
    insert into idempotency_keys (api_key_id, path, key, request_hash, status, location, answer, created_at)
    values (${keyId}, ${path}, ${key}, decode(${request_hash}, 'hex'), ${status}, ${location},
      ${JSON.stringify(answer)}::text::json, ${at})`
}

/** Holds a claim for `seconds`; false while another holds it. */
export async function insertLock(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
  owner: string,
  seconds: number,
): Promise<boolean> {
  const rows = await tx`
    insert into idempotency_locks (api_key_id, path, key, owner, locked_until)
    values (${keyId}, ${path}, ${key}, ${owner}, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (api_key_id, path, key)
      do update set owner = excluded.owner, locked_until = excluded.locked_until
      where idempotency_locks.locked_until < clock_timestamp()
    returning owner`
  return rows.length > 0
}

/** Ends a hold; false when it is another's by now. */
export async function deleteLock(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
  owner: string,
): Promise<boolean> {
  const rows = await tx`
    delete from idempotency_locks
    where api_key_id = ${keyId} and path = ${path} and key = ${key} and owner = ${owner}
    returning key`
  return rows.length > 0
}

/** Deletes the answers older than `before`; gives how many. */
export async function deleteResponses(sql: Sql, before: Date): Promise<number> {
  const result = await sql`delete from idempotency_keys where created_at < ${before}`
  return result.count
}

/** Deletes the answers to a key that tell of these things. */
export async function deleteResponsesAbout(
  tx: Tx,
  keyId: string,
  resourceIds: readonly string[],
): Promise<void> {
  await tx`
    delete from idempotency_keys
    where api_key_id = ${keyId} and resource_id = any(${[...resourceIds]})`
}

/** Deletes the locks that ended before a moment. */
export async function deleteEndedLocks(sql: Sql, at: Date): Promise<void> {
  await sql`delete from idempotency_locks where locked_until < ${at}`
}
