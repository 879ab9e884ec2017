import type { NewTemplate, Template } from '../../contract/newsletters/template.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { invalidField } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { insertTemplate, selectTemplate, type TemplateRow } from './sql.ts'
import { defaultStyles } from './style.ts'
import { systemTemplates } from './system/index.ts'

/** True for the slug of a template of every team. */
export const isSystem = (templateSlug: string) =>
  systemTemplates.some((own) => own.slug === templateSlug)

/** A team's own template, as it is stored. */
export const ownTemplate = (row: TemplateRow): Template => ({
  ...row,
  system: false,
  style: { ...defaultStyles[row.base], ...row.style },
})

/** Throws `validation_failed` when the team has a template of its own with this slug. */
export async function requireFreeTemplateSlug(ctx: Context, slug: string): Promise<void> {
  if (await withDeadline(selectTemplate(ctx.sql, ctx.actor.teamId, slug))) throw slugTaken(slug)
}

const slugTaken = (slug: string) =>
  invalidField('/slug', `slug "${slug}" belongs to another template already`, 'taken')

/** Creates a team's own template. Throws `validation_failed` when the team has one with this slug. */
export async function createTemplate(ctx: Context, input: NewTemplate): Promise<Template> {
  return await inTransaction(ctx, async (txCtx) => {
    const row = { ...input, style: input.style ?? null }
    if (!(await insertTemplate(txCtx.sql, ctx.actor.teamId, row, txCtx.now()))) {
      throw slugTaken(input.slug)
    }
    await recordAudit(txCtx, 'template_created', input.name)
    return ownTemplate(row)
  })
}
