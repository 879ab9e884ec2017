import { type Now, systemClock, utcMinute } from '../../../lib/clock.ts'
import {
  htmlToText,
  type Reference,
  referencesOf,
  sanitizeHtml,
} from '../../../lib/html/sanitize-html.ts'
import { newsletterMarks } from './composer-marks.ts'
import { isShowable } from './email-body.ts'
import type { RenderedNewsletter } from './render.ts'
import type { RenderableBlock, RenderableNewsletter } from './renderable.ts'

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
 * Likely problems of this newsletter when it is sent: first those of the whole newsletter, then those of each
 * block.
 */
export function previewWarnings(
  newsletter: RenderableNewsletter,
  rendered: Pick<RenderedNewsletter, 'bytes'>,
  now: Now = systemClock,
): PreviewWarning[] {
  const warnings: PreviewWarning[] = []
  if (!newsletter.subject_line?.trim()) {
    const message = 'The subject line is missing.'
    warnings.push({ code: 'missing_subject', message, target: 'subject_line' })
  }
  if (rendered.bytes > gmailBytes) {
    const size = Math.ceil(rendered.bytes / 1024)
    const message = `The email has ${size} KB. Gmail cuts off what is beyond 102 KB; remove or shorten a block.`
    warnings.push({ code: 'too_long_for_gmail', message, target: null })
  }
  if (newsletter.cover?.image_url && newsletter.cover.image_alt === null) {
    const message =
      'The cover image has no alternative text; readers without images see the title instead.'
    warnings.push({ code: 'image_without_text', message, target: newsletterMarks.title })
  }
  const ofBlock = (block: RenderableBlock): PreviewWarning[] => {
    const target = block.mark ?? null
    return blockWarnings(block, now()).map((found) => ({ ...found, target }))
  }
  return [...warnings, ...newsletter.blocks.flatMap(ofBlock)]
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
  const references = block.body_format === 'html' ? referencesOf(block.body) : textLinks(block.body)
  if (block.source_url) {
    references.push({ kind: 'link', address: block.source_url, text: 'Read more' })
  }
  return [...warnings, ...imageWarnings(block, name, references), ...linkWarnings(name, references)]
}

/** An image whose width or height is 0 or 1. */
const tinyImage = /<img\b[^>]{0,4000}\s(?:width|height)=["']?0*[01](?:px)?["'\s/>]/i

function imageWarnings(
  block: RenderableBlock,
  name: string,
  references: readonly Reference[],
): Finding[] {
  const warnings: Finding[] = []
  const pictures = references.filter(({ kind }) => kind === 'picture')
  const addresses = pictures.map(({ address }) => address)
  if (
    [...(block.image_url ? [block.image_url] : []), ...addresses].some((url) => !isShowable(url))
  ) {
    const message = `An image in ${name} is left out: its address must start with https://.`
    warnings.push({ code: 'image_not_shown', message })
  }
  if (block.body_format === 'html' && tinyImage.test(block.body)) {
    const message = `An image in ${name} is one pixel in size: it can report who opens the newsletter.`
    warnings.push({ code: 'tracking_image', message })
  }
  if (
    pictures.some(({ text }) => text === null) ||
    (block.image_url !== null && block.image_alt === null)
  ) {
    const message = `An image in ${name} has no alternative text; readers without images see the title instead.`
    warnings.push({ code: 'image_without_text', message })
  }
  const wordless =
    block.body_format === 'html' && htmlToText(sanitizeHtml(block.body)).trim() === ''
  if (wordless && (block.image_url !== null || pictures.length > 0)) {
    const message = `${name} contains nothing but an image; readers without images see only its title.`
    warnings.push({ code: 'image_without_text', message })
  }
  return warnings
}

function linkWarnings(name: string, references: readonly Reference[]): Finding[] {
  return references.flatMap(({ kind, address, text }): Finding[] => {
    if (kind !== 'link') return []
    const link = `The link ${quoted(text ?? '')} in ${name}`
    const fault = problemOf(address)
    if (fault) return [{ code: 'broken_link', message: `${link} ${fault}.` }]
    const hidden = hiddenTargetOf(URL.parse(address ?? ''))
    if (hidden) return [{ code: 'misleading_link', message: `${link} ${hidden}.` }]
    const host = URL.parse(address ?? '')?.hostname
    return text !== null && namesAnotherHost(text, host)
      ? [{ code: 'misleading_link', message: `${link} leads to ${host}, not to where it says.` }]
      : []
  })
}

/**
 * What the address of a link hides, as the end of a sentence, or null:
 * `https://bank.test@evil.test` leads to evil.test, and a mailto link can add recipients.
 */
function hiddenTargetOf(url: URL | null): string | null {
  if (url?.protocol === 'mailto:') {
    const addsRecipients = [...url.searchParams.keys()].some((name) => /^(?:to|b?cc)$/i.test(name))
    return addsRecipients ? 'adds more recipients to the email (to, cc or bcc)' : null
  }
  if (!url?.username && !url?.password) return null
  return `has a user name before the website; it leads to ${url.hostname}`
}

/**
 * What is wrong with the format of a link's address, as the end of a sentence; null when nothing
 * is.
 */
function problemOf(address: string | null): string | null {
  if (!address || address === '#') return 'leads nowhere: it has no address'
  if (/\s/.test(address)) return 'has a space in its address'
  if (/^(?:mailto|tel):/i.test(address)) return contactFaultOf(address)
  if (!/^https?:/i.test(address)) return 'has no https:// in front of its address'
  if (!/^https?:\/\/(?!\/)/i.test(address)) return 'needs two slashes after https:'
  const host = URL.parse(address)?.hostname ?? ''
  return /^(?:|https?)$/.test(host) ? 'has no website in its address' : null
}

/** What is wrong with a `mailto:` or `tel:` address, as the end of a sentence; null when nothing is. */
function contactFaultOf(address: string): string | null {
  if (/^tel:/i.test(address)) return /\d/.test(address) ? null : 'has no phone number after tel:'
  return address.includes('@') ? null : 'has no email address after mailto:'
}

/** True when the text of a link is an address of another website than the link leads to. */
function namesAnotherHost(text: string, host: string | undefined): boolean {
  const words = text.trim()
  if (!/^(?:https?:\/\/|www\.)\S+$/i.test(words)) return false
  const named = URL.parse(/^http/i.test(words) ? words : `https://${words}`)?.hostname
  const bare = (name: string | undefined) => name?.replace(/^www\./, '')
  return named !== undefined && bare(named) !== bare(host)
}

/** Text that was meant as a link but has no format that becomes one. */
function textLinks(text: string): Reference[] {
  const attempts = text.match(/(?<![\w/.:])(?:https?:(?!\/\/[^\s/])|www\.)\S+/gi) ?? []
  return attempts.map((attempt) => ({ kind: 'link', address: attempt, text: attempt }))
}

function quoted(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...words]
  return `“${characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : words}”`
}
