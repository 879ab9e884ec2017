import { type IngestItem, IngestPayload } from '../../contract/blocks/ingest.ts'
import type { Now } from '../../lib/clock.ts'
import { type Outcome, outcomeOf, processTogether } from '../../lib/concurrency/batch.ts'
import { keyContext } from '../../lib/context.ts'
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
import { findPreview, type Preview } from './preview.ts'
import type { IncomingRow } from './sql.ts'
import {
  createBatchWriter,
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
export function createIngest({ ingestSql, ...deps }: IngestDeps): Ingest {
  const writer = createBatchWriter(deps.sql)
  const checkedWriter = createCheckedWriter(ingestSql ?? deps.sql, ingestBatches)
  return {
    async store(caller, { item, ...more }) {
      return await writer.write(withIdempotencyKey(await prepare(deps, caller, item), more))
    },
    async storeUnchecked(key, item) {
      const prepared = await prepare(deps, key.caller, item)
      const row = withIdempotencyKey(prepared, { idempotencyKey: null })
      const written = await key.during(checkedWriter.write({ row, key }))
      if (!written) return undefined
      const { rateLimit, isStored } = written
      return { rateLimit, result: isStored ? fresh(row) : undefined }
    },
    async storeAll(caller, items) {
      return await processTogether(await prepareAll(deps, caller, items), writer.writeAll)
    },
    async findErrors(input) {
      const { body, body_format } = validPartOf(IngestPayload, input)
      return await inputErrorsOf(
        // One of many items of a bulk request can have errors; this is no usual case.
        () => body && toStoredBody(receivedBody({ body, body_format }), deps, true),
      )
    },
    preview: async (caller, item) => await preview(deps, caller, item),
    async previewAll(caller, items) {
      const isLong = areLong(items.map(({ item }) => item))
      return await Promise.all(items.map((item) => outcomeOf(preview(deps, caller, item, isLong))))
    },
  }
}

type PrepareDeps = Omit<IngestDeps, 'ingestSql'>

/** The row of an item and the response to it. Throws `validation_failed` and `insufficient_scope`. */
async function prepare(
  deps: PrepareDeps,
  caller: IngestCaller,
  item: IngestItem,
  { eventWarnings = eventWarningsOf(deps, caller), isLong = areLong([item]) } = {},
): Promise<PreparedItem> {
  const { removals, ...body } = await toStoredBody(receivedBody(item), deps, isLong)
  const row = rowOf(caller, item, { ...body, at: deps.now() })
  const unknownEvent = item.event_slug ? await eventWarnings(item.event_slug) : []
  const warnings = [...removalWarnings('body', removals), ...unknownEvent]
  return { row, response: { content_block: toContentBlock(row), warnings } }
}

/** The rows of several items, each with its Idempotency-Key. */
async function prepareAll(
  deps: PrepareDeps,
  caller: IngestCaller,
  items: readonly NewItem[],
): Promise<Outcome<IncomingRow>[]> {
  const eventWarnings = once(eventWarningsOf(deps, caller))
  const isLong = areLong(items.map(({ item }) => item))
  const prepareOne = async ({ item, ...more }: NewItem) =>
    withIdempotencyKey(await prepare(deps, caller, item, { eventWarnings, isLong }), more)
  return await Promise.all(items.map((item) => outcomeOf(prepareOne(item))))
}

/** Finds the warnings about an event that the team of a key does not have. */
function eventWarningsOf({ sql, now }: PrepareDeps, caller: IngestCaller) {
  const { teamId, keyId, keyName: name } = caller
  return (slug: string) =>
    listEventWarnings(keyContext({ sql, now }, { teamId, keyId, name }), slug)
}

async function preview(
  deps: PrepareDeps,
  caller: IngestCaller,
  { item, idempotencyKey }: NewItem,
  isLong?: boolean,
): Promise<Preview> {
  const prepared = await prepare(deps, caller, item, { isLong })
  return await findPreview(deps.sql, { prepared, keyId: caller.keyId, idempotencyKey })
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
  { row, response }: PreparedItem,
  { idempotencyKey, warnings = [] }: Omit<NewItem, 'item'>,
): IncomingRow => ({
  ...row,
  idempotency_key: idempotencyKey?.key ?? null,
  request_hash: idempotencyKey?.requestHash ?? null,
  response_body: { ...response, warnings: [...warnings, ...response.warnings] },
})

/** An item before it is stored. */
interface PreparedItem {
  row: NewRow
  response: StoredIngestResponse
}

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
