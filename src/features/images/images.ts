import type { Image } from '../../contract/image.ts'
import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { newId } from '../../lib/ids.ts'
import type { SsrfFetch } from '../../lib/ssrf-fetch.ts'
import { fileNameOf, hashesIn, hashInAddress, parseFileName } from './address.ts'
import type { ProcessedImage } from './process.ts'
import {
  type ImageFields,
  type ImageRow,
  lockFile,
  selectAltTexts,
  updateSent,
  upsertImage,
} from './sql.ts'
import type { ImageStorage } from './storage.ts'

/** What images need beside the database. The composition root creates it once. */
export interface Images {
  storage: ImageStorage
  /** For images at addresses that others choose. */
  fetch: SsrfFetch
  /** How people reach the service, without a slash at the end. */
  baseUrl: string
}

/** `Images`, in a transaction. */
export interface ImageContext extends Images {
  sql: Tx
  now: Now
}

interface NewImageFile extends Partial<ImageFields> {
  teamId: string
  file: ProcessedImage
}

/**
 * Stores an image of a team: first its file, then what is known of it. The same image again is the
 * same row; the text and the focal point of the last upload apply.
 */
export async function createImage(
  { sql: tx, now, storage, baseUrl }: ImageContext,
  { teamId, file, alt = null, focal_x = null, focal_y = null }: NewImageFile,
): Promise<Image> {
  const at = now()
  const name = fileNameOf(file)
  await lockFile(tx, file.hash)
  await storage.write(name, file.bytes, parseFileName(name)?.contentType ?? '')
  const { hash, type, width, height } = file
  const row = await upsertImage(tx, {
    ...{ team_id: teamId, id: newId('img', at), hash, type, width, height },
    ...{ bytes: file.bytes.length, alt, focal_x, focal_y, created_at: at },
  })
  return toImage(baseUrl, row)
}

/**
 * Finds the alternative text of an address: null for an image of the team without one, undefined for
 * an address that leads to no image of the team.
 */
export async function findAltTexts(
  { sql }: { sql: Sql | Tx },
  { teamId, addresses }: { teamId: string; addresses: readonly string[] },
): Promise<(address: string | null) => string | null | undefined> {
  const hashes = addresses.flatMap((address) => hashInAddress(address) ?? [])
  const rows = hashes.length > 0 ? await withDeadline(selectAltTexts(sql, teamId, hashes)) : []
  const texts = new Map(rows.map(({ hash, alt }) => [hash, alt]))
  return (address) => texts.get(hashInAddress(address ?? '') ?? '')
}

/** Keeps the images in the HTML of a newsletter for good: from now on, emails refer to them. */
export async function keepSentImages(
  { sql, now }: { sql: Tx; now: Now },
  { teamId, html }: { teamId: string; html: string },
): Promise<void> {
  const hashes = hashesIn(html)
  if (hashes.length > 0) await updateSent(sql, teamId, hashes, now())
}

const toImage = (baseUrl: string, row: ImageRow): Image => ({
  id: row.id,
  url: `${baseUrl}/media/${fileNameOf(row)}`,
  type: row.type === 'png' ? 'image/png' : 'image/jpeg',
  ...{ width: row.width, height: row.height, bytes: row.bytes, alt: row.alt },
  ...{ focal_x: row.focal_x, focal_y: row.focal_y, created_at: row.created_at.toISOString() },
})
