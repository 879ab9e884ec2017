import type { Context } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { withKeyTransaction } from '../api-keys/index.ts'
import { createImage, type Images } from './create.ts'
import { findImages } from './find.ts'
import { processImage } from './process.ts'
import { ImageFetchError, readImageSource } from './read-source.ts'

/** An image of the team, or why there is none; `error` is set when the cause is not in the image. */
type ImportedImage = { url: string } | { reason: string; error?: Error }

/**
 * Stores the image of an https address or a data URI; an uploaded image of the team is used as it is. What is wrong with the image or its server is a
 * reason and no error, because the content that it belongs to is stored without it. Throws `revoked_key`.
 */
export async function importImage(ctx: Context & Images, source: string): Promise<ImportedImage> {
  return (
    (await uploadedImage(ctx, source)) ??
    (await storeImage(ctx, () => readImageSource(ctx, source)))
  )
}

/** The image at an address of ours, which needs no request: often it could not be reached from here. */
async function uploadedImage(ctx: Context & Images, source: string) {
  if (!source.startsWith(`${ctx.baseUrl}/media/`)) return null
  const known = (await findImages(ctx, [source]))(source)
  return known ? { url: source } : null
}

/** Stores the image that `read` returns, in the same way. */
export async function storeImage(
  ctx: Context & Images,
  read: () => Promise<Uint8Array>,
): Promise<ImportedImage> {
  try {
    const file = await processImage(await read())
    // Reading takes long, and the key can be revoked meanwhile.
    const { url } = await withKeyTransaction(ctx, (txCtx) => createImage(txCtx, { file }))
    return { url }
  } catch (error) {
    if (error instanceof ImageFetchError) return { reason: error.message }
    if (error instanceof AppError && error.code === 'validation_failed') {
      return { reason: `The ${error.message}.` }
    }
    if (error instanceof AppError || !(error instanceof Error)) throw error
    return { reason: 'The image could not be stored.', error }
  }
}
