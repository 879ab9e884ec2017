import type { ImageSize } from '../../../../contract/vocabulary.ts'
import type { View } from '../../../../lib/html/mjml.ts'
import { textLinesOf } from '../../../../lib/html/sanitize-html.ts'
import { startsWithTitle } from '../../../../lib/text/starts-with-title.ts'
import { croppedAddress } from '../../../images/index.ts'
import { withMark } from '../composer-marks.ts'
import { emailBody, isShowable } from '../email-body.ts'
import { directionOf, monthAndDay, sideOf } from '../locale.ts'
import type { RenderableBlock } from '../renderable.ts'
import { initialsOf, isQuote } from '../sections/block-kinds.ts'
import { textBody } from '../text-body.ts'
import type { NewsletterTexts } from '../texts.ts'
import type { Theme } from '../theme/theme.ts'

/** The values that the views of all blocks of a newsletter share. */
export interface ViewContext {
  theme: Theme
  texts: NewsletterTexts
  locale: Intl.Locale
  /** Whether the elements of the newsletter have marks. */
  marked: boolean
  /** The widths of uploaded images, in pixels, by their hashes. */
  imageWidths: ReadonlyMap<string, number>
}

/** A block as a layout shows it, with its number in the newsletter, which a table of contents may list. */
export function blockView(
  block: RenderableBlock,
  number: { at: number; listed: boolean },
  viewContext: ViewContext,
): View {
  const { theme, texts, locale, marked, imageWidths } = viewContext
  const titleDirection = directionOf(block.title)
  const direction = directionOf(textLinesOf(block.body))
  const hasHeading = !startsWithTitle(block.title, textBody(block))
  const quote = isQuote(block)
  const date =
    block.block_type === 'event_announcement' ? monthAndDay(block.event_date, locale) : null
  const initials = initialsOf(
    block.block_type === 'ceo_update' ? (block.author ?? '') : block.title,
  )
  const look = {
    accent: theme.accent,
    widthPx: theme.textWidthPx,
    imageWidths,
    headingLevel: hasHeading ? 4 : 3,
  }
  return {
    number: number.at,
    heading: hasHeading,
    prefix: theme.numbered && number.listed ? { html: `${number.at}.&nbsp;` } : '',
    block_title: block.title,
    title_direction: titleDirection,
    title_start: sideOf(titleDirection),
    body: { html: withMark(emailBody(block, look, direction), marked ? block.mark : null) },
    body_direction: direction,
    body_start: sideOf(direction),
    initials,
    // The initials are shown when images are blocked; screen readers read the alternative text.
    portrait_text: initials || block.title,
    portrait_label: block.image_alt || block.title,
    is_quote: quote,
    is_event: date !== null,
    is_story: !quote && date === null,
    event_month: date?.month ?? '',
    event_day: date?.day ?? '',
    ...imageView(block),
    ...bylineView(block, hasButton(block, theme), texts),
  }
}

function imageView(block: RenderableBlock): View {
  const image = isShowable(block.image_url) ? block.image_url : null
  const size = block.image_size ?? 'full_width'
  const shown = (wanted: ImageSize) => image !== null && size === wanted
  const focus = { x: block.image_focal_x ?? null, y: block.image_focal_y ?? null }
  return {
    image,
    square_image: image && croppedAddress(image, 'square', focus),
    no_image: image === null,
    image_text: block.image_alt ?? block.title,
    image_small: shown('small'),
    image_medium: shown('medium'),
    image_full: shown('full_width'),
    image_not_full: !shown('full_width'),
    // The part of the row beside a small image, in percent.
    text_width: shown('small') ? 68 : 100,
  }
}

/**
 * True when the link of a block is a button. More than a few buttons would compete with the
 * headings, so only polls and, in a layout with buttons, stories with a wide image have one.
 */
const hasButton = (block: RenderableBlock, theme: Theme): boolean =>
  block.block_type === 'poll' ||
  (theme.buttons && isShowable(block.image_url) && block.image_size !== 'small')

function bylineView(block: RenderableBlock, button: boolean, texts: NewsletterTexts): View {
  const source = isWeb(block.source_url) ? block.source_url : null
  const author = block.author || null
  const signature = author !== null && block.block_type === 'ceo_update'
  const link = source !== null && !button
  return {
    author,
    source_url: source,
    link_label: block.block_type === 'poll' ? texts.vote : texts.readMore,
    signature,
    author_shown: author !== null && !signature,
    source_link: link,
    source_button: source !== null && button,
    byline: (author !== null && !signature) || link,
    author_and_source: author !== null && !signature && link,
  }
}

/** True for an address that a link may have. */
export function isWeb(address: string | null | undefined): address is string {
  return /^https?:$/.test(URL.parse(address ?? '')?.protocol ?? '')
}
