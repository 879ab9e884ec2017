import type { Template } from '../../../../contract/newsletters/template.ts'
import type { BlockType } from '../../../../contract/vocabulary.ts'
import type { Context, LinkContext, TxContext } from '../../../../lib/context.ts'
import { withDeadline } from '../../../../lib/database/db.ts'
import { invalidField } from '../../../../lib/errors.ts'
import { newsletterAddress } from '../../../archive/index.ts'
import { findEventDates } from '../../../events/index.ts'
import { findImages, findImageWidths } from '../../../images/index.ts'
import { findSubmissionAddress } from '../../../submissions/index.ts'
import { getTeamDetails, type TeamDetails } from '../../../teams/index.ts'
import {
  findTemplate,
  getTemplate,
  inLanguage,
  lockUsedTemplate,
} from '../../../templates/index.ts'
import { selectRenderableBlocks } from '../../composition/blocks-sql.ts'
import { selectElements, toRenderableElement } from '../../composition/elements-sql.ts'
import { missingNewsletter } from '../../sending/transitions.ts'
import { type NewsletterRow, type Snapshot, selectNewsletter, selectSnapshot } from '../../sql.ts'
import { renderWithoutDelay } from '../long-newsletters.ts'
import type { RenderableNewsletter } from '../renderable.ts'
import type { PreviewWarning } from '../warnings/warnings.ts'

/** A warning and what it refers to: a field, a newsletter block, or null for the whole newsletter. */
export type Notice = Pick<PreviewWarning, 'message' | 'target'>

/** A newsletter as an email, with warnings about what readers may see wrongly. */
export interface NewsletterPreview extends Snapshot {
  isSent: boolean
  subject_line: string | null
  /** The subject line, or the title when there is none. */
  subject: string
  /** Sentences for people. */
  warnings: string[]
  /** The same warnings with what they refer to. */
  notices: Notice[]
}

interface PreviewInput {
  id: string
  forReaders?: boolean
  marked?: boolean
  /** The day (UTC) for an unsent newsletter without a planned date; today if left out. */
  day?: string
}

/**
 * A newsletter as it would be sent now, or as it was sent. Before it is sent, its page in the archive
 * does not exist, so only `forReaders` has the link "View in browser". With `marked`, the elements of an
 * unsent newsletter have marks for the composer. Throws `not_found`.
 */
export async function previewNewsletter(
  ctx: LinkContext,
  { id, forReaders = false, marked = false, day }: PreviewInput,
): Promise<NewsletterPreview> {
  const {
    sql,
    actor: { teamId },
  } = ctx
  const row = await withDeadline(selectNewsletter(sql, teamId, id))
  if (!row) throw missingNewsletter()
  const { subject_line } = row
  const subject = subject_line ?? row.title
  const sent = await withDeadline(selectSnapshot(sql, teamId, id))
  if (sent) return { ...sent, isSent: true, subject_line, subject, warnings: [], notices: [] }
  const { template, content } = await loadNewsletter(onDay(ctx, day), row)
  if (!forReaders) content.archive_url = null
  const { rendered, warnings: notices } = await renderWithoutDelay({
    template,
    content,
    marked,
    warningsAt: ctx.now(),
  })
  const warnings = notices.map(({ message }) => message)
  const { html, text } = rendered
  return { html, text, isSent: false, subject_line, subject, warnings, notices }
}

/** The rendered newsletter and its blocks, to be stored when it is sent; without a planned date, with this day. */
export async function renderForSending(
  ctx: LinkContext,
  { newsletter, day }: { newsletter: NewsletterRow; day?: string | undefined },
): Promise<Snapshot> {
  const { template, content } = await loadNewsletter(onDay(ctx, day), newsletter)
  const rendering = { template, content, marked: false, warningsAt: null }
  const { html, text } = (await renderWithoutDelay(rendering)).rendered
  return { html, text }
}

const onDay = (ctx: LinkContext, day: string | undefined): LinkContext =>
  day === undefined ? ctx : { ...ctx, now: () => new Date(day) }

async function loadNewsletter(
  ctx: LinkContext,
  newsletter: NewsletterRow,
): Promise<{ template: Template; content: RenderableNewsletter }> {
  const { sql, now } = ctx
  const { team_id: teamId, id, title, subject_line, preheader_text, intro, closing } = newsletter
  const [template, team, submissionUrl, blocks, elements] = await Promise.all([
    getTemplate(ctx, newsletter.template_slug),
    getTeamDetails(ctx, null),
    findSubmissionAddress(ctx),
    withDeadline(selectRenderableBlocks(sql, teamId, id)),
    withDeadline(selectElements(sql, teamId, id)),
  ])
  const addresses = [newsletter.cover_image_url, team.logoUrl, ...blocks.map((b) => b.image_url)]
  const [images, image_widths, dates] = await Promise.all([
    findImages(ctx, addresses),
    findImageWidths(ctx, [intro, closing, ...[...blocks, ...elements].map(({ body }) => body)]),
    findEventDates(ctx, announcedEvents(blocks)),
  ])
  const content = {
    title,
    subject_line,
    preheader_text,
    elements: elements.map(toRenderableElement),
    team: { ...brandOf(team, images), share_url: team.shareUrl ?? submissionUrl },
    date: newsletter.scheduled_date ?? now().toISOString().slice(0, 10),
    cover: {
      image_url: newsletter.cover_image_url,
      image_alt: newsletter.cover_image_alt ?? images(newsletter.cover_image_url)?.alt ?? null,
      focal_x: newsletter.cover_focal_x,
      focal_y: newsletter.cover_focal_y,
      color: newsletter.cover_color,
    },
    lang: team.language,
    intro,
    closing,
    image_widths,
    table_of_contents: newsletter.table_of_contents,
    archive_url: team.archiveToken && newsletterAddress(ctx.baseUrl, team.archiveToken, id),
    blocks: blocks.map((block) => ({
      ...block,
      event_date: dates.get(block.event_slug ?? '') ?? null,
      image_alt: block.image_alt ?? images(block.image_url)?.alt ?? null,
    })),
  }
  return { template: inLanguage(template, team.language), content }
}

/** The slugs of the events whose days a newsletter with these blocks shows. */
export const announcedEvents = (
  blocks: readonly { block_type: string; event_slug: string | null }[],
): string[] =>
  blocks.flatMap(({ block_type, event_slug }) =>
    block_type === 'event_announcement' ? (event_slug ?? []) : [],
  )

type FindImage = Awaited<ReturnType<typeof findImages>>

/** What a newsletter shows of its team. */
export function brandOf(team: TeamDetails, images: FindImage): RenderableNewsletter['team'] {
  const { logoUrl, logoAlt, contact } = team
  const image = images(logoUrl)
  const size = { width: image?.width ?? null, height: image?.height ?? null }
  return {
    name: team.name,
    brand_color: team.brandColor,
    contact,
    logo: logoUrl === null ? null : { url: logoUrl, alt: logoAlt, ...size },
  }
}

/** Throws `validation_failed` unless the team has this template. */
export async function requireTemplate(ctx: Context, slug: string): Promise<void> {
  if (!(await findTemplate(ctx, slug))) throw unknownTemplate(slug)
}

/** The same for a newsletter that gets the template: it is not deleted until the transaction ends. */
export async function requireLockedTemplate(ctx: TxContext, slug: string): Promise<void> {
  if (!(await lockUsedTemplate(ctx, slug))) throw unknownTemplate(slug)
}

const unknownTemplate = (slug: string) =>
  invalidField(
    '/template_slug',
    `template_slug "${slug}" is not a template of this team`,
    'unknown',
  )

/** Ranks block types by their section in a newsletter's template; types without a section come last. */
export async function getSectionOrder(
  ctx: Context,
  { template_slug }: NewsletterRow,
): Promise<(type: BlockType) => number> {
  const { sections } = await getTemplate(ctx, template_slug)
  return (type) => {
    const at = sections.findIndex(({ block_types }) => block_types.includes(type))
    return at === -1 ? sections.length : at
  }
}
