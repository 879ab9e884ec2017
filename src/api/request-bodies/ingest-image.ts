import type { IngestItem } from '../../contract/blocks/ingest.ts'
import { imageSourceRule, isImageSource } from '../../contract/image.ts'
import type { Caller } from '../../features/api-keys/index.ts'
import { importImage } from '../../features/images/index.ts'
import type { NewItem } from '../../features/ingest/index.ts'
import { contextOf } from '../../lib/http/index.ts'
import type { ApiDeps } from '../deps.ts'
import { contextOfCaller } from '../write.ts'

/** An item whose image is stored, with a warning when it is not. */
interface ItemWithImage {
  item: IngestItem
  warnings: string[]
}

type KeyedItem = Pick<NewItem, 'item' | 'idempotencyKey'>

/**
 * Stores the image of an item and sets its `image_url`. An item that is known already, by its external id or its
 * Idempotency-Key, keeps the image that it has. A failure is a warning, so that no block is lost because of an image. Throws what `ingest`
 * throws for the item.
 */
export async function storeItemImage(
  deps: ApiDeps,
  { request, caller, source }: { request: Request; caller: Caller; source: string },
  { item, idempotencyKey }: KeyedItem,
): Promise<ItemWithImage> {
  const warnings = imageWarnings(item)
  if (warnings.length > 0) return { item, warnings }
  const known = await deps.ingest.preview(caller, { item, idempotencyKey })
  if (known.duplicate) return { item, warnings: [] }
  const image = await importImage({ ...contextOfCaller(deps, caller), ...deps.images }, source)
  if ('url' in image) return { item: { ...item, image_url: image.url }, warnings: [] }
  if (image.error) contextOf(request).log['imageError'] = image.error.name
  return { item, warnings: [`image was left out. ${image.reason}`] }
}

const malformedImage = `image was left out. It ${imageSourceRule}.`

/** A warning for an image that is neither an address nor a data URI. */
export const imageWarnings = ({ image }: IngestItem): string[] =>
  typeof image === 'string' && !isImageSource(image) ? [malformedImage] : []

/** True for an address, which takes too long to fetch in a bulk request. */
export const isImageAddress = (source: string): boolean => !/^data:/i.test(source)
