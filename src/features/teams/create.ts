import * as v from 'valibot'
import { singleLineText, slug } from '../../contract/text.ts'
import { type Language, languages } from '../../contract/vocabulary.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Team } from './get.ts'
import { insertTeam } from './sql.ts'

/** A new team. */
export const NewTeam = v.object({
  slug,
  name: singleLineText(100),
  language: v.optional(v.picklist(languages)),
})

/**
 * Creates a team. The caller writes the audit log entry, because only the new team has an actor.
 * Throws `validation_failed` when the slug is taken.
 */
export async function createTeam(
  { sql, now }: ServiceContext,
  { language = 'en', ...input }: { slug: string; name: string; language?: Language | undefined },
): Promise<Team> {
  const at = now()
  const team = { id: newId('team', at), language, ...input }
  if (!(await withDeadline(insertTeam(sql, team, at)))) {
    throw invalidField('/slug', `slug "${input.slug}" belongs to another team already`, 'taken')
  }
  return team
}
