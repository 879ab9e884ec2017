import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** The most versions of one block or newsletter that are kept. */
const maxVersions = 100

/** Who makes a version; both null when that was not recorded. */
export interface VersionAuthor {
  member_id: string | null
  actor: string | null
  restored_version: number | null
}

/**
 * Locks blocks, stores their present versions, unless they are stored, and deletes those of which there
 * are too many. Rows are locked in the order of their ids, as everywhere else.
 */
export async function insertBlockVersions(
  tx: Tx,
  teamId: string,
  ids: readonly string[],
  author: VersionAuthor,
): Promise<void> {
  await tx`
    with present as materialized (
      select b.id, b.version, b.updated_at, jsonb_build_object('title', b.title, 'body', b.body,
        'body_format', b.body_format, 'block_type', b.block_type, 'status', b.status,
        'event_slug', b.event_slug, 'image_url', b.image_url, 'image_alt', b.image_alt,
        'image_size', b.image_size, 'image_focal_x', b.image_focal_x,
        'image_focal_y', b.image_focal_y, 'author', b.author, 'source_url', b.source_url,
        'publish_after', b.publish_after) as content
      from content_blocks b where b.team_id = ${teamId} and b.id = any(${[...ids]})
      order by b.id for update
    ), stored as (
      insert into block_versions (team_id, block_id, version, content, changes, member_id, actor,
        restored_version, created_at)
      select ${teamId}, p.id, p.version, p.content, ${changedFields(tx)}, ${author.member_id},
        ${author.actor}, ${author.restored_version}::integer, p.updated_at
      from present p left join lateral (
        select content from block_versions v
        where v.team_id = ${teamId} and v.block_id = p.id order by v.version desc limit 1
      ) last on true
      on conflict (team_id, block_id, version) do nothing
    )
    delete from block_versions v using present p
    where v.team_id = ${teamId} and v.block_id = p.id and v.version <= p.version - ${maxVersions}::integer`
}

/** Stores the present version of a newsletter, and deletes those of which there are too many. */
export async function insertNewsletterVersion(
  tx: Tx,
  teamId: string,
  id: string,
  author: VersionAuthor,
): Promise<void> {
  await tx`
    with present as materialized (
      select n.id, n.version, n.updated_at, jsonb_build_object('title', n.title,
        'subject_line', n.subject_line, 'preheader_text', n.preheader_text, 'status', n.status,
        'scheduled_date', n.scheduled_date::text, 'template_slug', n.template_slug,
        'cover_image_url', n.cover_image_url, 'cover_image_alt', n.cover_image_alt,
        'cover_focal_x', n.cover_focal_x, 'cover_focal_y', n.cover_focal_y,
        'cover_color', n.cover_color, 'intro', n.intro, 'closing', n.closing,
        'table_of_contents', n.table_of_contents,
        'blocks', coalesce((
          select jsonb_agg(jsonb_build_object('id', nb.id,
            'content_block_id', coalesce(nb.content_block_id, nb.snapshot ->> 'id'),
            'title', coalesce(b.title, nb.snapshot ->> 'title')) order by nb.position)
          from newsletter_blocks nb left join content_blocks b
            on b.team_id = nb.team_id and b.id = nb.content_block_id
          where nb.team_id = ${teamId} and nb.newsletter_id = ${id}), '[]'),
        'elements', coalesce((
          select jsonb_agg(jsonb_build_object('id', e.id, 'type', e.type,
            'before_position', e.before_position, 'heading', e.heading, 'body', e.body,
            'options', e.options) order by e.before_position, e.sequence)
          from newsletter_elements e
          where e.team_id = ${teamId} and e.newsletter_id = ${id}), '[]')) as content
      from newsletters n where n.team_id = ${teamId} and n.id = ${id}
    ), stored as (
      insert into newsletter_versions (team_id, newsletter_id, version, content, changes, member_id,
        actor, restored_version, created_at)
      select ${teamId}, p.id, p.version, p.content, ${changedFields(tx)}, ${author.member_id},
        ${author.actor}, ${author.restored_version}::integer, p.updated_at
      from present p left join lateral (
        select content from newsletter_versions v
        where v.team_id = ${teamId} and v.newsletter_id = p.id order by v.version desc limit 1
      ) last on true
      on conflict (team_id, newsletter_id, version) do nothing
    )
    delete from newsletter_versions v
    where v.team_id = ${teamId} and v.newsletter_id = ${id} and v.version <= (
      select o.version from newsletter_versions o
      where o.team_id = ${teamId} and o.newsletter_id = ${id}
      order by o.version desc offset ${maxVersions - 1} limit 1)`
}

/** The fields of `p.content` that differ from `last.content`; none for the first version. A field that versions did not contain then did not change. */
const changedFields = (tx: Tx) => tx`
  array(
    select f.key from jsonb_each(p.content) f
    where last.content ? f.key and f.value is distinct from last.content -> f.key
    order by f.key
  )`

/** A version in the list of a block or a newsletter, without its content. */
export interface VersionRow {
  version: number
  changes: string[]
  /** The name of the person or thing that made it; null when that was not recorded. */
  name: string | null
  restored_version: number | null
  created_at: Date
}

/** What has versions, with the names of its table and column. */
const tables = {
  block: { table: 'block_versions', column: 'block_id' },
  newsletter: { table: 'newsletter_versions', column: 'newsletter_id' },
} as const
export type Versioned = keyof typeof tables

/** The versions of a block or a newsletter, newest first. */
export async function selectVersions(
  sql: Sql | Tx,
  teamId: string,
  kind: Versioned,
  id: string,
): Promise<VersionRow[]> {
  const { table, column } = tables[kind]
  return await sql<VersionRow[]>`
    select v.version, v.changes, coalesce(m.name, v.actor) as name, v.restored_version, v.created_at
    from ${sql(table)} v left join members m on m.team_id = v.team_id and m.id = v.member_id
    where v.team_id = ${teamId} and ${sql(`v.${column}`)} = ${id}
    order by v.version desc limit ${maxVersions}`
}

/** The content of a version. */
export async function selectContent(
  sql: Sql | Tx,
  teamId: string,
  kind: Versioned,
  { id, version }: { id: string; version: number },
): Promise<unknown> {
  const { table, column } = tables[kind]
  const [row] = await sql<{ content: unknown }[]>`
    select v.content from ${sql(table)} v
    where v.team_id = ${teamId} and ${sql(`v.${column}`)} = ${id} and v.version = ${version}`
  return row?.content ?? null
}

/** Deletes the versions of all teams that are older than a moment. */
export async function deleteVersions(sql: Sql | Tx, before: Date): Promise<void> {
  await deleteInSlices(sql, 'newsletter_versions', sql`created_at < ${before}`)
  await deleteInSlices(sql, 'block_versions', sql`created_at < ${before}`)
}
