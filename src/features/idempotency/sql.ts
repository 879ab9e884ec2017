import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** What an Idempotency-Key is unique in: an API key and a path. */
export interface IdempotencyScope {
  keyId: string
  path: string
}

/** The response of a request, as it is stored. */
export interface StoredResponse {
  /** SHA-256 in hex. */
  request_hash: string
  status: number
  location: string | null
  etag: string | null
  response_body: unknown
}

/** Locks an Idempotency-Key until the transaction ends; false when another transaction has the lock. */
export async function lockKeyRow(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${keyId}\n${path}\n${key}`}, 0)) as locked`
  return row?.locked === true
}

/** Locks an Idempotency-Key as `lockKeyRow` does, and waits for it. */
export async function waitForKey(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`${keyId}\n${path}\n${key}`}, 0))`
}

/** The stored response of an Idempotency-Key. */
export async function selectResponse(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
): Promise<StoredResponse | undefined> {
  const [row] = await tx<StoredResponse[]>`
    select encode(request_hash, 'hex') as request_hash, status, location, etag, response_body
    from idempotency_keys where api_key_id = ${keyId} and path = ${path} and key = ${key}`
  return row
}

/** Stores the response of an Idempotency-Key; false when it has one already. */
export async function insertResponse(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
  { created_at, ...response }: StoredResponse & { created_at: Date },
): Promise<boolean> {
  const { request_hash, status, location, etag, response_body } = response
  const rows = await tx`
    insert into idempotency_keys (api_key_id, path, key, request_hash, status, location, etag, response_body, created_at)
    values (${keyId}, ${path}, ${key}, decode(${request_hash}, 'hex'), ${status}, ${location}, ${etag},
      ${JSON.stringify(response_body)}::text::json, ${created_at})
    on conflict do nothing
    returning key`
  return rows.length > 0
}

/** True while a request has an Idempotency-Key locked with `insertLock`. */
export async function isLocked(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
): Promise<boolean> {
  const rows = await tx`
    select 1 from idempotency_locks
    where api_key_id = ${keyId} and path = ${path} and key = ${key}
      and locked_until > clock_timestamp()`
  return rows.length > 0
}

/** Locks an Idempotency-Key for `seconds`; false while another request has it locked. */
export async function insertLock(
  tx: Tx,
  { keyId, path }: IdempotencyScope,
  key: string,
  { owner, seconds }: { owner: string; seconds: number },
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

/** Deletes a lock; false when it belongs to another owner now. */
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

/** Deletes the responses older than `before`; returns how many. */
export async function deleteResponses(sql: Sql | Tx, before: Date): Promise<number> {
  return await deleteInSlices(sql, 'idempotency_keys', sql`created_at < ${before}`)
}

/** Deletes the responses to a key about these resources. */
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
export async function deleteEndedLocks(sql: Sql | Tx, at: Date): Promise<void> {
  await deleteInSlices(sql, 'idempotency_locks', sql`locked_until < ${at}`)
}
