import type { Template } from '../../contract/template.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { notFound } from '../../lib/errors.ts'
import { ownTemplate } from './create.ts'
import { selectTemplate } from './sql.ts'
import { type MailTemplate, systemTemplates } from './system/index.ts'

/** A template as answers show it: how it is drawn stays in the house. */
export function toTemplate({ base: _, style: __, ...shown }: MailTemplate): Template {
  return shown
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
