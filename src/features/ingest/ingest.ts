import { type IngestItem, IngestPayload } from '../../contract/blocks/ingest.ts'
import type { Now } from '../../lib/clock.ts'
import { type Outcome, outcomeOf, processTogether } from '../../lib/concurrency/batch.ts'
import { type Context, keyContext } from '../../lib/context.ts'
import type { Sql } from '../../lib/database/db.ts'
import { AppError, type FieldError, inputErrorsOf } from '../../lib/errors.ts'
import { removalWarnings } from '../../lib/html/removals.ts'
import { newId } from '../../lib/ids.ts'
import { validPartOf } from '../../lib/parse.ts'
import type { Caller, KnownKey, RateLimitStatus } from '../api-keys/index.ts'
import {
  areLong,
  type BodyConversion,
  toContentBlock,
  toStoredBody,
} from '../content-blocks/index.ts'
import { listEventWarnings } from '../events/index.ts'
import type { IdempotencyKey } from '../idempotency/index.ts'
import { type IncomingRow, selectByExternalId } from './sql.ts'
import {
  createBatchWriter,
  findReplay,
  fresh,
  type IngestResult,
  ingestBatches,
  type StoredIngestResponse,
} from './store-in-batches.ts'
import { createCheckedWriter } from './store-with-key-check.ts'

/** The caller's key with the properties that a block depends on. */
type IngestCaller = Pick<
  Caller,
  'keyId' | 'firstKeyId' | 'teamId' | 'keyName' | 'allowAutoReady' | 'provider'
>

/** An item with its Idempotency-Key, if it has one. */
export interface NewItem {
  item: IngestItem
  idempotencyKey: IdempotencyKey | null
  /** What was noticed before, for the response. */
  warnings?: readonly string[]
}

export type { IngestResult } from './store-in-batches.ts'

export interface Ingest {
  /**
   * Stores an item; it is durable when the promise resolves. Throws `revoked_key`,
   * `idempotency_key_reused`.
   */
  store(caller: IngestCaller, item: NewItem): Promise<IngestResult>
  /**
   * Stores an item whose key has not been checked, in the statement that checks the key and counts the
   * request. Without a result, the request is counted and `store` has to settle the item; undefined: it
   * is not counted either, so that it must be checked first.
   */
  storeUnchecked(
    key: KnownKey,
    item: IngestItem,
  ): Promise<{ rateLimit: RateLimitStatus; result: IngestResult | undefined } | undefined>
  /**
   * Stores several items independently of each other. Returns one result or error for each item, in
   * their order. Throws only when the database is unavailable.
   */
  storeAll(caller: IngestCaller, items: readonly NewItem[]): Promise<Outcome<IngestResult>[]>
  /** What the schema of an item cannot find: a text of which nothing is left. */
  findErrors(input: Readonly<Record<string, unknown>>): Promise<FieldError[]>
  /** Returns what `store` would return, and stores nothing. Throws as `store` does. */
  preview(caller: IngestCaller, item: NewItem): Promise<Preview>
  /** The same for several items, as if none of the others were sent. Never throws. */
  previewAll(caller: IngestCaller, items: readonly NewItem[]): Promise<Outcome<Preview>[]>
}

/** What `store` would return. */
type Preview = StoredIngestResponse & { duplicate: boolean }

interface IngestDeps extends BodyConversion {
  sql: Sql
  /** With the settings of `keyBatchSession`. */
  ingestSql?: Sql
  now: Now
}

const receivedBody = ({
  body,
  body_format: format = null,
}: Pick<IngestItem, 'body' | 'body_format'>) => ({
  body,
  format,
})

/** Creates blocks from items that come from outside. */
export function createIngest({ sql, ingestSql = sql, now, ...conversion }: IngestDeps): Ingest {
  const writer = createBatchWriter(sql)
  const checkedWriter = createCheckedWriter(ingestSql, ingestBatches)
  const contextOf = ({ teamId, keyId, keyName: name }: IngestCaller): Context =>
    keyContext({ sql, now }, { teamId, keyId, name })
  const prepare = async (
    caller: IngestCaller,
    item: IngestItem,
    {
      eventWarnings = (slug: string) => listEventWarnings(contextOf(caller), slug),
      isLong = areLong([item]),
    } = {},
  ) => {
    const { removals, ...body } = await toStoredBody(receivedBody(item), conversion, isLong)
    const row = rowOf(caller, item, { ...body, at: now() })
    const unknownEvent = item.event_slug ? await eventWarnings(item.event_slug) : []
    const warnings = [...removalWarnings('body', removals), ...unknownEvent]
    return { row, response: { content_block: toContentBlock(row), warnings } }
  }
  const preview = async (
    caller: IngestCaller,
    { item, idempotencyKey }: NewItem,
    isLong?: boolean,
  ): Promise<Preview> => {
    const { row, response } = await prepare(caller, item, { isLong })
    const replay = idempotencyKey && (await findReplay(sql, caller, idempotencyKey))
    if (replay) return previewOf(replay)
    const earlier = row.external_id === null ? undefined : await selectByExternalId(sql, row)
    if (!earlier) return { ...response, duplicate: false }
    return { ...response, content_block: toContentBlock(earlier), duplicate: true }
  }
  return {
    async store(caller, { item, ...more }) {
      return await writer.write(withIdempotencyKey(await prepare(caller, item), more))
    },
    async storeUnchecked(key, item) {
      const row = withIdempotencyKey(await prepare(key.caller, item), { idempotencyKey: null })
      const written = await key.during(checkedWriter.write({ row, key }))
      return (
        written && {
          rateLimit: written.rateLimit,
          result: written.isStored ? fresh(row) : undefined,
        }
      )
    },
    async storeAll(caller, items) {
      const eventWarnings = once((slug) => listEventWarnings(contextOf(caller), slug))
      const isLong = areLong(items.map(({ item }) => item))
      const rows = await Promise.all(
        items.map(({ item, ...more }) =>
          outcomeOf(
            prepare(caller, item, { eventWarnings, isLong }).then((prepared) =>
              withIdempotencyKey(prepared, more),
            ),
          ),
        ),
      )
      return await processTogether(rows, writer.writeAll)
    },
    async findErrors(input) {
      const { body, body_format } = validPartOf(IngestPayload, input)
      return await inputErrorsOf(
        // One of many items of a bulk request can have errors; this is no usual case.
        () => body && toStoredBody(receivedBody({ body, body_format }), conversion, true),
      )
    },
    preview,
    async previewAll(caller, items) {
      const isLong = areLong(items.map(({ item }) => item))
      return await Promise.all(items.map((item) => outcomeOf(preview(caller, item, isLong))))
    },
  }
}

/** What a dry run responds with for a request whose Idempotency-Key was used before. */
function previewOf(replay: Outcome<IngestResult>) {
  if ('error' in replay) throw replay.error
  return { ...replay.value.response, duplicate: true }
}

/** Calls `load` once for each key. */
function once<Value>(load: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const loaded = new Map<string, Promise<Value>>()
  return (key) => {
    const value = loaded.get(key) ?? load(key)
    loaded.set(key, value)
    return value
  }
}

/** A row with the Idempotency-Key that it is stored under, and with all warnings. */
const withIdempotencyKey = (
  { row, response }: { row: NewRow; response: StoredIngestResponse },
  { idempotencyKey, warnings = [] }: Omit<NewItem, 'item'>,
): IncomingRow => ({
  ...row,
  idempotency_key: idempotencyKey?.key ?? null,
  request_hash: idempotencyKey?.requestHash ?? null,
  response_body: { ...response, warnings: [...warnings, ...response.warnings] },
})

type NewRow = Omit<IncomingRow, 'idempotency_key' | 'request_hash' | 'response_body'>

function rowOf(
  caller: IngestCaller,
  item: IngestItem,
  { body, body_format, at }: Pick<NewRow, 'body' | 'body_format'> & { at: Date },
): NewRow {
  if (item.auto_ready && !caller.allowAutoReady) {
    throw new AppError('insufficient_scope', 'This key may not use auto_ready; leave it out.', {
      extra: { required_scope: 'write', required_option: 'allow_auto_ready' },
    })
  }
  return {
    id: newId('cb', at),
    team_id: caller.teamId,
    title: item.title,
    body,
    body_format,
    block_type: item.block_type ?? 'general',
    status: item.auto_ready ? 'ready' : 'draft',
    source: 'webhook',
    event_slug: item.event_slug ?? null,
    image_url: item.image_url ?? null,
    image_alt: item.image_alt ?? null,
    image_size: null,
    image_focal_x: null,
    image_focal_y: null,
    provider: caller.provider,
    external_id: item.external_id ?? null,
    source_url: item.source_url ?? null,
    author: item.author ?? null,
    publish_after: item.publish_after ?? null,
    api_key_id: caller.keyId,
    first_key_id: caller.firstKeyId,
    api_key_name: caller.keyName,
    version: 1,
    created_at: at,
    updated_at: at,
  }
}
