import type { ReadContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'

export const requestsPerWindow = 60
export const windowSeconds = 60
export const rateLimitWindow = { requests: requestsPerWindow, seconds: windowSeconds }

/** How many of its 60 requests per 60 seconds a key has left. */
export interface RateLimitStatus {
  remaining: number
  /** Seconds until the oldest request leaves the window, at least 1. */
  resetSeconds: number
}

/** How many requests a key may make in how many seconds. */
export interface RateWindow {
  requests: number
  seconds: number
}

/** How the requests of one statement count against the window of a key. */
export interface CountedRequests {
  /** Requests accepted in the window before these; 0 unless the key is active. */
  used: number
  /** How many of these requests are accepted. */
  accepted: number
  /** Milliseconds until the oldest accepted request leaves the window. */
  reset_ms: number
}

/**
 * The end of a list of `with`: counts the `n` requests of each row of `key` (with `id`, `in_url` and
 * `state`) against the window of this key, if it is active. The last one is `counted`. The time is read
 * after the usage row is locked, so the window is exact over all processes on this database. Rows are
 * locked in the order of their ids, so that two processes never wait for each other in a circle. Requests
 * that are more than a window ahead do not count: the clock of the database was set back.
 */
export const countUsageOfKeys = (sql: Sql, { requests, seconds }: RateWindow) => sql`
  locked as materialized (
    select u.api_key_id, u.recent_requests, key.n, key.in_url
    from key join api_key_usage u on u.api_key_id = key.id
    where key.state = 'active' order by u.api_key_id for update of u
  ), timed as materialized (
    select *, clock_timestamp() as at from locked
  ), accepted as materialized (
    select *, least(n, greatest(${requests} - cardinality(recent), 0)) as accepted
    from timed cross join lateral (
      select array(
        select h from unnest(recent_requests) h
        where h > at - make_interval(secs => ${seconds}) and h < at + make_interval(secs => ${seconds})
      ) as recent
    ) w
  ), counted as (
    update api_key_usage u set
      recent_requests = a.recent || array_fill(a.at, array[a.accepted]),
      last_used_at = a.at,
      last_used_in_url_at = case when a.in_url then a.at else u.last_used_in_url_at end
    from accepted a where u.api_key_id = a.api_key_id
    returning u.api_key_id, cardinality(a.recent) as used, a.accepted,
      (extract(epoch from u.recent_requests[1] + make_interval(secs => ${seconds}) - a.at) * 1000)::float8 as reset_ms
  )`

/**
 * The beginning of an update that counts requests of one key: it needs `from`, `where` and
 * {@link countedRequests}. After a concurrent change of the row, PostgreSQL locks it and evaluates the
 * assignments again, with the time at that moment, so the window is as exact.
 */
export const countUsageOfKey = (
  sql: Sql,
  { requests, inUrl }: { requests: number; inUrl: boolean },
  window: RateWindow,
) => sql`
  update api_key_usage u set (recent_requests, last_used_at, last_used_in_url_at) = (
    select recent || array_fill(at, array[least(${requests}::integer, greatest(${window.requests} - cardinality(recent), 0))]),
      at, case when ${inUrl} then at else u.last_used_in_url_at end
    from (select clock_timestamp() as at) c cross join lateral (
      select array(
        select h from unnest(u.recent_requests) h
        where h > at - make_interval(secs => ${window.seconds}) and h < at + make_interval(secs => ${window.seconds})
      ) as recent
    ) w
  )`

/** What {@link countUsageOfKey} returns. The accepted requests are those with the time of its statement. */
export const countedRequests = (sql: Sql, { seconds }: RateWindow) => sql`
  cardinality(array_remove(u.recent_requests, u.last_used_at)) as used,
  cardinality(array_positions(u.recent_requests, u.last_used_at)) as accepted,
  (extract(epoch from u.recent_requests[1] + make_interval(secs => ${seconds}) - u.last_used_at) * 1000)::float8 as reset_ms`

/** Milliseconds as the whole seconds of a `Retry-After`, at least 1. */
export const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

/** The limit of a key after requests at a position of a statement, of which so many are accepted. */
export const rateLimitOf = (
  row: CountedRequests,
  position: number,
  accepted: number,
): RateLimitStatus => ({
  remaining: accepted > 0 ? requestsPerWindow - row.used - position - accepted : 0,
  resetSeconds: wholeSeconds(row.reset_ms),
})

/** How long ago, in ms, each request was accepted that still counts against the key, oldest first. */
export async function listRequestAges(
  { sql, actor }: ReadContext,
  keyId: string,
): Promise<number[]> {
  const rows = await sql<{ age_ms: number }[]>`
    select (extract(epoch from clock_timestamp() - h) * 1000)::float8 as age_ms
    from api_keys k join api_key_usage u on u.api_key_id = k.id, unnest(u.recent_requests) h
    where k.team_id = ${actor.teamId} and k.id = ${keyId} and h > clock_timestamp() - make_interval(secs => ${windowSeconds})
    order by h`
  return rows.map(({ age_ms }) => age_ms)
}

/** When each of the next requests of a key has room, if all that come before it are sent: seconds from now. */
export async function listWaits(
  { sql, actor }: ReadContext,
  { keyId, requests }: { keyId: string; requests: number },
): Promise<readonly number[]> {
  const agesMs = await withDeadline(listRequestAges({ sql, actor }, keyId))
  const windowMs = windowSeconds * 1000
  return Array.from({ length: requests }, (_, index) => {
    const leaving = agesMs[index % requestsPerWindow] ?? windowMs
    const rounds = Math.floor(index / requestsPerWindow)
    return wholeSeconds(windowMs - leaving + rounds * windowMs)
  })
}
