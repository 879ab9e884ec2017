import type { Template } from '../../../contract/newsletters/template.ts'
import type { Context } from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { findTemplate, getTemplate } from '../../templates/index.ts'
import { selectLatestTemplate } from '../composition/blocks-sql.ts'

/** The template of the team's newest newsletter; `clean` without one, or when the team has the template no more. */
export async function findLatestTemplate(ctx: Context): Promise<Template> {
  const slug = await withDeadline(selectLatestTemplate(ctx.sql, ctx.actor.teamId))
  const latest = slug === undefined ? null : await findTemplate(ctx, slug)
  return latest ?? (await getTemplate(ctx, 'clean'))
}
