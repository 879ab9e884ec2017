import type { IngestResult, NewItem } from '../../features/ingest/index.ts'
import { type Outcome, outcomeOf, processTogether } from '../../lib/concurrency/batch.ts'
import { apiRequestOf } from '../authentication.ts'
import type { ApiDeps } from '../deps.ts'
import { isImageAddress, storeItemImage } from './ingest-image.ts'
import { findEarlier, noSeenItems, remember } from './seen-items.ts'

/**
 * Stores items with their images, independently of each other. One with the external id or the Idempotency-Key of an
 * earlier one is stored after it: then it is known, and its image is not stored.
 */
export async function storeItems(
  deps: ApiDeps,
  request: Request,
  items: readonly NewItem[],
): Promise<Outcome<IngestResult>[]> {
  const areRepeated = findRepeated(items)
  const first = items.filter((_, index) => !areRepeated[index])
  const others = items.filter((_, index) => areRepeated[index])
  const outcomes = new Map<NewItem, Outcome<IngestResult>>()
  const keep = (stored: readonly NewItem[], results: readonly Outcome<IngestResult>[]) => {
    for (const [index, item] of stored.entries()) outcomes.set(item, results[index] ?? noOutcome())
  }
  keep(first, await storeTogether(deps, request, first))
  // The first ones are stored: an outage is an error of the others only.
  const stored = await outcomeOf(storeTogether(deps, request, others))
  keep(others, 'value' in stored ? stored.value : others.map(() => stored))
  return items.map((item) => outcomes.get(item) ?? noOutcome())
}

const noOutcome = () => ({ error: new Error('An item has no outcome.') })

/** For each item whether an earlier one has its external id or its Idempotency-Key. */
function findRepeated(items: readonly NewItem[]): boolean[] {
  const seen = noSeenItems<true>()
  return items.map((item) => {
    const earlier = findEarlier(seen, item)
    if (earlier !== 'reused') remember(seen, item, true)
    return earlier !== undefined
  })
}

async function storeTogether(
  deps: ApiDeps,
  request: Request,
  items: readonly NewItem[],
): Promise<Outcome<IngestResult>[]> {
  const { caller } = apiRequestOf(request)
  const ready = await Promise.all(items.map((item) => outcomeOf(storeImage(deps, request, item))))
  return await processTogether(ready, (valid) => deps.ingest.storeAll(caller, valid))
}

/** One slow server of an image would delay the response for all items. */
const imageNotFetched =
  'image was left out. A bulk request takes images as data URIs only; send the item alone, or upload the image first and send its address as image_url'

async function storeImage(deps: ApiDeps, request: Request, newItem: NewItem): Promise<NewItem> {
  const { item, idempotencyKey, warnings = [] } = newItem
  const { image: source } = item
  if (!source || warnings.length > 0) return newItem
  if (isImageAddress(source)) return { item, idempotencyKey, warnings: [imageNotFetched] }
  const { caller } = apiRequestOf(request)
  const stored = await storeItemImage(deps, { request, caller, source }, { item, idempotencyKey })
  return { ...stored, idempotencyKey }
}
