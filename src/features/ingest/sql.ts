import type { Sql, Tx } from '../../lib/database/db.ts'
import { type BlockRow, blockColumns, searchWordsOf } from '../content-blocks/index.ts'

/** A block to store, with its Idempotency-Key, if it has one. */
export interface IncomingRow extends BlockRow {
  /** The key of the request. */
  api_key_id: string
  /** The key that the block belongs to: the first of those that replaced each other. */
  first_key_id: string
  idempotency_key: string | null
  /** SHA-256 of the request's body, in hex. */
  request_hash: string | null
  /** The response for a repetition of the request. */
  response_body: unknown
}

export interface IncomingOutcome {
  id: string
  isKeyActive: boolean
  isKeyNew: boolean
  stored: boolean
}

/** The rows of a batch as a relation, in which `position` is that among the rows of the same key, from 0. */
export const relationOf = (
  sql: Sql | Tx,
  rows: readonly IncomingRow[],
  positions: readonly number[] = [],
) => sql`
  json_to_recordset(${JSON.stringify(rows.map((row, at) => valuesOf(row, positions[at])))}::text::json) as r (
    id id, team_id id, title text, body text, body_format text, block_type text, status text,
    source text, event_slug text, image_url text, image_alt text, image_size text,
    provider text, external_id text, source_url text, author text, publish_after timestamptz, api_key_id id, first_key_id id,
    created_at timestamptz, words text[], others text, idempotency_key text, request_hash text,
    response_body json, position integer)`

/** The beginning of the insertion: the columns of a new block. */
const intoBlocks = (sql: Sql | Tx) => sql`
  insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source,
    event_slug, image_url, image_alt, image_size, provider, external_id, source_url, author,
    publish_after, api_key_id, created_at, updated_at, search)`

/** The insertion with values from the relations `i` and `active_key`. */
export const insertion = (sql: Sql | Tx) => sql`
  ${intoBlocks(sql)}
  select i.id, i.team_id, i.title, i.body, i.body_format, i.block_type, i.status, i.source,
    i.event_slug, i.image_url, i.image_alt, i.image_size, i.provider, i.external_id,
    i.source_url, i.author, i.publish_after, i.first_key_id, i.created_at, i.created_at,
    block_lexemes(i.team_id, i.words, i.others)`

/** The insertion of one block, without a relation. */
export const insertionOf = (sql: Sql | Tx, row: IncomingRow) => {
  const { words, others } = searchWordsOf(`${row.title} ${row.body}`)
  return sql`
    ${intoBlocks(sql)}
    select ${row.id}, ${row.team_id}, ${row.title}, ${row.body}, ${row.body_format}, ${row.block_type},
      ${row.status}, ${row.source}, ${row.event_slug}, ${row.image_url}, ${row.image_alt}, ${row.image_size},
      ${row.provider}, ${row.external_id}, ${row.source_url}, ${row.author}, ${row.publish_after},
      ${row.first_key_id}, ${row.created_at}, ${row.created_at},
      block_lexemes(${row.team_id}, ${words}::text[], ${others})`
}

/** The order keeps two processes from waiting for each other in a circle. */
export const inOrder = (sql: Sql | Tx) => sql`order by i.first_key_id, i.external_id`

/** The end of the insertion. */
export const skipStored = (sql: Sql | Tx) => sql`
  on conflict (team_id, external_id, api_key_id) where external_id is not null do nothing
  returning id`

/**
 * Stores many blocks without Idempotency-Keys in one statement. Returns the ids of those that it has
 * stored: their key is active (locked in share mode until commit), and their external id is new. The
 * keys are looked up one by one: with a list of keys as a parameter, PostgreSQL would plan each batch anew.
 */
export async function insertWithoutKeys(
  sql: Sql | Tx,
  rows: readonly IncomingRow[],
): Promise<{ id: string }[]> {
  return await sql<{ id: string }[]>`
    ${insertion(sql)}
    from (select * from ${relationOf(sql, rows)} order by r.first_key_id, r.external_id) i
    cross join lateral (
      select from api_keys
      where id = i.api_key_id and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())
      for share
    ) active_key
    ${inOrder(sql)} ${skipStored(sql)}`
}

/** The same for one block, without JSON and sorting: a fifth less work for PostgreSQL. */
export async function insertOne(sql: Sql | Tx, row: IncomingRow): Promise<{ id: string }[]> {
  return await sql<{ id: string }[]>`
    ${insertionOf(sql, row)}
    from (
      select from api_keys
      where id = ${row.api_key_id} and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())
      for share
    ) active_key
    ${skipStored(sql)}`
}

/**
 * Stores many blocks, with or without Idempotency-Keys, in one statement. Each row is checked
 * separately: its key must be active (locked in share mode until commit), its Idempotency-Key and its
 * external id must be new. The rows are sorted by Idempotency-Key, so that two processes do not deadlock.
 */
export async function insertWithKeys(
  sql: Sql | Tx,
  path: string,
  rows: readonly IncomingRow[],
): Promise<IncomingOutcome[]> {
  const keyIds = [...new Set(rows.map(({ api_key_id }) => api_key_id))]
  return await sql<IncomingOutcome[]>`
    with item as (
      select * from ${relationOf(sql, rows)}
    ), active_key as (
      select id from api_keys
      where id = any(${keyIds}) and revoked_at is null
        and (expires_at is null or expires_at > clock_timestamp())
      for share
    ), new_key as (
      insert into idempotency_keys (api_key_id, path, key, request_hash, resource_id, status, response_body, created_at)
      select i.api_key_id, ${path}, i.idempotency_key, decode(i.request_hash, 'hex'), i.id, 201, i.response_body, i.created_at
      from item i join active_key on active_key.id = i.api_key_id
      where i.idempotency_key is not null
      order by i.api_key_id, i.idempotency_key
      on conflict do nothing
      returning resource_id
    ), stored as (
      ${insertion(sql)}
      from item i join active_key on active_key.id = i.api_key_id
      left join new_key on new_key.resource_id = i.id
      where i.idempotency_key is null or new_key.resource_id is not null
      ${inOrder(sql)} ${skipStored(sql)}
    )
    select i.id, active_key.id is not null as "isKeyActive", new_key.resource_id is not null as "isKeyNew",
      stored.id is not null as stored
    from item i
    left join active_key on active_key.id = i.api_key_id
    left join new_key on new_key.resource_id = i.id
    left join stored on stored.id = i.id`
}

/**
 * The values of a row as JSON contains them: without those that are null, which PostgreSQL would read as
 * well (10 µs of 90 for a row). Times are texts, because JSON.stringify takes twice as long for an object
 * that contains a `Date`. The block is stored in the response only when there is an Idempotency-Key;
 * otherwise each body would be sent to the database twice.
 */
const valuesOf = (row: IncomingRow, position?: number) => ({
  ...searchWordsOf(`${row.title} ${row.body}`),
  id: row.id,
  team_id: row.team_id,
  title: row.title,
  body: row.body,
  body_format: row.body_format,
  block_type: row.block_type,
  status: row.status,
  source: row.source,
  event_slug: row.event_slug ?? undefined,
  image_url: row.image_url ?? undefined,
  image_alt: row.image_alt ?? undefined,
  image_size: row.image_size ?? undefined,
  provider: row.provider ?? undefined,
  external_id: row.external_id ?? undefined,
  source_url: row.source_url ?? undefined,
  author: row.author ?? undefined,
  publish_after: row.publish_after?.toISOString(),
  api_key_id: row.api_key_id,
  first_key_id: row.first_key_id,
  created_at: row.created_at.toISOString(),
  idempotency_key: row.idempotency_key ?? undefined,
  request_hash: row.request_hash ?? undefined,
  response_body: row.idempotency_key === null ? undefined : row.response_body,
  position,
})

export interface EarlierResponse {
  request_hash: string
  status: number
  response_body: unknown
}

/** The first response under an Idempotency-Key. */
export async function selectEarlierResponse(
  sql: Sql | Tx,
  { keyId, path }: { keyId: string; path: string },
  key: string,
): Promise<EarlierResponse | undefined> {
  const [found] = await sql<EarlierResponse[]>`
    select encode(request_hash, 'hex') as request_hash, status, response_body from idempotency_keys
    where api_key_id = ${keyId} and path = ${path} and key = ${key}`
  return found
}

/** The block that a key, or one that it replaced, created earlier under this external id. */
export async function selectByExternalId(
  sql: Sql | Tx,
  row: Pick<IncomingRow, 'team_id' | 'first_key_id' | 'external_id'>,
): Promise<BlockRow | undefined> {
  const [found] = await sql<BlockRow[]>`
    select ${blockColumns(sql)} from content_blocks b
    where b.team_id = ${row.team_id} and b.api_key_id = ${row.first_key_id}
      and b.external_id = ${row.external_id}`
  return found
}

/** Stores the existing block as the response under an Idempotency-Key. */
export async function redirectResponse(
  sql: Sql | Tx,
  path: string,
  row: IncomingRow,
  earlier: { id: string; response_body: unknown },
): Promise<void> {
  await sql`
    update idempotency_keys
    set resource_id = ${earlier.id}, status = 200, response_body = ${JSON.stringify(earlier.response_body)}::text::json
    where api_key_id = ${row.api_key_id} and path = ${path} and key = ${row.idempotency_key}`
}

/** Deletes the response under an Idempotency-Key, because its block does not exist. */
export async function deleteResponse(sql: Sql | Tx, path: string, row: IncomingRow): Promise<void> {
  await sql`
    delete from idempotency_keys
    where api_key_id = ${row.api_key_id} and path = ${path} and key = ${row.idempotency_key}`
}
