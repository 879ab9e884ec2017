import type { Template, TemplateChange } from '../../contract/newsletters/template.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { ownTemplate } from './create.ts'
import {
  deleteTemplateRow,
  lockTemplate,
  selectTemplate,
  type TemplateRow,
  updateTemplateRow,
} from './sql.ts'
import { systemTemplates } from './system/index.ts'

/**
 * Changes a team's own template; what is left out stays, also within the style. Throws `not_found`,
 * also for a template that every team has.
 */
export async function updateTemplate(
  ctx: Context,
  { slug, change }: { slug: string; change: TemplateChange },
): Promise<Template> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const current = await lockTemplate(txCtx.sql, teamId, slug)
    if (!current) throw notFound('The template')
    const style = change.style ? { ...current.style, ...change.style } : current.style
    const next = { ...current, ...definedOf(change), style }
    await updateTemplateRow(txCtx.sql, teamId, next, txCtx.now())
    await recordAudit(txCtx, 'template_updated', next.name)
    return ownTemplate(next)
  })
}

/** A change without the fields that were left out. */
function definedOf(change: TemplateChange): Partial<TemplateRow> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

/**
 * Deletes a team's own template; its newsletters get the layout that drew it. Throws `not_found`, also
 * for a template that every team has.
 */
export async function deleteTemplate(ctx: Context, slug: string): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const current = await lockTemplate(txCtx.sql, teamId, slug)
    if (!current) throw notFound('The template')
    await deleteTemplateRow(txCtx.sql, teamId, current, txCtx.now())
    await recordAudit(txCtx, 'template_deleted', current.name)
  })
}

/** Throws `not_found` unless the team has a template of its own with this slug. */
export async function requireOwnTemplate({ sql, actor }: Context, slug: string): Promise<void> {
  if (systemTemplates.some((template) => template.slug === slug)) {
    const message = `The template "${slug}" belongs to every team and cannot be changed. Create one of your own that has it as its base.`
    throw new AppError('not_found', message)
  }
  if (!(await withDeadline(selectTemplate(sql, actor.teamId, slug)))) throw notFound('The template')
}
