import type { Image } from '../../contract/image.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { newId } from '../../lib/ids.ts'
import type { SsrfFetch } from '../../lib/outbound/ssrf-fetch.ts'
import { recordAudit } from '../audit-log/index.ts'
import { fileNameOf, parseFileName } from './address.ts'
import type { ProcessedImage } from './process.ts'
import { type ImageFields, type ImageRow, lockFile, upsertImage } from './sql.ts'
import type { ImageStorage } from './storage/storage.ts'

/**
 * The dependencies of functions for images, besides the database. The composition root creates them
 * once.
 */
export interface Images {
  storage: ImageStorage
  /** Fetches images at addresses that users name. */
  fetch: SsrfFetch
  /** How people reach the service, without a slash at the end. */
  baseUrl: string
}

interface NewImageFile extends Partial<ImageFields> {
  file: ProcessedImage
}

/**
 * Stores an image of a team: first its file, then its row. An image that the team has already keeps
 * its row and its alternative text, which blocks may show, and gets the focal point of the last upload.
 */
export async function createImage(
  ctx: Context & Images,
  { file, alt = null, focal_x = null, focal_y = null }: NewImageFile,
): Promise<Image> {
  const { storage, baseUrl } = ctx
  const name = fileNameOf(file)
  return await inTransaction(ctx, async (txCtx) => {
    const at = txCtx.now()
    await lockFile(txCtx.sql, file.hash)
    await storage.write(name, file.bytes, parseFileName(name)?.contentType ?? '')
    const { hash, type, width, height } = file
    const row = await upsertImage(txCtx.sql, {
      team_id: ctx.actor.teamId,
      id: newId('img', at),
      hash,
      type,
      width,
      height,
      bytes: file.bytes.length,
      alt,
      focal_x,
      focal_y,
      created_at: at,
    })
    await recordAudit(txCtx, 'image_uploaded', row.id)
    return toImage(baseUrl, row)
  })
}

const toImage = (baseUrl: string, row: ImageRow): Image => ({
  id: row.id,
  url: `${baseUrl}/media/${fileNameOf(row)}`,
  type: row.type === 'png' ? 'image/png' : 'image/jpeg',
  width: row.width,
  height: row.height,
  bytes: row.bytes,
  alt: row.alt,
  focal_x: row.focal_x,
  focal_y: row.focal_y,
  created_at: row.created_at.toISOString(),
})
