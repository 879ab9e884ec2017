import { isColor, textColorOn } from '../../../../lib/color.ts'
import type { View } from '../../../../lib/html/mjml.ts'
import { croppedAddress } from '../../../images/index.ts'
import { markedText, newsletterMarks } from '../composer-marks.ts'
import { isShowable } from '../email-body.ts'
import { dateOf, directionOf, pageDirection, sideOf } from '../locale.ts'
import { readingMinutes } from '../reading-time.ts'
import type { RenderableNewsletter } from '../renderable.ts'
import type { ArrangedSection } from '../sections/arrange-sections.ts'
import { contentsView, hasContents } from '../sections/contents.ts'
import { bandColor } from '../theme/theme.ts'
import { isWeb, type ViewContext } from './block.ts'
import { proseView, sectionViews } from './sections.ts'

/**
 * The values of a newsletter for a layout. `lib/html/mjml.ts` escapes them except for the bodies, which are
 * sanitized.
 */
export function newsletterView(
  newsletter: RenderableNewsletter,
  sections: readonly ArrangedSection[],
  viewContext: ViewContext,
): View {
  const { theme, texts, locale } = viewContext
  const direction = pageDirection(locale)
  const titleDirection = directionOf(newsletter.title)
  return {
    ...theme.view,
    lang: locale.toString(),
    direction,
    start: sideOf(direction),
    end: direction === 'ltr' ? 'right' : 'left',
    subject: newsletter.subject_line || newsletter.title,
    preheader: newsletter.preheader_text,
    // Prevents that email programs show the following text in the preview line.
    filler: { html: '&#847;&zwnj;&nbsp;'.repeat(80) },
    team: newsletter.team.name,
    title: markedText(newsletter.title, viewContext.marked ? newsletterMarks.title : null),
    title_direction: titleDirection,
    title_start: sideOf(titleDirection),
    date: dateOf(newsletter.date, locale),
    meta: metaOf(newsletter, viewContext),
    words_contents: texts.contents,
    words_share: texts.share,
    words_view: texts.view,
    ...logoView(newsletter.team),
    ...coverView(newsletter, theme),
    ...proseView(
      { name: 'intro', html: newsletter.intro, mark: newsletterMarks.intro },
      viewContext,
    ),
    ...proseView(
      { name: 'closing', html: newsletter.closing, mark: newsletterMarks.closing },
      viewContext,
    ),
    ...contentsView(newsletter, sections, theme.numbered),
    ...footerView(newsletter),
    sections: sectionViews(
      sections,
      viewContext,
      hasContents(newsletter, sections, theme.numbered),
    ),
  }
}

/** The date and the reading time of a newsletter, in one line. */
export function metaOf(
  newsletter: RenderableNewsletter,
  { texts, locale }: Pick<ViewContext, 'texts' | 'locale'>,
): string {
  const minutes = readingMinutes(newsletter)
  const parts = [dateOf(newsletter.date, locale), minutes > 1 ? texts.minutes(minutes) : null]
  return parts.filter(Boolean).join(' · ')
}

const maxLogo = { widthPx: 200, heightPx: 40 }

/** A logo with the size in which it fits the header, because Outlook reads only the attributes. */
function logoView({ logo, name }: RenderableNewsletter['team']): View {
  const shown = logo && isShowable(logo.url) ? logo : null
  const [width, height] = [shown?.width || 120, shown?.height || 40]
  const scale = Math.min(1, maxLogo.widthPx / width, maxLogo.heightPx / height)
  return {
    logo: shown?.url ?? null,
    no_logo: shown === null,
    logo_text: shown?.alt || name,
    logo_width: Math.max(1, Math.round(width * scale)),
    logo_height: Math.max(1, Math.round(height * scale)),
  }
}

function coverView({ cover, title }: RenderableNewsletter, theme: ViewContext['theme']): View {
  const image = isShowable(cover?.image_url) ? cover.image_url : null
  const focus = { x: cover?.focal_x ?? null, y: cover?.focal_y ?? null }
  const chosen = cover?.color && isColor(cover.color) ? cover.color : null
  const color = image === null ? chosen : null
  const head = bandColor(chosen ?? theme.brand)
  return {
    cover_image: image && croppedAddress(image, 'wide', focus),
    cover_text: cover?.image_alt ?? title,
    cover_color: color,
    on_cover: textColorOn(color ?? '#ffffff'),
    title_alone: color === null,
    head,
    on_head: textColorOn(head),
    head_end_px: image === null ? 48 : 36,
  }
}

function footerView({ team, archive_url }: RenderableNewsletter): View {
  const contact = team.contact || null
  const share = isLink(team.share_url) ? team.share_url : null
  const archive = isWeb(archive_url) ? archive_url : null
  const address = contact && addressOf(contact)
  return {
    contact,
    contact_address: address,
    contact_text: contact !== null && !address,
    share_url: share,
    archive_url: archive,
    footer_links: share !== null || archive !== null,
    both_footer_links: share !== null && archive !== null,
  }
}

/** The address of a link for a contact that is an address; null for other text. */
function addressOf(contact: string): string | null {
  if (isWeb(contact)) return contact
  return /^[^\s@:/?#]+@[^\s@:/?#]+\.[^\s@:/?#]+$/.test(contact) ? `mailto:${contact}` : null
}

/** True for an address that a newsletter may link to: of the web or of an email. */
export const isLink = (address: string | null | undefined): address is string =>
  isWeb(address) || /^mailto:[^\s?&]+@[^\s?&]+$/i.test(address ?? '')
