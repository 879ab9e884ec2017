import { parseFileName } from './address.ts'
import { cropImage } from './crop.ts'
import type { ImageStorage } from './storage/storage.ts'

/** A file of an image, as it is served and embedded. */
export interface ImageFile {
  bytes: Uint8Array<ArrayBuffer>
  contentType: string
}

/**
 * The file of an image by its name; null when there is none. A crop is made from the image when it is
 * first asked for, and stored: there are 25 of each shape, so nobody can fill the storage with them.
 */
export async function loadImage(storage: ImageStorage, name: string): Promise<ImageFile | null> {
  const known = parseFileName(name)
  if (!known) return null
  const { contentType, original, crop } = known
  const stored = await storage.read(name)
  if (stored) return { bytes: stored, contentType }
  const whole = original === null ? null : await storage.read(original)
  if (!whole || !crop) return null
  const bytes = new Uint8Array(await cropImage(whole, crop))
  await storage.write(name, bytes, contentType)
  return { bytes, contentType }
}
