import type { Context, TxContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { hashesIn, hashInAddress } from './address.ts'
import { type ImageDescription, selectDescriptions, updateSent } from './sql.ts'

/** What is known of the images at addresses: undefined for an address that leads to no image of the team. */
export async function findImages(
  { sql, actor: { teamId } }: Context,
  addresses: readonly (string | null)[],
): Promise<(address: string | null) => ImageDescription | undefined> {
  const hashes = addresses.flatMap((address) => hashInAddress(address ?? '') ?? [])
  const rows = hashes.length > 0 ? await withDeadline(selectDescriptions(sql, teamId, hashes)) : []
  const known = new Map(rows.map((row) => [row.hash, row]))
  return (address) => known.get(hashInAddress(address ?? '') ?? '')
}

/** The widths of the team's images that texts refer to, in pixels, by their hashes. */
export async function findImageWidths(
  { sql, actor: { teamId } }: Context,
  texts: readonly (string | null)[],
): Promise<Map<string, number>> {
  const hashes = hashesIn(texts.join('\n'))
  const rows = hashes.length > 0 ? await withDeadline(selectDescriptions(sql, teamId, hashes)) : []
  return new Map(rows.map(({ hash, width }) => [hash, width]))
}

/** Marks the images in the HTML of a sent newsletter, so that they are never purged. */
export async function markSentImages(
  { sql, now, actor: { teamId } }: TxContext,
  html: string,
): Promise<void> {
  const hashes = hashesIn(html)
  if (hashes.length > 0) await updateSent(sql, teamId, hashes, now())
}
