import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { ownTemplate } from './create.ts'
import { selectTemplate } from './sql.ts'
import { type MailTemplate, systemTemplates } from './system/index.ts'

/** A template of every team or of this team, for `renderNewsletter`. Throws `not_found`. */
export async function getTemplate(ctx: Context, templateSlug: string): Promise<MailTemplate> {
  const template = await findTemplate(ctx, templateSlug)
  if (!template) throw notFound('The template')
  return template
}

/** A template as `getTemplate` returns it; null when it does not exist. */
export async function findTemplate(
  { sql, actor }: Context,
  templateSlug: string,
): Promise<MailTemplate | null> {
  const system = systemTemplates.find((template) => template.slug === templateSlug)
  if (system) return system
  const row = await withDeadline(selectTemplate(sql, actor.teamId, templateSlug))
  return row ? ownTemplate(row) : null
}
