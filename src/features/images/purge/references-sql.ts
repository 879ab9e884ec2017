import type { Fragment, Sql } from '../../../lib/database/db.ts'

/** The position of a row in the order of its table. */
export interface Position {
  id: string
  /** Orders rows with the same id; empty when there are none. */
  part: string
}

export interface TextSlice {
  teamId: string
  after: Position
  limit: number
}

export interface TextRow extends Position {
  /** Null when it refers to no image of ours. */
  texts: string | null
}

/** The rows of a team after a position that can refer to images, in order. */
type Texts = (sql: Sql, teamId: string, after: Position) => Fragment

/** What can refer to images: blocks, newsletters that are not sent, the team, and the versions of both. */
export const referringTexts: readonly Texts[] = [
  (sql, teamId, { id }) => sql`
    select id, '' as part, concat_ws(' ', image_url, body) as texts from content_blocks
    where team_id = ${teamId} and id > ${id} and (image_url like '%/media/%' or body like '%/media/%')
    order by id`,
  (sql, teamId, { id }) => sql`
    select id, '' as part, concat_ws(' ', cover_image_url, intro, closing) as texts from newsletters
    where team_id = ${teamId} and id > ${id} and status <> 'sent' order by id`,
  (sql, teamId, { id, part }) => sql`
    select newsletter_id as id, id as part, body as texts from newsletter_elements
    where team_id = ${teamId} and (newsletter_id, id) > (${id}, ${part}) order by newsletter_id, newsletter_elements.id`,
  (sql, teamId, { id }) => sql`
    select id, '' as part, logo_url as texts from teams where id = ${teamId} and id > ${id}`,
  (sql, teamId, { id, part }) => sql`
    select block_id as id, version::text as part,
      concat_ws(' ', content ->> 'image_url', content ->> 'body') as texts from block_versions
    where team_id = ${teamId} and (block_id, version) > (${id}, ${Number(part)})
      and (content ->> 'image_url' like '%/media/%' or content ->> 'body' like '%/media/%')
    order by block_id, version`,
  (sql, teamId, { id, part }) => sql`
    select newsletter_id as id, version::text as part, content::text as texts from newsletter_versions
    where team_id = ${teamId} and (newsletter_id, version) > (${id}, ${Number(part)}) order by newsletter_id, version`,
]

/** The next rows of a team after a position, each with its text when it can refer to an image of ours, otherwise null. */
export async function selectTexts(
  sql: Sql,
  texts: Texts,
  { teamId, after, limit }: TextSlice,
): Promise<TextRow[]> {
  return await sql<TextRow[]>`
    select id, part, case when texts like '%/media/%' then texts end as texts
    from (${texts(sql, teamId, after)} limit ${limit}) slice`
}
