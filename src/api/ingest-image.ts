import type { IngestItem } from '../contract/ingest.ts'
import type { Caller } from '../features/api-keys/index.ts'
import { importImage } from '../features/images/index.ts'
import { AppError } from '../lib/errors.ts'
import { contextOf } from '../lib/http/index.ts'
import type { ApiDeps } from './deps.ts'
import { maxImageBodyBytes } from './image-body.ts'
import { maxRequestBytes, type ReadBody, readJson } from './input.ts'
import { keyContext } from './write.ts'

/** An item whose image is stored, with a warning when it is not. */
interface ItemWithImage {
  item: IngestItem
  warnings: string[]
}

/**
 * Stores the image of an item and sets its `image_url`. An item that is known already keeps the image
 * that it has. A failure is a warning, so that no block is lost because of an image. Throws what `ingest`
 * throws for the item.
 */
export async function storeItemImage(
  deps: ApiDeps,
  { request, caller }: { request: Request; caller: Caller },
  item: IngestItem,
): Promise<ItemWithImage> {
  const source = item.image
  if (!source) return { item, warnings: [] }
  const known = await deps.ingest.preview(caller, item)
  if (known.duplicate) return { item, warnings: [] }
  const image = await importImage({ ...keyContext(deps, caller), ...deps.images }, source)
  if ('url' in image) return { item: { ...item, image_url: image.url }, warnings: [] }
  if (image.error) contextOf(request).log['imageError'] = image.error.name
  return { item, warnings: [`image was left out. ${image.reason}`] }
}

/** True for an address, which takes too long to fetch in a bulk request. */
export const isAddress = (source: string): boolean => !/^data:/i.test(source)

/**
 * Reads the body of an item, which may be larger than other bodies by an image as data URI. Throws
 * `too_large` before it buffers a large body without one.
 */
export const readIngestBody: ReadBody = async (request) => {
  const read = await readJson(request, maxRequestBytes, {
    limit: maxImageBodyBytes,
    appliesTo: (start) => /"image"\s*:\s*"data:/i.test(start.toString('latin1')),
  })
  const image = imageOf(read.json)
  if (read.bytes.length - image.length > maxRequestBytes) {
    const limit = `${maxRequestBytes / 1024} KiB`
    throw new AppError('too_large', `The body is larger than ${limit} without its image.`)
  }
  return read
}

const imageOf = (json: unknown): string =>
  typeof json === 'object' && json !== null && 'image' in json && typeof json.image === 'string'
    ? json.image
    : ''
