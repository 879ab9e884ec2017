import type { ImageSize } from '../../../contract/vocabulary.ts'
import { isBrief } from '../../../lib/brief.ts'
import { contrast, isColor, readableColorOn, textColorOn } from '../../../lib/color.ts'
import type { View } from '../../../lib/mjml.ts'
import { htmlToText } from '../../../lib/sanitize-html.ts'
import { type Direction, directionOf, emailBody, isShowable, textBody } from './body.ts'
import type { RenderableBlock, RenderableNewsletter, Section } from './sections.ts'

const defaultBrand = '#5b5bd6'
// The darkest of the light backgrounds and the lightest of the dark ones: what is readable on these is
// readable on the others.
const lightBackground = '#f1f2f5'
const darkBackground = '#24272d'
const columnWidthPx = 520

/** What an issue gives to a layout: `lib/mjml.ts` escapes all of it but the bodies, which are cleaned. */
export function viewOf(issue: RenderableNewsletter, sections: readonly Section[]): View {
  const { brand_color } = issue.team
  const brand = brand_color !== null && isColor(brand_color) ? brand_color : defaultBrand
  const accent = readableColorOn(brand, lightBackground)
  const locale = localeOf(issue.lang)
  const direction = pageDirection(locale)
  let number = 0
  return {
    lang: locale.toString(),
    direction,
    start: sideOf(direction),
    end: direction === 'ltr' ? 'right' : 'left',
    brand,
    ...headerColor(brand),
    accent,
    accent_dark: readableColorOn(brand, darkBackground),
    subject: issue.subject_line || issue.title,
    preheader: issue.preheader_text,
    // Keeps mail clients from filling the preview line up with what follows.
    filler: { html: '&#847;&zwnj;&nbsp;'.repeat(80) },
    team: issue.team.name,
    title: issue.title,
    title_direction: directionOf(issue.title),
    title_start: sideOf(directionOf(issue.title)),
    date: dateOf(issue.date, locale),
    sections: sections.map(({ title, blocks }, at) => ({
      section: title,
      later_section: at > 0,
      blocks: blocks.map((block, at) => blockView(block, ++number, at === 0, accent)),
    })),
  }
}

/** A ground of the brand colour and the text on it: white wherever a little more depth allows. */
function headerColor(brand: string): { band: string; on_band: string } {
  const band = contrast('#ffffff', brand) >= 3 ? readableColorOn(brand, '#ffffff') : brand
  return { band, on_band: textColorOn(band) }
}

function blockView(block: RenderableBlock, number: number, first: boolean, accent: string): View {
  const titleDirection = directionOf(block.title)
  const brief = isBrief(block.title, textBody(block))
  const direction = directionOf(htmlToText(block.body))
  const image = isShowable(block.image_url) ? block.image_url : null
  const size = block.image_size ?? 'full_width'
  const shown = (wanted: ImageSize) => image !== null && size === wanted
  const source = isWeb(block.source_url) ? block.source_url : null
  const author = block.author || null
  return {
    number,
    first,
    later: !first,
    rule_px: first ? 0 : 1,
    space_px: first ? 0 : 12,
    block_title: block.title,
    heading: !brief,
    brief,
    title_direction: titleDirection,
    title_start: sideOf(titleDirection),
    body: { html: emailBody(block, { accent, widthPx: columnWidthPx }, direction) },
    body_direction: direction,
    body_start: sideOf(direction),
    image,
    image_text: block.image_alt || block.title,
    image_small: shown('small'),
    image_medium: shown('medium'),
    image_full: shown('full_width'),
    image_not_full: !shown('full_width'),
    // Of the row, in percent: what a small picture leaves.
    text_width: shown('small') ? 68 : 100,
    author,
    source_url: source,
    byline: author !== null || source !== null,
    author_and_source: author !== null && source !== null,
  }
}

const sideOf = (direction: Direction) => (direction === 'ltr' ? 'left' : 'right')

/** True for an address a link may lead to. */
export function isWeb(address: string | null | undefined): address is string {
  return /^https?:$/.test(URL.parse(address ?? '')?.protocol ?? '')
}

/** The locale of a language tag; English for none or a wrong one. */
export function localeOf(lang = 'en'): Intl.Locale {
  try {
    return new Intl.Locale(lang)
  } catch {
    return new Intl.Locale('en')
  }
}

const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm'])

function pageDirection(locale: Intl.Locale): Direction {
  return rightToLeft.has(locale.maximize().script ?? '') ? 'rtl' : 'ltr'
}

/** A `YYYY-MM-DD` written out; null for none or a wrong one. */
export function dateOf(date: string | null | undefined, locale: Intl.Locale): string | null {
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) return null
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(day)
}
