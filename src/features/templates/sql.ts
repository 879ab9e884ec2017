import type { TemplateSection, TemplateStyle } from '../../contract/newsletters/template.ts'
import type { TemplateBase } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'

export interface TemplateRow {
  slug: string
  name: string
  category: string
  description: string
  premium: boolean
  base: TemplateBase
  sections: TemplateSection[]
  /** What differs from the look of the layout; null for nothing. */
  style: Partial<TemplateStyle> | null
}

const columns = (sql: Sql | Tx) =>
  sql`slug, name, category, description, premium, base, sections, style`

/** Stores a team's template; false when the team has one of this slug. */
export async function insertTemplate(
  sql: Sql | Tx,
  teamId: string,
  row: TemplateRow,
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    insert into templates (team_id, slug, name, category, description, premium, base, sections, style,
      created_at, updated_at)
    values (${teamId}, ${row.slug}, ${row.name}, ${row.category}, ${row.description},
      ${row.premium}, ${row.base}, ${JSON.stringify(row.sections)}::text::jsonb,
      ${row.style && JSON.stringify(row.style)}::text::jsonb, ${at}, ${at})
    on conflict (team_id, slug) do nothing returning slug`
  return rows.length > 0
}

/** One template of a team's own. */
export async function selectTemplate(
  sql: Sql | Tx,
  teamId: string,
  slug: string,
): Promise<TemplateRow | undefined> {
  const [row] = await sql<TemplateRow[]>`
    select ${columns(sql)} from templates where team_id = ${teamId} and slug = ${slug}`
  return row
}

/** A team's own templates by slug: `limit` of them after `offset` or after a slug. */
export async function selectTemplates(
  sql: Sql | Tx,
  teamId: string,
  slice: { afterSlug: string; offset: number; limit: number },
): Promise<TemplateRow[]> {
  return await sql<TemplateRow[]>`
    select ${columns(sql)} from templates
    where team_id = ${teamId} and slug > ${slice.afterSlug}
    order by slug limit ${slice.limit} offset ${slice.offset}`
}

/** How many templates of its own a team has, counted up to `limit`. */
export async function countTemplates(
  sql: Sql | Tx,
  teamId: string,
  limit: number,
): Promise<number> {
  const [row] = await sql<{ counted: number }[]>`
    select count(*)::integer as counted from (
      select 1 from templates where team_id = ${teamId} limit ${limit}
    ) own`
  return row?.counted ?? 0
}

/** Locks a template of a team until the transaction ends, and returns it. */
export async function lockTemplate(
  tx: Tx,
  teamId: string,
  slug: string,
): Promise<TemplateRow | undefined> {
  const [row] = await tx<TemplateRow[]>`
    select ${columns(tx)} from templates where team_id = ${teamId} and slug = ${slug} for update`
  return row
}

/** Keeps a template of a team from being deleted until the transaction ends; false when the team has none of this slug. */
export async function lockTemplateAsUsed(tx: Tx, teamId: string, slug: string): Promise<boolean> {
  const rows = await tx`
    select slug from templates where team_id = ${teamId} and slug = ${slug} for key share`
  return rows.length > 0
}

/** Changes a team's template. */
export async function updateTemplateRow(
  tx: Tx,
  teamId: string,
  row: TemplateRow,
  at: Date,
): Promise<void> {
  await tx`
    update templates set name = ${row.name}, category = ${row.category},
      description = ${row.description}, base = ${row.base},
      sections = ${JSON.stringify(row.sections)}::text::jsonb,
      style = ${row.style && JSON.stringify(row.style)}::text::jsonb, updated_at = ${at}
    where team_id = ${teamId} and slug = ${row.slug}`
}

/** Deletes a team's template; its newsletters get the layout that drew it, in their next versions. */
export async function deleteTemplateRow(
  tx: Tx,
  teamId: string,
  { slug, base }: Pick<TemplateRow, 'slug' | 'base'>,
  at: Date,
): Promise<void> {
  await tx`
    update newsletters set template_slug = ${base}, version = version + 1, updated_at = ${at}
    where team_id = ${teamId} and template_slug = ${slug}`
  await tx`delete from templates where team_id = ${teamId} and slug = ${slug}`
}
