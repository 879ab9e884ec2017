import { type NewNewsletter, newNewsletterDefaults } from '../../contract/newsletters/input.ts'
import type { Newsletter } from '../../contract/newsletters/newsletter.ts'
import { inTransaction, type LinkContext, memberIdOf } from '../../lib/context.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/index.ts'
import { recordNewsletterVersion } from '../versions/index.ts'
import { withCleanTexts } from './composition/rich-text.ts'
import { reloadNewsletter } from './get.ts'
import { requireLockedTemplate } from './rendering/previews/newsletter.ts'
import { insertNewsletter } from './sql.ts'

/** Creates a newsletter without blocks. Throws `validation_failed` for an unknown template. */
export async function createNewsletter(
  ctx: LinkContext,
  { status: _, ...input }: NewNewsletter,
): Promise<Newsletter> {
  const fields = { ...newNewsletterDefaults, ...withCleanTexts(input) }
  return await inTransaction(ctx, async (txCtx) => {
    await requireLockedTemplate(txCtx, fields.template_slug)
    const at = txCtx.now()
    const id = newId('nl', at)
    const row = {
      ...fields,
      id,
      team_id: ctx.actor.teamId,
      created_at: at,
      changed_by: memberIdOf(ctx),
    }
    await insertNewsletter(txCtx.sql, row)
    await recordNewsletterVersion(txCtx, { id })
    await recordAudit(txCtx, 'newsletter_created', fields.title)
    return await reloadNewsletter(txCtx, id)
  })
}
