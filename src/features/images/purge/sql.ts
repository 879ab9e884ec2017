import type { Sql, Tx } from '../../../lib/database/db.ts'

/** The teams after an id that have images, 1,000 at most. */
export async function selectTeamsWithImages(sql: Sql, afterId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select t.id from teams t
    where t.id > ${afterId} and exists (select from images i where i.team_id = t.id)
    order by t.id limit 1000`
  return rows.map(({ id }) => id)
}

/** Stores for each image of a team that was never sent since when it is not referred to. */
export async function updateUnreferenced(
  sql: Sql,
  teamId: string,
  { referenced, at }: { referenced: readonly string[]; at: Date },
): Promise<void> {
  // PostgreSQL looks the hashes up in a table of its own; it would compare each image with the whole list.
  await sql`
    update images
    set unreferenced_since = case when unreferenced_since is null then ${at}::timestamptz end
    where team_id = ${teamId} and sent_at is null
      and (hash in (select unnest(${[...referenced]}::text[]))) <> (unreferenced_since is null)`
}

/** At most 1,000 images of a team that have not been referred to since before a time. */
export async function selectUnreferenced(
  sql: Sql,
  teamId: string,
  before: Date,
): Promise<{ hash: string; type: 'jpeg' | 'png' }[]> {
  return await sql<{ hash: string; type: 'jpeg' | 'png' }[]>`
    select hash, type from images
    where team_id = ${teamId} and unreferenced_since < ${before}
    order by unreferenced_since limit 1000`
}

/** Deletes the row of an image that has not been referred to since before a time. */
export async function deleteUnreferenced(
  tx: Tx,
  teamId: string,
  hash: string,
  before: Date,
): Promise<void> {
  await tx`
    delete from images
    where team_id = ${teamId} and hash = ${hash} and unreferenced_since < ${before}`
}

/** Those of the hashes that any team uses: teams share the files of equal images. */
export async function selectKnownHashes(
  sql: Sql | Tx,
  hashes: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ hash: string }[]>`
    select distinct hash from images where hash = any(${[...hashes]})`
  return new Set(rows.map(({ hash }) => hash))
}
