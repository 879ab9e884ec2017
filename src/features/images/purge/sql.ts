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
export async function updateUnreferenced(sql: Sql, teamId: string, at: Date): Promise<void> {
  await sql`
    with referenced as (
      select distinct found[1] as hash
      from content_blocks b cross join lateral
        regexp_matches(coalesce(b.image_url, '') || ' ' || b.body, '/media/([0-9a-f]{64})[.]', 'g') found
      where b.team_id = ${teamId}
        and (b.image_url like '%/media/%' or b.body like '%/media/%')
      union
      select found[1]
      from (
        select concat_ws(' ', n.cover_image_url, n.intro, n.closing) as texts
        from newsletters n where n.team_id = ${teamId} and n.status <> 'sent'
        union all
        select e.body from newsletter_elements e where e.team_id = ${teamId} and e.body is not null
        union all
        select t.logo_url from teams t where t.id = ${teamId} and t.logo_url is not null
        union all
        select concat_ws(' ', v.content ->> 'image_url', v.content ->> 'body') from block_versions v
        where v.team_id = ${teamId}
          and (v.content ->> 'image_url' like '%/media/%' or v.content ->> 'body' like '%/media/%')
        union all
        select v.content::text from newsletter_versions v where v.team_id = ${teamId}
      ) used cross join lateral regexp_matches(used.texts, '/media/([0-9a-f]{64})[.]', 'g') found
    ), changed as (
      select i.hash, r.hash is null as is_unreferenced
      from images i left join referenced r on r.hash = i.hash
      where i.team_id = ${teamId} and i.sent_at is null
        and (r.hash is null) <> (i.unreferenced_since is not null)
    )
    update images i set unreferenced_since = case when c.is_unreferenced then ${at}::timestamptz end
    from changed c where i.team_id = ${teamId} and i.hash = c.hash`
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
