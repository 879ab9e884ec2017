import { previewNewsletter } from '../../../features/newsletters/index.ts'
import type { LinkContext, TxContext } from '../../../lib/context.ts'
import { AppError } from '../../../lib/errors.ts'

/** A hash of the rendered email. */
export const contentHash = (html: string): string => Bun.hash(html).toString(36)

/**
 * Throws `version_mismatch` unless a newsletter looks as it did on the page that sent the form. The version
 * of a newsletter does not rise with its template, the brand and its images.
 */
export async function requireSamePreview(
  ctx: TxContext<LinkContext>,
  id: string,
  previewHash: string,
): Promise<void> {
  const { html } = await previewNewsletter(ctx, { id })
  if (contentHash(html) === previewHash) return
  throw new AppError('version_mismatch', 'It looks different now.')
}
