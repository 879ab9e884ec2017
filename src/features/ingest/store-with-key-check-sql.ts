import type { Sql } from '../../lib/database/db.ts'
import {
  type CountedRequests,
  countedRequests,
  countUsageOfKey,
  countUsageOfKeys,
  type KnownKey,
  rateLimitWindow,
} from '../api-keys/index.ts'
import { type IncomingRow, inOrder, insertion, insertionOf, relationOf, skipStored } from './sql.ts'

/** A block to store, with its key as it was found before. */
export interface UncheckedRow {
  row: IncomingRow
  key: KnownKey
  /** The position among the rows of the same key, from 0. */
  position: number
}

/** What became of a row whose key is still as it was found. */
export interface CheckedRow extends CountedRequests {
  id: string
  stored: boolean
}

/**
 * Checks keys that were found before, counts the requests against their windows and stores their blocks,
 * in one statement. Each key must be unchanged and active (locked in share mode until commit); otherwise
 * its rows are neither counted nor returned. Of the rows of a key, the first are accepted. Rows without
 * Idempotency-Keys only.
 */
export async function countAndInsert(
  sql: Sql,
  rows: readonly UncheckedRow[],
): Promise<CheckedRow[]> {
  const [only] = rows
  return only && rows.length === 1
    ? await countAndInsertOne(sql, only)
    : await countAndInsertMany(sql, rows)
}

/** The keys of rows, each with the number of its rows. */
function keysOf(rows: readonly UncheckedRow[]) {
  const keys = new Map<string, { id: string; version: string; n: number }>()
  for (const { key } of rows) {
    const id = key.caller.keyId
    const known = keys.get(id) ?? { id, version: key.version, n: 0 }
    known.n++
    keys.set(id, known)
  }
  return [...keys.values()]
}

async function countAndInsertMany(sql: Sql, rows: readonly UncheckedRow[]): Promise<CheckedRow[]> {
  const items = rows.map(({ row }) => row)
  const positions = rows.map(({ position }) => position)
  return await sql<CheckedRow[]>`
    with item as materialized (
      select * from ${relationOf(sql, items, positions)}
    ), key as materialized (
      select active_key.id, r.n, false as in_url, 'active' as state
      from (
        select * from json_to_recordset(${JSON.stringify(keysOf(rows))}::text::json)
          as r (id id, version xid, n integer)
        order by id
      ) r cross join lateral (
        select id from api_keys
        where id = r.id and xmin = r.version and revoked_at is null
          and (expires_at is null or expires_at > clock_timestamp())
        for share
      ) active_key
    ), ${countUsageOfKeys(sql, rateLimitWindow)}, block as (
      ${insertion(sql)}
      from item i join counted c on c.api_key_id = i.api_key_id
      where i.position < c.accepted
      ${inOrder(sql)} ${skipStored(sql)}
    )
    select i.id, c.used, c.accepted, c.reset_ms, block.id is not null as stored
    from item i join counted c on c.api_key_id = i.api_key_id left join block on block.id = i.id`
}

/** The same for one row, without JSON and sorting. */
async function countAndInsertOne(
  sql: Sql,
  { row, key: { caller, version } }: UncheckedRow,
): Promise<CheckedRow[]> {
  return await sql<CheckedRow[]>`
    with key as materialized (
      select id from api_keys
      where id = ${caller.keyId} and xmin = ${version}::text::xid and revoked_at is null
        and (expires_at is null or expires_at > clock_timestamp())
      for share
    ), counted as (
      ${countUsageOfKey(sql, { requests: 1, inUrl: false }, rateLimitWindow)}
      from key where u.api_key_id = key.id
      returning ${countedRequests(sql, rateLimitWindow)}
    ), block as (
      ${insertionOf(sql, row)}
      from counted where counted.accepted > 0
      ${skipStored(sql)}
    )
    select ${row.id} as id, used, accepted, reset_ms, exists (select from block) as stored from counted`
}
