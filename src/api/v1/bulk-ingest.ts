import { Elysia } from 'elysia'
import * as v from 'valibot'
import {
  BulkIngestPayload,
  BulkIngestRequest,
  BulkIngestResult,
} from '../../contract/blocks/bulk-ingest.ts'
import { described } from '../../contract/described.ts'
import { contextOf } from '../../lib/http/index.ts'
import { access } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { type ReadBody, readJson, unknownParameters } from '../input.ts'
import { exampleBlock } from '../openapi/examples/content-block.ts'
import { document } from '../openapi/operation.ts'
import { countsOf, ingestAll, resultOf } from '../request-bodies/bulk-items.ts'
import { responses } from '../response.ts'
import { IngestQuery } from './webhooks.ts'

/** A hundred items of the usual size; a single item has at most 64 KiB of text. */
const maxBulkBytes = 1024 * 1024

const readBulkBody: ReadBody = (request) => readJson(request, maxBulkBytes)

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const BulkIngestMeta = v.strictObject({
  created: described(count, 'How many blocks are new; in a dry run, how many would be.', 1),
  duplicates: described(count, 'How many items were known already.', 0),
  failed: described(count, 'How many items were refused; 429 counts too.', 1),
  rate_limited: described(count, 'How many of them had no room in the rate limit.', 0),
  warnings: v.optional(
    described(v.array(v.string()), 'Parameters that were ignored, one sentence each.', []),
  ),
})

const exampleResults: BulkIngestResult[] = [
  { status: 201, content_block: exampleBlock, duplicate: false, warnings: [] },
  {
    status: 422,
    problem: {
      type: '/docs/errors#validation_failed',
      title: 'Validation failed',
      status: 422,
      code: 'validation_failed',
      detail: 'title is required',
      error: 'title is required',
      errors: ['title is required'],
      fields: [{ pointer: '/items/1/title', code: 'required', message: 'title is required' }],
      request_id: '019a9f3e-2b7c-7d10-a3b4-c5d6e7f80912',
    },
  },
]
const example = {
  results: exampleResults,
  meta: { created: 1, duplicates: 0, failed: 1, rate_limited: 0 },
}

export const BulkIngestResponse = v.strictObject({
  results: described(v.array(BulkIngestResult), 'One result for each item, in their order.', []),
  meta: described(BulkIngestMeta, 'How many items had which result.', example.meta),
})

/** `POST /webhooks/ingest/bulk`: up to 100 items, each as if it were posted alone. */
export const bulkIngest = (deps: ApiDeps) =>
  new Elysia({ prefix: '/webhooks', tags: ['Ingest'] }).use(access(deps)).post(
    '/ingest/bulk',
    async ({ query, body: { items }, request }) => {
      const warnings = unknownParameters(request, IngestQuery)
      const dryRun = query.dry_run ?? false
      const outcomes = await ingestAll(deps, request, { items, dryRun })
      const { id: requestId, log } = contextOf(request)
      log['items'] = items.length
      const results = outcomes.map((outcome, index) =>
        resultOf(outcome, index, { requestId, dryRun }),
      )
      return { results, meta: { ...countsOf(results), ...(warnings.length > 0 && { warnings }) } }
    },
    {
      access: {
        scope: 'write',
        allowIngestOnly: true,
        readBody: readBulkBody,
        // Not the response as a whole: each item has a key of its own.
        idempotencyPath: null,
      },
      query: IngestQuery,
      body: BulkIngestRequest,
      response: responses({ 200: BulkIngestResponse }),
      detail: document({
        operationId: 'ingestBulk',
        summary: 'Put many content blocks into the library',
        description:
          'Up to 100 items in at most 1 MiB, each stored or refused as if it were posted alone: the response is 200 with one result for each item, in their order. Each item counts as one request against the rate limit. When the window has no room for all, the first items are stored and the others have the status 429 with `retry_after`: send these again, without the first ones, which would count again. A request without a response can be sent again as it is: items with an `external_id` or an `idempotency_key` are never stored twice. An `Idempotency-Key` header is the key of every item without its own, together with its position: items that are sent again without the others need another header, or keys of their own.',
        bodySchema: BulkIngestPayload,
        bodyExample: {
          items: [
            {
              title: 'Version 2 is out',
              body: 'Search is twice as fast.',
              external_id: 'release-2',
            },
            {
              title: 'Ada joins',
              body: 'She works on search.',
              block_type: 'new_starter',
              external_id: 'hire-7',
            },
          ],
        },
        maxBodyBytes: maxBulkBytes,
        responses: { 200: { description: 'One result for each item.', example } },
      }),
    },
  )
