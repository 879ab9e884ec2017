import type { Composed, Item } from '../../../integrations/kit/composed.ts'
import { ProviderError } from '../../../integrations/kit/provider-error.ts'
import { replaceComposedItems } from '../../features/deliveries/index.ts'
import { storeImage } from '../../features/images/index.ts'
import { withTimeLimit } from '../../lib/concurrency/time-limit.ts'
import { keyContext } from '../../lib/context.ts'
import { OutboundError } from '../../lib/outbound/ssrf-fetch.ts'
import type { DeliveryContext, ForwardingDeps } from '../deps.ts'

const fetchTimeoutMs = 20_000
/** Beyond these attempts, which take about a minute, the item is posted without its image. */
const maxAttempts = 5

type ComposedItems = Extract<Composed, { kind: 'items' }>

/**
 * Fetches the images that are attached to items, stores them and returns the items with their
 * addresses. The result is stored before an item is posted, so that every attempt posts the same; an
 * image that is fetched again after an interruption is the same image. Throws `ProviderError` when a
 * later attempt can succeed; otherwise the item says why it has no image.
 */
export async function storeAttachments(
  deps: ForwardingDeps,
  delivery: DeliveryContext,
  composed: ComposedItems,
): Promise<ComposedItems> {
  const items: Item[] = []
  for (const item of composed.items) items.push(await withImage(deps, delivery, item))
  return await replaceComposedItems(deps, delivery.delivery, { ...composed, items })
}

async function withImage(
  deps: ForwardingDeps,
  delivery: DeliveryContext,
  { attachment, ...item }: Item,
): Promise<Item> {
  if (!attachment) return item
  const { alt } = attachment
  const image = await fetchAndStore(deps, delivery, attachment)
  return 'url' in image
    ? { ...item, image_url: image.url, ...(alt && { image_alt: alt }) }
    : { ...item, withoutImage: `The image was left out. ${image.reason}` }
}

type Attachment = NonNullable<Item['attachment']>

async function fetchAndStore(
  deps: ForwardingDeps,
  { adapter, connection, context, delivery }: DeliveryContext,
  attachment: Attachment,
): Promise<{ url: string } | { reason: string }> {
  const { sql, now, images, outbound } = deps
  const { teamId, apiKey } = connection
  const actor = { teamId, keyId: apiKey.id, name: adapter.name }
  const ctx = keyContext({ sql, now, ...images }, actor)
  try {
    const bytes = await withTimeLimit(outbound, fetchTimeoutMs, async (provider) =>
      adapter.fetchAttachment?.({ attachment, settings: context.settings, provider }),
    )
    if (!bytes) return { reason: `${adapter.name} provides no files.` }
    return await storeImage(ctx, async () => bytes)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (!isFinal(error) && delivery.attempts < maxAttempts) throw error
    return { reason: error.message }
  }
}

/** Whether a later attempt has the same result. */
const isFinal = (error: Error) =>
  error instanceof ProviderError
    ? error.problem === 'refused'
    : error instanceof OutboundError && !error.canSucceedLater
