import { inTransaction, type LinkContext } from '../../../lib/context.ts'
import { recordAudit } from '../../audit-log/index.ts'
import { getNewsletter } from '../get.ts'
import { type NewsletterPreview, previewNewsletter } from '../rendering/previews/newsletter.ts'

/** What a newsletter is exported as: a file, or HTML that is copied into another tool. */
export type ExportFormat = 'html' | 'eml' | 'copy'

/**
 * Returns a newsletter as an email, to leave Tidings as a file or a copy; the export is in the audit
 * log. Throws `not_found`.
 */
export async function exportNewsletter(
  ctx: LinkContext,
  { id, format }: { id: string; format: ExportFormat },
): Promise<NewsletterPreview & { title: string }> {
  return await inTransaction(ctx, async (txCtx) => {
    const { title } = await getNewsletter(txCtx, id)
    const email = await previewNewsletter(txCtx, { id, forReaders: true })
    await recordAudit(txCtx, 'newsletter_exported', `${title} (${format})`)
    return { ...email, title }
  })
}
