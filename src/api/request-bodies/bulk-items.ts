import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { BulkIngestItem, type BulkIngestResult } from '../../contract/blocks/bulk-ingest.ts'
import type { IdempotencyKey } from '../../features/idempotency/index.ts'
import { type IngestResult, ingestPath, type NewItem } from '../../features/ingest/index.ts'
import { type Outcome, outcomeOf, processTogether } from '../../lib/concurrency/batch.ts'
import { AppError, type FieldError } from '../../lib/errors.ts'
import { contextOf, problemOf, toAppError } from '../../lib/http/index.ts'
import { parseInput } from '../../lib/parse.ts'
import { apiRequestOf, rateLimited } from '../authentication.ts'
import type { ApiDeps } from '../deps.ts'
import { storeErrors, withAllErrors } from '../errors/reply.ts'
import { idempotencyHeader, withoutEmptyFields } from '../input.ts'
import { contextOfCaller } from '../write.ts'
import { imageWarnings } from './ingest-image.ts'
import { previewItems } from './preview-items.ts'
import { storeItems } from './store-items.ts'

const none = { accepted: 0, waitSeconds: [] }

/** One outcome for each item: what the rate limit has no room for is not looked at. */
export async function ingestAll(
  deps: ApiDeps,
  request: Request,
  { items, dryRun }: { items: readonly unknown[]; dryRun: boolean },
): Promise<Outcome<IngestResult>[]> {
  const { caller, countMore } = apiRequestOf(request)
  // The request itself is counted already: it counts for its first item.
  const others = items.length - 1
  const { accepted, waitSeconds } = others > 0 ? await countMore(others) : none
  const header = idempotencyHeader(request)
  const keyedItems = items
    .slice(0, accepted + 1)
    .map((raw, index) => ({ raw, idempotencyKey: itemKeyOf(raw, header, index) }))
  const read = await Promise.all(keyedItems.map((item) => outcomeOf(readItem(deps, item))))
  const outcomes = await processTogether(read, (valid) =>
    dryRun ? previewItems(deps, caller, valid) : storeItems(deps, request, valid),
  )
  const revoked = outcomes.find((outcome) => codeOf(outcome) === 'revoked_key')
  if (revoked && 'error' in revoked) throw revoked.error
  const replies = dryRun ? outcomes : await storeItemErrors(deps, request, { keyedItems, outcomes })
  return [...replies, ...waitSeconds.map((seconds) => ({ error: rateLimited(seconds) }))]
}

/** An item as it was sent, with its Idempotency-Key, if it has one. */
interface KeyedItem {
  raw: unknown
  idempotencyKey: IdempotencyKey | null
}

/** The Idempotency-Key of an item: its own, or that of the request with its position. */
function itemKeyOf(raw: unknown, header: string | null, index: number): IdempotencyKey | null {
  const { idempotency_key: own } = v.is(OwnKey, raw) ? raw : {}
  const key = own || (header && `${header}/${index}`)
  return key ? { key, requestHash: hashOf(raw) } : null
}

const OwnKey = v.object({ idempotency_key: BulkIngestItem.entries.idempotency_key })

/** Stores the errors of items under their Idempotency-Keys, as `errors/reply.ts` does for a request. */
async function storeItemErrors(
  deps: ApiDeps,
  request: Request,
  { keyedItems, outcomes }: { keyedItems: KeyedItem[]; outcomes: Outcome<IngestResult>[] },
): Promise<Outcome<IngestResult>[]> {
  const { caller } = apiRequestOf(request)
  const { id: requestId } = contextOf(request)
  const scope = { keyId: caller.keyId, path: ingestPath }
  const failures = outcomes.flatMap((outcome, index) => {
    const idempotencyKey = keyedItems[index]?.idempotencyKey
    if (!idempotencyKey || !('error' in outcome)) return []
    return [
      { index, request: { scope, idempotencyKey }, error: toAppError(outcome.error), requestId },
    ]
  })
  const errors = await storeErrors(contextOfCaller(deps, caller), failures)
  const replies = new Map(failures.map(({ index }, at) => [index, { error: errors[at] }]))
  return outcomes.map((outcome, index) => replies.get(index) ?? outcome)
}

const codeOf = (outcome: Outcome<unknown>) =>
  'error' in outcome && outcome.error instanceof AppError ? outcome.error.code : null

async function readItem(deps: ApiDeps, { raw, idempotencyKey }: KeyedItem): Promise<NewItem> {
  const { idempotency_key: _, ...item } = await parseItem(deps, withoutEmptyFields(raw))
  return { item, idempotencyKey, warnings: imageWarnings(item) }
}

/** An item as it is stored. Throws `validation_failed` with all its errors. */
async function parseItem(deps: ApiDeps, input: unknown) {
  try {
    return parseInput(BulkIngestItem, input)
  } catch (error) {
    const isItem = v.is(v.record(v.string(), v.unknown()), input)
    if (!isItem || !(error instanceof AppError)) throw error
    throw await withAllErrors(error, () => deps.ingest.findErrors(input))
  }
}

/** SHA-256, in hex, of what a single request with the item would have as its body. */
const hashOf = (raw: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(raw, (name, value) => (name === 'idempotency_key' ? undefined : value)))
    .digest('hex')

interface ResultContext {
  requestId: string
  dryRun: boolean
}

/** The result of an item, as the response of a single request would be. */
export function resultOf(
  outcome: Outcome<IngestResult>,
  index: number,
  { requestId, dryRun }: ResultContext,
): BulkIngestResult {
  if ('error' in outcome) return failureOf(outcome.error, index, requestId)
  const { response, duplicate } = outcome.value
  return { status: duplicate || dryRun ? 200 : 201, ...response, duplicate }
}

function failureOf(error: unknown, index: number, requestId: string): BulkIngestResult {
  const known = toAppError(error)
  const { fields, retryAfterSeconds } = known.details
  const details = {
    ...known.details,
    ...(fields && { fields: fields.map((field) => fieldOfItem(field, index)) }),
    extra: {
      ...known.details.extra,
      ...(retryAfterSeconds && { retry_after: retryAfterSeconds }),
    },
  }
  const problem = problemOf(new AppError(known.code, aboutItem(known.message), details), requestId)
  return { status: problem.status, problem }
}

/** A fault of an item as a fault of the body. */
const fieldOfItem = ({ pointer, ...field }: FieldError, index: number): FieldError => ({
  ...field,
  pointer: `/items/${index}${pointer}`,
  message: aboutItem(field.message),
})

const aboutItem = (message: string) => message.replace(/^the body /, 'the item ')

/** How many items had which result, or would have it without a dry run. */
export function countsOf(results: readonly BulkIngestResult[]) {
  const stored = results.filter((result) => 'content_block' in result)
  const duplicates = stored.filter(({ duplicate }) => duplicate).length
  return {
    created: stored.length - duplicates,
    duplicates,
    failed: results.length - stored.length,
    rate_limited: results.filter(({ status }) => status === 429).length,
  }
}
