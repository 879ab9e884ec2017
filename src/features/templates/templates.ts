import * as v from 'valibot'
import type { Template } from '../../contract/template.ts'
import { singleLineText, slug } from '../../contract/text.ts'
import { blockTypes } from '../../contract/vocabulary.ts'
import { type Now, systemClock } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { countLimit, type Page, type PageRequest } from '../../lib/pagination.ts'
import {
  countTemplates,
  insertTemplate,
  selectTemplate,
  selectTemplates,
  type TemplateRow,
} from './sql.ts'
import { bases, type MailTemplate, systemTemplates } from './system/index.ts'

const isSystem = (templateSlug: string) => systemTemplates.some((own) => own.slug === templateSlug)

const Section = v.strictObject({
  title: singleLineText(100),
  block_types: v.pipe(
    v.array(v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`)),
    v.minLength(1, 'must name at least one block type'),
  ),
})

/** What a team says of a template of its own. */
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

const ownTemplate = (row: TemplateRow): MailTemplate => ({ ...row, system: false })

/** A template as answers show it: how it is drawn stays in the house. */
export function toTemplate({ base: _, ...shown }: MailTemplate): Template {
  return shown
}

/** Makes a template of a team's own. Throws `validation_failed` when the team has one of this slug. */
export async function createTemplate(
  sql: Sql | Tx,
  teamId: string,
  input: v.InferOutput<typeof NewTemplate>,
  now: Now = systemClock,
): Promise<MailTemplate> {
  if (!(await withDeadline(insertTemplate(sql, teamId, input, now())))) {
    throw invalidField('/slug', `slug "${input.slug}" belongs to another template already`, 'taken')
  }
  return ownTemplate(input)
}

/** A template that every team has, or one of the team's own, ready for `renderIssue`. Throws `not_found`. */
export async function getTemplate(
  sql: Sql | Tx,
  teamId: string,
  templateSlug: string,
): Promise<MailTemplate> {
  const system = systemTemplates.find((template) => template.slug === templateSlug)
  if (system) return system
  const row = await withDeadline(selectTemplate(sql, teamId, templateSlug))
  if (!row) throw notFound('The template')
  return ownTemplate(row)
}

/** A page of templates: those that every team has, then the team's own by slug. */
export async function listTemplates(
  sql: Sql,
  teamId: string,
  page: PageRequest,
): Promise<Page<Template>> {
  const { afterId } = page
  const limit = page.perPage + 1
  const offset = afterId === undefined ? (page.page - 1) * page.perPage : startAfter(afterId)
  const system = systemTemplates.slice(offset, offset + limit)
  const slice = {
    afterSlug: afterId === undefined || isSystem(afterId) ? '' : afterId,
    offset: afterId === undefined ? Math.max(offset - systemTemplates.length, 0) : 0,
    limit: limit - system.length,
  }
  const [rows, own] = await withDeadline(
    Promise.all([selectTemplates(sql, teamId, slice), countTemplates(sql, teamId, countLimit + 1)]),
  )
  const found = [...system, ...rows.map(ownTemplate)].map(toTemplate)
  return {
    items: found.slice(0, page.perPage),
    counted: systemTemplates.length + own,
    hasMore: found.length > page.perPage,
  }
}

/** How many of the templates that every team has come no later than this one. */
function startAfter(templateSlug: string): number {
  const at = systemTemplates.findIndex((template) => template.slug === templateSlug)
  return at === -1 ? systemTemplates.length : at + 1
}
