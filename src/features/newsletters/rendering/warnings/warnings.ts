import { type Now, systemClock, utcMinute } from '../../../../lib/clock.ts'
import {
  type Reference,
  referencesOf,
  sanitizeHtml,
  textLinesOf,
} from '../../../../lib/html/sanitize-html.ts'
import { newsletterMarks } from '../composer-marks.ts'
import { isShowable } from '../email-body.ts'
import type { RenderedNewsletter } from '../render.ts'
import type { RenderableBlock, RenderableElement, RenderableNewsletter } from '../renderable.ts'
import { linkWarnings, quoted, textLinks } from './link-warnings.ts'

export interface PreviewWarning {
  code:
    | 'too_long_for_gmail'
    | 'missing_subject'
    | 'draft_block'
    | 'embargoed_block'
    | 'image_not_shown'
    | 'image_without_text'
    | 'broken_link'
    | 'misleading_link'
    | 'tracking_image'
  /** A sentence for the people who write the newsletter. */
  message: string
  /** What it refers to: a field, the mark of a block, or null for the whole newsletter. */
  target: string | null
}

type Finding = Omit<PreviewWarning, 'target'>

/** Gmail shows no more of an email's HTML than this and hides the rest behind a link. */
const gmailBytes = 102 * 1024

/**
 * Likely problems of this newsletter when it is sent: first those of the whole newsletter, then those of its texts,
 * blocks and elements.
 */
export function previewWarnings(
  newsletter: RenderableNewsletter,
  rendered: Pick<RenderedNewsletter, 'bytes'>,
  now: Now = systemClock,
): PreviewWarning[] {
  const { intro, closing, blocks, elements = [] } = newsletter
  const at = now()
  return [
    ...wholeWarnings(newsletter, rendered),
    ...aimedAt(newsletterMarks.title, coverWarnings(newsletter.cover)),
    ...aimedAt(newsletterMarks.intro, proseWarnings('in the introduction', intro)),
    ...blocks.flatMap((block) => aimedAt(block.mark, blockWarnings(block, at))),
    ...elements.flatMap((element) => aimedAt(element.mark, elementWarnings(element))),
    ...aimedAt(newsletterMarks.closing, proseWarnings('in the closing text', closing)),
  ]
}

const aimedAt = (target: string | undefined, findings: readonly Finding[]): PreviewWarning[] =>
  findings.map((found) => ({ ...found, target: target ?? null }))

function wholeWarnings(
  { subject_line }: RenderableNewsletter,
  { bytes }: Pick<RenderedNewsletter, 'bytes'>,
): PreviewWarning[] {
  const warnings: PreviewWarning[] = []
  if (!subject_line?.trim()) {
    const message = 'The subject line is missing.'
    warnings.push({ code: 'missing_subject', message, target: 'subject_line' })
  }
  if (bytes > gmailBytes) {
    const size = Math.ceil(bytes / 1024)
    const message = `The email has ${size} KB. Gmail cuts off what is beyond 102 KB; remove or shorten a block.`
    warnings.push({ code: 'too_long_for_gmail', message, target: null })
  }
  return warnings
}

function coverWarnings(cover: RenderableNewsletter['cover']): Finding[] {
  if (!cover?.image_url) return []
  const warnings: Finding[] = []
  if (!isShowable(cover.image_url)) {
    const message = 'The cover image is left out: its address must start with https://.'
    warnings.push({ code: 'image_not_shown', message })
  }
  if (cover.image_alt === null) {
    const message =
      'The cover image has no alternative text; readers without images see the title instead.'
    warnings.push({ code: 'image_without_text', message })
  }
  return warnings
}

/** The warnings about a text of the newsletter itself, in HTML. */
function proseWarnings(part: string, html: string | null | undefined): Finding[] {
  if (!html) return []
  const references = referencesOf(html)
  const shown = { part, html, references, withoutImages: 'do not learn what it shows' }
  return [...imageWarnings(shown), ...linkWarnings(part, references)]
}

function elementWarnings(element: RenderableElement): Finding[] {
  if (element.type === 'callout') {
    const { heading, body } = element
    return proseWarnings(heading ? `in the callout ${quoted(heading)}` : 'in a callout', body)
  }
  if (element.type !== 'poll') return []
  const links = element.options.map(
    ({ label, url }) => ({ kind: 'link', address: url, text: label }) as const,
  )
  return linkWarnings(`in the poll ${quoted(element.heading)}`, links)
}

function blockWarnings(block: RenderableBlock, now: Date): Finding[] {
  const name = quoted(block.title)
  const warnings: Finding[] = []
  if (block.status === 'draft') {
    warnings.push({ code: 'draft_block', message: `${name} is still a draft.` })
  }
  if (block.publish_after && new Date(block.publish_after) > now) {
    const until = utcMinute(new Date(block.publish_after))
    const message = `${name} must not be published before ${until}.`
    warnings.push({ code: 'embargoed_block', message })
  }
  const html = block.body_format === 'html' ? block.body : ''
  const references = block.body_format === 'html' ? referencesOf(html) : textLinks(block.body)
  if (block.source_url) {
    references.push({ kind: 'link', address: block.source_url, text: 'Read more' })
  }
  if (block.image_url) {
    const text = block.image_alt === undefined ? '' : block.image_alt
    references.push({ kind: 'picture', address: block.image_url, text })
  }
  const part = `in ${name}`
  warnings.push(
    ...imageWarnings({ part, html, references, withoutImages: 'see the title instead' }),
  )
  const wordless = block.body_format === 'html' && textLinesOf(sanitizeHtml(html)).trim() === ''
  if (wordless && references.some(({ kind }) => kind === 'picture')) {
    const message = `${name} contains nothing but an image; readers without images see only its title.`
    warnings.push({ code: 'image_without_text', message })
  }
  return [...warnings, ...linkWarnings(part, references)]
}

/** An image whose width or height is 0 or 1. */
const tinyImage = /<img\b[^>]{0,4000}\s(?:width|height)=["']?0*[01](?:px)?["'\s/>]/i

/** What one part of a newsletter shows. */
interface ShownImages {
  /** The part in a sentence: `in “Tea”`. */
  part: string
  /** Its text; empty for plain text. */
  html: string
  references: readonly Reference[]
  /** What readers without images do, as the end of a sentence. */
  withoutImages: string
}

function imageWarnings({ part, html, references, withoutImages }: ShownImages): Finding[] {
  const warnings: Finding[] = []
  const pictures = references.filter(({ kind }) => kind === 'picture')
  if (pictures.some(({ address }) => !isShowable(address))) {
    const message = `An image ${part} is left out: its address must start with https://.`
    warnings.push({ code: 'image_not_shown', message })
  }
  if (tinyImage.test(html)) {
    const message = `An image ${part} is one pixel in size: it can report who opens the newsletter.`
    warnings.push({ code: 'tracking_image', message })
  }
  if (pictures.some(({ text }) => text === null)) {
    const message = `An image ${part} has no alternative text; readers without images ${withoutImages}.`
    warnings.push({ code: 'image_without_text', message })
  }
  return warnings
}
