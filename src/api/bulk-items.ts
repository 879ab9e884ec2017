import { createHash } from 'node:crypto'
import { BulkIngestItem, type BulkIngestResult } from '../contract/bulk-ingest.ts'
import type { Caller } from '../features/api-keys/index.ts'
import type { IdempotencyKey } from '../features/idempotency/index.ts'
import type { IngestResult, NewItem } from '../features/ingest/index.ts'
import { type Outcome, outcomeOf, processTogether } from '../lib/batch.ts'
import { AppError, type FieldError } from '../lib/errors.ts'
import { problemOf, toAppError } from '../lib/http/index.ts'
import { parseInput } from '../lib/parse.ts'
import { apiRequestOf, rateLimited } from './authentication.ts'
import type { ApiDeps } from './deps.ts'
import { isAddress, storeItemImage } from './ingest-image.ts'
import { withoutEmptyFields } from './input.ts'

const none = { accepted: 0, waitSeconds: [] }

/** One outcome for each item: what the rate limit has no room for is not looked at. */
export async function ingestAll(
  deps: ApiDeps,
  request: Request,
  items: readonly unknown[],
  dryRun: boolean,
): Promise<Outcome<IngestResult>[]> {
  const { caller, idempotency, countMore } = apiRequestOf(request)
  // The request itself is counted already: it is the place of its first item.
  const others = items.length - 1
  const { accepted, waitSeconds } = others > 0 ? await countMore(others) : none
  const read = await Promise.all(
    items
      .slice(0, accepted + 1)
      .map((item, index) =>
        outcomeOf(readItem(deps, { request, dryRun, header: idempotency, index }, item)),
      ),
  )
  const outcomes = await processTogether(read, (valid) =>
    dryRun ? previewAll(deps, caller, valid) : deps.ingest.storeAll(caller, valid),
  )
  const revoked = outcomes.find((outcome) => codeOf(outcome) === 'revoked_key')
  if (revoked && 'error' in revoked) throw revoked.error
  return [...outcomes, ...waitSeconds.map((seconds) => ({ error: rateLimited(seconds) }))]
}

const codeOf = (outcome: Outcome<unknown>) =>
  'error' in outcome && outcome.error instanceof AppError ? outcome.error.code : null

interface ItemPlace {
  request: Request
  dryRun: boolean
  header: IdempotencyKey | null
  index: number
}

async function readItem(
  deps: ApiDeps,
  { request, dryRun, header, index }: ItemPlace,
  raw: unknown,
): Promise<NewItem> {
  const { idempotency_key, ...item } = parseInput(BulkIngestItem, withoutEmptyFields(raw))
  const key = idempotency_key ?? (header && `${header.key}/${index}`)
  const claim = key ? { key, requestHash: hashOf(raw) } : null
  if (dryRun || !item.image) return { item, claim }
  if (isAddress(item.image)) return { item, claim, warnings: [imageNotFetched] }
  const { caller } = apiRequestOf(request)
  return { ...(await storeItemImage(deps, { request, caller, source: item.image }, item)), claim }
}

/** One slow server of an image would delay the response for all items. */
const imageNotFetched =
  'image was left out. A bulk request takes images as data URIs only; send the item alone, or upload the image first and send its address as image_url'

/** SHA-256, in hex, of what a single request with the item would have as its body. */
const hashOf = (raw: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(raw, (name, value) => (name === 'idempotency_key' ? undefined : value)))
    .digest('hex')

const previewAll = async (deps: ApiDeps, caller: Caller, items: readonly NewItem[]) =>
  await Promise.all(
    items.map(async ({ item }) => {
      const preview = outcomeOf(deps.ingest.preview(caller, item))
      const outcome = await preview
      if ('error' in outcome) return outcome
      const { duplicate, ...answer } = outcome.value
      return { value: { answer, duplicate, replayed: false } }
    }),
  )

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
  const { answer, duplicate } = outcome.value
  return { status: duplicate || dryRun ? 200 : 201, ...answer, duplicate }
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

/** How many items had which result. */
export function countsOf(results: readonly BulkIngestResult[]) {
  const having = (...statuses: number[]) =>
    results.filter(({ status }) => statuses.includes(status)).length
  const [created, duplicates] = [having(201), having(200)]
  const failed = results.length - created - duplicates
  return { created, duplicates, failed, rate_limited: having(429) }
}
