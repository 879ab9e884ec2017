import type { Newsletter } from '../../contract/newsletter.ts'
import { type NewNewsletter, newNewsletterDefaults } from '../../contract/newsletter-input.ts'
import type { Now } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db.ts'
import { newId } from '../../lib/ids.ts'
import { reloadNewsletter } from './get.ts'
import { requireTemplate } from './preview.ts'
import { insertNewsletter } from './sql.ts'

/** Makes a newsletter of a team, without blocks. Throws `validation_failed` for an unknown template. */
export async function createNewsletter(
  tx: Tx,
  now: Now,
  teamId: string,
  { status: _, ...input }: NewNewsletter,
): Promise<Newsletter> {
  const fields = { ...newNewsletterDefaults, ...input }
  await requireTemplate(tx, teamId, fields.template_slug)
  const at = now()
  const id = newId('nl', at)
  await insertNewsletter(tx, { ...fields, id, team_id: teamId, created_at: at })
  return await reloadNewsletter(tx, teamId, id)
}
