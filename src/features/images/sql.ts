import type { Sql, Tx } from '../../lib/database/db.ts'
import type { ProcessedImage } from './process.ts'

export interface ImageRow {
  team_id: string
  hash: string
  id: string
  type: ProcessedImage['type']
  width: number
  height: number
  bytes: number
  alt: string | null
  focal_x: number
  focal_y: number
  created_at: Date
}

const columns = (sql: Sql | Tx) => sql`
  team_id, hash, id, type, width, height, bytes, alt, focal_x, focal_y, created_at`

/** Lets one transaction at a time store or delete the file of this hash. */
export async function lockFile(tx: Tx, hash: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`image\n${hash}`}, 0))`
}

/** The facts about an image that an upload contains; null keeps the stored value. */
export interface ImageFields {
  alt: string | null
  focal_x: number | null
  focal_y: number | null
}

/** Stores an image. One that the team has already keeps its text, and gets the place that the upload names. */
export async function upsertImage(
  tx: Tx,
  row: Omit<ImageRow, keyof ImageFields> & ImageFields,
): Promise<ImageRow> {
  const [stored] = await tx<ImageRow[]>`
    insert into images as i (team_id, hash, id, type, width, height, bytes, alt, focal_x, focal_y,
      created_at)
    values (${row.team_id}, ${row.hash}, ${row.id}, ${row.type}, ${row.width}, ${row.height},
      ${row.bytes}, ${row.alt}, coalesce(${row.focal_x}::real, 0.5),
      coalesce(${row.focal_y}::real, 0.5), ${row.created_at})
    on conflict (team_id, hash) do update set alt = coalesce(i.alt, excluded.alt),
      focal_x = coalesce(${row.focal_x}::real, i.focal_x),
      focal_y = coalesce(${row.focal_y}::real, i.focal_y), unreferenced_since = null
    returning ${columns(tx)}`
  if (!stored) throw new Error('The image was not stored.')
  return stored
}

export type ImageDescription = Pick<ImageRow, 'hash' | 'alt' | 'width' | 'height'>

/** The alternative texts and sizes of a team's images. */
export async function selectDescriptions(
  sql: Sql | Tx,
  teamId: string,
  hashes: readonly string[],
): Promise<ImageDescription[]> {
  return await sql<ImageDescription[]>`
    select hash, alt, width, height from images
    where team_id = ${teamId} and hash = any(${[...hashes]})`
}

/** Marks images as part of a sent newsletter. */
export async function updateSent(
  tx: Tx,
  teamId: string,
  hashes: readonly string[],
  at: Date,
): Promise<void> {
  await tx`
    update images set sent_at = ${at}, unreferenced_since = null
    where team_id = ${teamId} and hash = any(${[...hashes]}) and sent_at is null`
}

/** The files of all images of all teams, for a backup. */
export async function selectFiles(tx: Tx): Promise<Pick<ImageRow, 'hash' | 'type'>[]> {
  return await tx<Pick<ImageRow, 'hash' | 'type'>[]>`
    select distinct hash, type from images order by hash`
}
