import type { ContentBlock } from '../../contract/blocks/content-block.ts'
import type { Caller } from '../../features/api-keys/index.ts'
import { idempotencyKeyReused } from '../../features/idempotency/index.ts'
import type { IngestResult, NewItem } from '../../features/ingest/index.ts'
import type { Outcome } from '../../lib/concurrency/batch.ts'
import type { ApiDeps } from '../deps.ts'

/** The items of a request that a dry run has seen, with their blocks. */
interface SeenItems {
  byExternalId: Map<string, ContentBlock>
  byKey: Map<string, { requestHash: string; block: ContentBlock }>
}

/**
 * What `storeAll` would return: of several items with one external id or one Idempotency-Key, the first creates the
 * block.
 */
export async function previewItems(
  deps: ApiDeps,
  caller: Caller,
  items: readonly NewItem[],
): Promise<Outcome<IngestResult>[]> {
  const previews = await deps.ingest.previewAll(caller, items)
  const seen: SeenItems = { byExternalId: new Map(), byKey: new Map() }
  return items.map((item, index) => {
    const preview = previews[index] ?? { error: new Error('An item has no preview.') }
    if ('error' in preview) return preview
    const { duplicate, content_block, warnings } = preview.value
    const earlier = findEarlier(seen, item)
    if (earlier === 'reused') return { error: idempotencyKeyReused() }
    const block = earlier ?? content_block
    remember(seen, item, block)
    const response = { content_block: block, warnings: [...(item.warnings ?? []), ...warnings] }
    return { value: { response, duplicate: duplicate || earlier !== undefined, replayed: false } }
  })
}

/** The block of an earlier item that is the same; `reused` when its Idempotency-Key is that of another one. */
function findEarlier(
  { byExternalId, byKey }: SeenItems,
  { item, idempotencyKey }: NewItem,
): ContentBlock | 'reused' | undefined {
  const known = idempotencyKey && byKey.get(idempotencyKey.key)
  if (known) return known.requestHash === idempotencyKey.requestHash ? known.block : 'reused'
  return byExternalId.get(item.external_id ?? '')
}

function remember(
  { byExternalId, byKey }: SeenItems,
  { item: { external_id: id }, idempotencyKey }: NewItem,
  block: ContentBlock,
): void {
  if (id && !byExternalId.has(id)) byExternalId.set(id, block)
  if (!idempotencyKey) return
  const { key, requestHash } = idempotencyKey
  if (!byKey.has(key)) byKey.set(key, { requestHash, block })
}
