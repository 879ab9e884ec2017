import * as v from 'valibot'
import { described } from '../described.ts'
import { Problem } from '../problem.ts'
import { ContentBlock } from './content-block.ts'
import { IngestPayload } from './ingest.ts'

/** The most items of one bulk request. */
const maxBulkItems = 100

/** An item of a bulk request: what a single request has, and its own Idempotency-Key. */
export const BulkIngestItem = v.object({
  ...IngestPayload.entries,
  idempotency_key: v.nullish(
    described(
      v.pipe(
        v.string('must be a string'),
        v.regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters'),
      ),
      'The same key with the same item again stores nothing, at whichever position. The key of an item without one is the `Idempotency-Key` header with its position.',
      'import-2026-11-20-1',
    ),
  ),
})
export type BulkIngestItem = v.InferInput<typeof BulkIngestItem>

const itemList = <Item extends v.GenericSchema>(item: Item) =>
  described(
    v.pipe(
      v.array(item, 'must be a list'),
      v.minLength(1, 'must have at least one item'),
      v.maxLength(maxBulkItems, `must have at most ${maxBulkItems} items`),
    ),
    'The items, at most 100. Each is stored or refused on its own.',
    [{ title: 'Version 2 is out', body: 'Search is twice as fast.', external_id: 'release-2' }],
  )

/** What a tool posts to `POST /api/v1/webhooks/ingest/bulk`. */
export const BulkIngestPayload = v.object({ items: itemList(BulkIngestItem) })

/** The same before its items are looked at: one that is wrong must not refuse the others. */
export const BulkIngestRequest = v.object({
  items: itemList(v.custom<BulkIngestItem>(() => true)),
})

/** An item that is in the library. */
export const BulkIngestSuccess = v.strictObject({
  status: described(
    v.picklist([200, 201]),
    '201 for a new block; 200 when the item was known already, and in a dry run.',
    201,
  ),
  content_block: described(ContentBlock, 'The block of the item.', {
    id: 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
    title: 'Version 2 is out',
  }),
  duplicate: described(v.boolean(), 'True when the item was known already.', false),
  warnings: described(v.array(v.string()), 'What to look at, one sentence each.', []),
})

/** An item that was not stored. */
export const BulkIngestFailure = v.strictObject({
  status: described(
    v.pipe(v.number(), v.integer()),
    'The status that a single request with the item would have: 403, 409, 422, 429, 500 or 503.',
    422,
  ),
  problem: described(
    Problem,
    'The error of a single request. With 409, 429 and 503, `retry_after` says after how many seconds to send the item again.',
    { status: 422, code: 'validation_failed', detail: 'title is required' },
  ),
})

export const BulkIngestResult = v.union([BulkIngestSuccess, BulkIngestFailure])
export type BulkIngestResult = v.InferOutput<typeof BulkIngestResult>
