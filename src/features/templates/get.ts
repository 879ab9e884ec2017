import type { Template } from '../../contract/newsletters/template.ts'
import type { Context, TxContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { isSystem, ownTemplate } from './create.ts'
import { lockTemplateAsUsed, selectTemplate } from './sql.ts'
import { systemTemplates } from './system/index.ts'

/** A template of every team or of this team, for `renderNewsletter`. Throws `not_found`. */
export async function getTemplate(ctx: Context, templateSlug: string): Promise<Template> {
  const template = await findTemplate(ctx, templateSlug)
  if (!template) throw notFound('The template')
  return template
}

/** A template as `getTemplate` returns it; null when it does not exist. */
export async function findTemplate(
  { sql, actor }: Context,
  templateSlug: string,
): Promise<Template | null> {
  const system = systemTemplates.find((template) => template.slug === templateSlug)
  if (system) return system
  const row = await withDeadline(selectTemplate(sql, actor.teamId, templateSlug))
  return row ? ownTemplate(row) : null
}

/**
 * Keeps a template that a newsletter gets from being deleted until the transaction ends. False when the team does not
 * have it. Call it before locking newsletters: who deletes a template locks them afterwards.
 */
export async function lockUsedTemplate(
  { sql, actor }: TxContext,
  templateSlug: string,
): Promise<boolean> {
  return isSystem(templateSlug) || (await lockTemplateAsUsed(sql, actor.teamId, templateSlug))
}
