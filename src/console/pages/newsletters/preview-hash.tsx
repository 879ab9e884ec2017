import * as v from 'valibot'
import { previewNewsletter } from '../../../features/newsletters/index.ts'
import { daysAfter, utcDay } from '../../../lib/clock.ts'
import type { LinkContext, TxContext } from '../../../lib/context.ts'
import { AppError } from '../../../lib/errors.ts'

/** A hash of the rendered email. */
export const contentHash = (html: string): string => Bun.hash(html).toString(36)

/** The fields of a form that is about a newsletter as its page shows it, rendered on a day (UTC). */
export function ShownPreview({ html, day }: { html: string; day: string }) {
  return (
    <>
      <input type="hidden" name="preview_hash" value={contentHash(html)} />
      <input type="hidden" name="preview_day" value={day} />
    </>
  )
}

/** The same fields of a submitted form. */
export const shownPreview = {
  preview_hash: v.optional(v.string(), ''),
  preview_day: v.optional(v.string(), ''),
}

/** How many days a page can be open before its form is sent. */
const maxOpenDays = 7

/** A day that a form sends, if it is one of the last days; else another one, such as today. */
export function recentDay(submitted: string, now: Date, otherwise = utcDay(now)): string {
  const days = Array.from({ length: maxOpenDays + 1 }, (_, past) => daysAfter(utcDay(now), -past))
  return days.find((day) => day === submitted) ?? otherwise
}

/**
 * Throws `version_mismatch` unless a newsletter looks as it did on the page that sent the form. The version
 * of a newsletter does not rise with its template, the brand and its images. A newsletter without a planned
 * date is compared as of the day of the page.
 */
export async function requireSamePreview(
  ctx: TxContext<LinkContext>,
  id: string,
  { preview_hash, preview_day }: { preview_hash: string; preview_day: string },
): Promise<void> {
  const { html } = await previewNewsletter(ctx, { id, day: recentDay(preview_day, ctx.now()) })
  if (contentHash(html) === preview_hash) return
  throw new AppError('version_mismatch', 'It looks different now.')
}
