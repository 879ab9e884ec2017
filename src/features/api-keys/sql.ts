import type { Scope } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'

export interface KeyRow {
  id: string
  team_id: string
  name: string
  prefix: string
  scopes: Scope[]
  ingest_only: boolean
  allow_auto_ready: boolean
  provider: string | null
  expires_at: Date | null
  revoked_at: Date | null
  created_at: Date
  last_used_at: Date | null
  /** When it was last sent as `?api_key=`, which logs and browser histories store. */
  last_used_in_url_at: Date | null
  /** The first of the keys that replaced each other, or itself: ingested items belong to it. */
  first_key_id: string
}

export interface LockedKeyRow extends Omit<KeyRow, 'last_used_at' | 'last_used_in_url_at'> {
  /** When another key replaced it, which it outlives by the grace period. */
  rotated_at: Date | null
}

export interface NewKeyRow {
  id: string
  team_id: string
  name: string
  token_hash: Buffer
  prefix: string
  scopes: Scope[]
  ingest_only: boolean
  allow_auto_ready: boolean
  provider: string | null
  expires_at: Date | null
  /** The member who created it, if any. */
  created_by: string | null
  created_at: Date
  /** Null for a key that replaces none. */
  first_key_id: string | null
}

/** Stores a key together with its usage row. */
export async function insertKey(sql: Sql | Tx, key: NewKeyRow): Promise<void> {
  await sql`
    with key as (
      insert into api_keys (id, team_id, name, token_hash, prefix, scopes, ingest_only, allow_auto_ready, provider, expires_at, created_by, created_at, first_key_id)
      values (${key.id}, ${key.team_id}, ${key.name}, ${key.token_hash}, ${key.prefix}, ${key.scopes}, ${key.ingest_only},
        ${key.allow_auto_ready}, ${key.provider}, ${key.expires_at}, ${key.created_by}, ${key.created_at},
        ${key.first_key_id})
      returning id
    )
    insert into api_key_usage (api_key_id) select id from key`
}

/** A team's keys, newest first. */
export async function selectKeys(sql: Sql | Tx, teamId: string): Promise<KeyRow[]> {
  return await sql<KeyRow[]>`
    select k.id, k.team_id, k.name, k.prefix, k.scopes, k.ingest_only, k.allow_auto_ready, k.provider,
      k.expires_at, k.revoked_at, k.created_at, u.last_used_at, u.last_used_in_url_at,
      coalesce(k.first_key_id, k.id) as first_key_id
    from api_keys k left join api_key_usage u on u.api_key_id = k.id
    where k.team_id = ${teamId} order by k.id desc limit 1000`
}

/** The keys of a team with this id or this prefix, two at most. */
export async function selectKeysNamed(
  sql: Sql | Tx,
  teamId: string,
  idOrPrefix: string,
): Promise<KeyRow[]> {
  return await sql<KeyRow[]>`
    select k.id, k.team_id, k.name, k.prefix, k.scopes, k.ingest_only, k.allow_auto_ready, k.provider,
      k.expires_at, k.revoked_at, k.created_at, u.last_used_at, u.last_used_in_url_at,
      coalesce(k.first_key_id, k.id) as first_key_id
    from api_keys k left join api_key_usage u on u.api_key_id = k.id
    where k.team_id = ${teamId} and (k.id = ${idOrPrefix} or k.prefix = ${idOrPrefix}) limit 2`
}

/** The ids of the keys of a team that have this first key, itself among them. */
export async function selectIdsOfFirstKey(
  sql: Sql | Tx,
  teamId: string,
  firstKeyId: string,
): Promise<{ id: string }[]> {
  return await sql<{ id: string }[]>`
    select id from api_keys
    where team_id = ${teamId} and (id = ${firstKeyId} or first_key_id = ${firstKeyId})`
}

/** Revokes a key for good; waits for writes under way with it. */
export async function revokeKeyRow(sql: Sql | Tx, teamId: string, id: string): Promise<void> {
  await sql`
    update api_keys set revoked_at = coalesce(revoked_at, now())
    where team_id = ${teamId} and id = ${id}`
}

/** Gives a key a new token and makes it active. Returns false when the team has no such key. */
export async function updateToken(
  tx: Tx,
  teamId: string,
  id: string,
  { prefix, token_hash }: Pick<NewKeyRow, 'prefix' | 'token_hash'>,
): Promise<boolean> {
  const rows = await tx`
    update api_keys
    set prefix = ${prefix}, token_hash = ${token_hash}, revoked_at = null, expires_at = null
    where team_id = ${teamId} and id = ${id} returning id`
  return rows.length > 0
}

/** Locks the creation of keys of a team until the transaction ends, and counts its active keys. */
export async function lockAndCountActiveKeys(tx: Tx, teamId: string): Promise<number> {
  await tx`select id from teams where id = ${teamId} for no key update`
  const [row] = await tx<{ counted: number }[]>`
    select count(*)::integer as counted from api_keys
    where team_id = ${teamId} and revoked_at is null and (expires_at is null or expires_at > now())`
  return row?.counted ?? 0
}

/** One key of a team, locked against changes. */
export async function lockKey(
  tx: Tx,
  teamId: string,
  id: string,
): Promise<LockedKeyRow | undefined> {
  const [row] = await tx<LockedKeyRow[]>`
    select id, team_id, name, prefix, scopes, ingest_only, allow_auto_ready, provider, expires_at,
      revoked_at, rotated_at, created_at, coalesce(first_key_id, id) as first_key_id
    from api_keys where team_id = ${teamId} and id = ${id} for update`
  return row
}

/** Stores that a key was rotated `at`, and lets it end at `ends`, unless it ends sooner. */
export async function rotateKeyRow(
  tx: Tx,
  teamId: string,
  id: string,
  { at, ends }: { at: Date; ends: Date },
): Promise<void> {
  await tx`
    update api_keys set expires_at = least(expires_at, ${ends}), rotated_at = ${at}
    where team_id = ${teamId} and id = ${id}`
}

/** The member who created a key, or null. */
export async function selectKeyCreator(
  sql: Sql | Tx,
  teamId: string,
  keyId: string,
): Promise<string | null> {
  const [row] = await sql<{ created_by: string | null }[]>`
    select created_by from api_keys where team_id = ${teamId} and id = ${keyId}`
  return row?.created_by ?? null
}

/** Sets whether a key may mark blocks ready by itself. */
export async function updateAutoReady(
  tx: Tx,
  teamId: string,
  id: string,
  allowed: boolean,
): Promise<void> {
  await tx`
    update api_keys set allow_auto_ready = ${allowed}
    where team_id = ${teamId} and id = ${id} and allow_auto_ready <> ${allowed}`
}
