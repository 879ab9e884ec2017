import type { TemplateSection } from '../../contract/template.ts'
import type { Sql, Tx } from '../../lib/db.ts'
import type { Base } from './system/index.ts'

export interface TemplateRow {
  slug: string
  name: string
  category: string
  description: string
  premium: boolean
  base: Base
  sections: TemplateSection[]
}

const columns = (sql: Sql | Tx) => sql`slug, name, category, description, premium, base, sections`

/** Stores a team's template; false when the team has one of this slug. */
export async function insertTemplate(
  sql: Sql | Tx,
  teamId: string,
  row: TemplateRow,
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    insert into templates (team_id, slug, name, category, description, premium, base, sections,
      created_at, updated_at)
    values (${teamId}, ${row.slug}, ${row.name}, ${row.category}, ${row.description},
      ${row.premium}, ${row.base}, ${JSON.stringify(row.sections)}::text::jsonb, ${at}, ${at})
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
