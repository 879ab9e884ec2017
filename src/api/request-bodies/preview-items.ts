import type { ContentBlock } from '../../contract/blocks/content-block.ts'
import type { Caller } from '../../features/api-keys/index.ts'
import { idempotencyKeyReused } from '../../features/idempotency/index.ts'
import type { IngestResult, NewItem } from '../../features/ingest/index.ts'
import type { Outcome } from '../../lib/concurrency/batch.ts'
import type { ApiDeps } from '../deps.ts'
import { findEarlier, noSeenItems, remember } from './seen-items.ts'

/**
 * What `storeItems` would return: of several items with one external id or one Idempotency-Key, the first creates the
 * block.
 */
export async function previewItems(
  deps: ApiDeps,
  caller: Caller,
  items: readonly NewItem[],
): Promise<Outcome<IngestResult>[]> {
  const previews = await deps.ingest.previewAll(caller, items)
  const seen = noSeenItems<ContentBlock>()
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
