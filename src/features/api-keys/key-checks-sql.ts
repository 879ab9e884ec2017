import type { Scope } from '../../contract/vocabulary.ts'
import type { Fragment, Sql, Tx } from '../../lib/database/db.ts'
import {
  type CountedRequests,
  countedRequests,
  countUsageOfKey,
  countUsageOfKeys,
  type RateWindow,
} from './rate-limit.ts'

/** The requests with one key that are checked together. */
export interface KeyCheck {
  /** SHA-256 of the token, in hex. */
  tokenHash: string
  requests: number
  /** At least one of them has the key in its URL. */
  inUrl: boolean
  /** The versions of the key and of its team that the process knows; empty for a key that it does not know. */
  versions: string
}

/** A key and its team. */
export interface KeyDetails {
  id: string
  first_key_id: string
  team_id: string
  team_slug: string
  team_name: string
  name: string
  scopes: Scope[]
  ingest_only: boolean
  allow_auto_ready: boolean
  provider: string | null
  expires_at: string | null
  /** Changes with each change of the key; its usage is in another table. */
  version: string
  /** Changes with each change of the key or of its team. */
  versions: string
}

export interface KeyCheckRow extends CountedRequests {
  /** The position of its check, from 1. */
  position: number
  state: 'active' | 'revoked' | 'expired'
  /** Null when the versions are those that the process knows. */
  key: KeyDetails | null
}

/**
 * The details of a key `k` and its team `t`, unless they have the versions that the process knows: most
 * requests come with a known key, and reading its columns takes the driver longer than all others.
 */
const detailsUnlessKnown = (sql: Sql, known: Fragment | string) => sql`
  case when k.xmin::text || ' ' || t.xmin::text is distinct from ${known} then json_build_object(
    'id', k.id, 'first_key_id', coalesce(k.first_key_id, k.id), 'team_id', k.team_id, 'team_slug', t.slug, 'team_name', t.name, 'name', k.name,
    'scopes', k.scopes, 'ingest_only', k.ingest_only, 'allow_auto_ready', k.allow_auto_ready,
    'provider', k.provider, 'expires_at', k.expires_at, 'version', k.xmin::text,
    'versions', k.xmin::text || ' ' || t.xmin::text
  ) end`

/**
 * Finds the keys, counts the requests against their sliding windows and records the last use, in one
 * round trip for any number of keys; an unknown key has no row.
 */
export async function countRequests(
  sql: Sql,
  checks: readonly KeyCheck[],
  window: RateWindow,
): Promise<KeyCheckRow[]> {
  const hashes = checks.map(({ tokenHash }) => tokenHash)
  const inUrl = checks.filter((check) => check.inUrl).map(({ tokenHash }) => tokenHash)
  return await sql<KeyCheckRow[]>`
    with request as (
      select position::integer as position, decode(hex, 'hex') as hash, n, versions,
        hex = any(${inUrl}::text[]) as in_url
      from unnest(
        ${hashes}::text[], ${checks.map(({ requests }) => requests)}::integer[],
        ${checks.map(({ versions }) => versions)}::text[]
      ) with ordinality as r (hex, n, versions, position)
    ), key as materialized (
      select r.position, r.n, r.in_url, k.id, ${detailsUnlessKnown(sql, sql`r.versions`)} as details,
        case when k.revoked_at is not null then 'revoked'
          when k.expires_at <= clock_timestamp() then 'expired' else 'active' end as state
      from request r join api_keys k on k.token_hash = r.hash join teams t on t.id = k.team_id
    ), ${countUsageOfKeys(sql, window)}
    select key.position, key.state, key.details as key, coalesce(counted.used, 0) as used,
      coalesce(counted.accepted, 0) as accepted, coalesce(counted.reset_ms, 0) as reset_ms
    from key left join counted on counted.api_key_id = key.id`
}

/** The same for one active key, at two thirds of the cost; a key that is not active has no row. */
export async function countRequestsOfKey(
  sql: Sql,
  check: KeyCheck,
  window: RateWindow,
): Promise<KeyCheckRow | undefined> {
  const [row] = await sql<Omit<KeyCheckRow, 'position' | 'state'>[]>`
    ${countUsageOfKey(sql, check, window)}
    from api_keys k join teams t on t.id = k.team_id
    where k.token_hash = decode(${check.tokenHash}, 'hex') and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > clock_timestamp()) and u.api_key_id = k.id
    returning ${detailsUnlessKnown(sql, check.versions)} as key, ${countedRequests(sql, window)}`
  return row && { ...row, position: 1, state: 'active' }
}

/** The ids of those of the keys that are active; takes no lock. */
export async function selectActiveKeyIds(
  sql: Sql | Tx,
  keys: readonly { keyId: string; teamId: string }[],
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from api_keys
    where id = any(${keys.map(({ keyId }) => keyId)}) and team_id = any(${keys.map(({ teamId }) => teamId)})
      and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`
  return new Set(rows.map(({ id }) => id))
}

/**
 * A query for those of the keys of a team that are active, as a part of a statement that reads for them.
 * With the limit, PostgreSQL looks the keys up one by one; otherwise it can read all keys of the team.
 */
export const activeKeys = (sql: Sql | Tx, teamId: string, keyIds: readonly string[]) => sql`
  select active_key.id
  from unnest(${[...keyIds]}::text[]) r (id) cross join lateral (
    select id, team_id from api_keys
    where id = r.id and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())
    limit 1
  ) active_key
  where active_key.team_id = ${teamId}`

/** A query that has a row when a key is active, as a part of a statement that reads for it. */
const activeKey = (sql: Sql | Tx, { teamId, keyId }: { teamId: string; keyId: string }) => sql`
  select id from api_keys
  where team_id = ${teamId} and id = ${keyId} and revoked_at is null
    and (expires_at is null or expires_at > clock_timestamp())`

/** Locks a key until the transaction ends, so that it cannot be revoked before; false unless it is active. */
export async function lockActiveKey(tx: Tx, teamId: string, keyId: string): Promise<boolean> {
  const rows = await tx`${activeKey(tx, { teamId, keyId })} for share`
  return rows.length > 0
}
