import type { NewsletterSummary } from '../../contract/newsletters/newsletter.ts'
import type { LinkContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import {
  countLimit,
  type Page,
  type PageRequest,
  pageOf,
  sliceOf,
} from '../../lib/lists/pagination.ts'
import { newsletterAddress } from '../archive/index.ts'
import { countNewsletters, type NewsletterFilter, selectNewsletters } from './list-sql.ts'
import type { CountedRow } from './sql.ts'

/** A stored newsletter in the format of lists. */
export function summaryOf(
  baseUrl: string,
  { blocks_count, ...row }: CountedRow,
): NewsletterSummary {
  return {
    id: row.id,
    title: row.title,
    subject_line: row.subject_line,
    preheader_text: row.preheader_text,
    status: row.status,
    scheduled_date: row.scheduled_date,
    template_slug: row.template_slug,
    cover_image_url: row.cover_image_url,
    cover_image_alt: row.cover_image_alt,
    cover_focal_x: row.cover_focal_x,
    cover_focal_y: row.cover_focal_y,
    cover_color: row.cover_color,
    intro: row.intro,
    closing: row.closing,
    table_of_contents: row.table_of_contents,
    blocks_count,
    version: row.version,
    sent_at: row.sent_at?.toISOString() ?? null,
    archive_url: row.archive_token && newsletterAddress(baseUrl, row.archive_token, row.id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** A page of a team's newsletters, in the order of the filter. */
export async function listNewsletters(
  { sql, baseUrl, actor: { teamId } }: LinkContext,
  { page, ...filter }: NewsletterFilter & { page: PageRequest },
): Promise<Page<NewsletterSummary>> {
  const [rows, counted] = await withDeadline(
    Promise.all([
      selectNewsletters(sql, teamId, filter, sliceOf(page)),
      page.isCounted === false ? 0 : countNewsletters(sql, teamId, filter, countLimit + 1),
    ]),
  )
  const summaries = rows.map((row) => summaryOf(baseUrl, row))
  return pageOf(summaries, counted, page)
}
