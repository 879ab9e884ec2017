import type { BlockStatus, ImageSize } from '../../contract/vocabulary.ts'
import { contrast, isColour, readableOn, textColourOn } from '../../lib/colour.ts'
import { textOf } from '../../lib/html.ts'
import { type Layout, parseLayout, renderMail, type View } from '../../lib/mjml.ts'
import { type Body, type Direction, directionOf, isHttps, mailBody, textBody } from './body.ts'
import { type Base, layoutSources, type MailTemplate } from './system/index.ts'

export interface IssueBlock extends Body {
  block_type: string
  image_url: string | null
  /** Null: as wide as the column. */
  image_size: ImageSize | null
  source_url?: string | null
  author?: string | null
  status?: BlockStatus
  publish_after?: Date | string | null
}

/** What an issue says; everything in it counts as hostile. */
export interface Issue {
  title: string
  subject_line: string | null
  preheader_text: string | null
  team: { name: string; brand_color: string | null }
  /** `YYYY-MM-DD`. */
  date?: string | null
  blocks: readonly IssueBlock[]
  /** A BCP 47 tag; `en` when left out or unknown. */
  lang?: string
}

export interface RenderedIssue {
  html: string
  text: string
  /** Of `html` in UTF-8, which is what Gmail counts. */
  bytes: number
}

interface Section {
  title: string
  blocks: IssueBlock[]
}

const defaultBrand = '#5b5bd6'
// The darkest of the light backgrounds and the lightest of the dark ones: what is readable on these is
// readable on the others.
const lightGround = '#f1f2f5'
const darkGround = '#24272d'
const columnWidthPx = 520

/**
 * An issue as a mail: the HTML and the plain-text part, made from the same content. Pure: the same
 * issue gives the same mail.
 */
export function renderIssue(
  template: Pick<MailTemplate, 'base' | 'sections'>,
  issue: Issue,
): RenderedIssue {
  const sections = sectionsOf(template.sections, issue.blocks)
  const html = renderMail(layoutOf(template.base), viewOf(issue, sections))
  return { html, text: plainText(issue, sections), bytes: Buffer.byteLength(html) }
}

const layouts = new Map<Base, Layout>()

function layoutOf(base: Base): Layout {
  const layout = layouts.get(base) ?? parseLayout(layoutSources[base])
  layouts.set(base, layout)
  return layout
}

/** The blocks under the template's sections, in its order; those of no section come last. */
function sectionsOf(sections: MailTemplate['sections'], blocks: readonly IssueBlock[]): Section[] {
  const left = new Set(blocks)
  const filled = sections.map(({ title, block_types }) => {
    const own = [...left].filter(({ block_type }) =>
      block_types.some((type) => type === block_type),
    )
    for (const block of own) left.delete(block)
    return { title, blocks: own }
  })
  return [...filled, { title: 'More news', blocks: [...left] }].filter(
    ({ blocks: own }) => own.length > 0,
  )
}

function viewOf(issue: Issue, sections: readonly Section[]): View {
  const { brand_color } = issue.team
  const brand = brand_color !== null && isColour(brand_color) ? brand_color : defaultBrand
  const accent = readableOn(brand, lightGround)
  const locale = localeOf(issue.lang)
  const direction = pageDirection(locale)
  let number = 0
  return {
    lang: locale.toString(),
    direction,
    start: sideOf(direction),
    end: direction === 'ltr' ? 'right' : 'left',
    brand,
    ...bandOf(brand),
    accent,
    accent_dark: readableOn(brand, darkGround),
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
function bandOf(brand: string): { band: string; on_band: string } {
  const band = contrast('#ffffff', brand) >= 3 ? readableOn(brand, '#ffffff') : brand
  return { band, on_band: textColourOn(band) }
}

function blockView(block: IssueBlock, number: number, first: boolean, accent: string): View {
  const titleDirection = directionOf(block.title)
  const direction = directionOf(textOf(block.body))
  const image = isHttps(block.image_url) ? block.image_url : null
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
    title_direction: titleDirection,
    title_start: sideOf(titleDirection),
    body: { html: mailBody(block, { accent, widthPx: columnWidthPx }, direction) },
    body_direction: direction,
    body_start: sideOf(direction),
    image,
    image_small: shown('small'),
    image_medium: shown('medium'),
    image_full: shown('full_width'),
    image_not_full: !shown('full_width'),
    image_above: shown('medium') || shown('full_width'),
    no_image_above: !shown('medium') && !shown('full_width'),
    // Of the row, in percent: what a small picture leaves.
    text_width: shown('small') ? 68 : 100,
    author,
    source_url: source,
    byline: author !== null || source !== null,
    author_and_source: author !== null && source !== null,
  }
}

const sideOf = (direction: Direction) => (direction === 'ltr' ? 'left' : 'right')

function isWeb(address: string | null | undefined): address is string {
  return /^https?:$/.test(URL.parse(address ?? '')?.protocol ?? '')
}

function localeOf(lang = 'en'): Intl.Locale {
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

function dateOf(date: string | null | undefined, locale: Intl.Locale): string | null {
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) return null
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(day)
}

/** The plain-text part, in lines of at most 78 characters where the words allow. */
function plainText(issue: Issue, sections: readonly Section[]): string {
  const date = dateOf(issue.date, localeOf(issue.lang))
  const head = [issue.title, [issue.team.name, date].filter(Boolean).join(' · ')].join('\n')
  const parts = sections.map(({ title, blocks }) =>
    [underlined(title.toUpperCase(), '='), ...blocks.map(blockText)].join('\n\n'),
  )
  return `${[head, ...parts].join('\n\n\n')}\n\n-- \n${issue.team.name}\n`
}

function blockText(block: IssueBlock): string {
  const byline = [
    ...(block.author ? [`By ${block.author}`] : []),
    ...(isWeb(block.source_url) ? [`Read more: ${block.source_url}`] : []),
  ].join('\n')
  return [underlined(block.title, '-'), textBody(block), byline].filter(Boolean).join('\n\n')
}

const underlined = (title: string, line: string) =>
  `${title}\n${line.repeat(Math.min([...title].length, 78))}`
