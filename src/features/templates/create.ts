import * as v from 'valibot'
import { singleLineText, slug } from '../../contract/text.ts'
import { blockTypes } from '../../contract/vocabulary.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { invalidField } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { insertTemplate, type TemplateRow } from './sql.ts'
import { defaultStyles } from './style.ts'
import { bases, type MailTemplate, systemTemplates } from './system/index.ts'

/** True for the slug of a template that every team has. */
export const isSystem = (templateSlug: string) =>
  systemTemplates.some((own) => own.slug === templateSlug)

const Section = v.strictObject({
  title: singleLineText(100),
  block_types: v.pipe(
    v.array(v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`)),
    v.minLength(1, 'must name at least one block type'),
  ),
})

/** A new template of a team. */
export const NewTemplate = v.strictObject({
  slug: v.pipe(
    slug,
    v.check((value) => !isSystem(value), 'is the name of a template that every team has'),
  ),
  name: singleLineText(100),
  category: v.optional(singleLineText(100), 'general'),
  description: singleLineText(500),
  premium: v.optional(v.boolean('must be true or false'), false),
  base: v.optional(v.picklist(bases, `must be one of ${bases.join(', ')}`), 'clean'),
  sections: v.pipe(
    v.array(Section),
    v.minLength(1, 'must have at least one section'),
    v.maxLength(20, 'must have at most 20 sections'),
    v.check((sections) => {
      const types = sections.flatMap(({ block_types }) => block_types)
      return new Set(types).size === types.length
    }, 'must name every block type at most once'),
  ),
})

/** A team's own template, as it is stored. */
export const ownTemplate = (row: TemplateRow): MailTemplate => ({
  ...row,
  system: false,
  style: defaultStyles[row.base],
})

/** Creates a team's own template. Throws `validation_failed` when the team has one with this slug. */
export async function createTemplate(
  ctx: Context,
  input: v.InferOutput<typeof NewTemplate>,
): Promise<MailTemplate> {
  return await inTransaction(ctx, async (within) => {
    if (!(await insertTemplate(within.sql, ctx.actor.teamId, input, within.now()))) {
      const message = `slug "${input.slug}" belongs to another template already`
      throw invalidField('/slug', message, 'taken')
    }
    await recordAudit(within, 'template_created', input.name)
    return ownTemplate(input)
  })
}
