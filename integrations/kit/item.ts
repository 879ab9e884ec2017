import type { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import type { BlockType } from '../../src/contract/vocabulary.ts'
import { replaceEmojiCodes } from './text/emoji-codes.ts'
import { oneLine, truncateLine, truncateUtf16 } from './text/fit-length.ts'
import { htmlToText, withoutLinkTo } from './text/html.ts'
import { fitsBody } from './text/plain-text.ts'
import { ticketNumber } from './text/ticket-number.ts'

interface ItemInput {
  /** Plain text. */
  title: string
  /** HTML. When it is empty, the block contains its title only. */
  body: string
  blockType: BlockType
  /** The content key, which identifies what the item is about, so that it becomes one block. */
  externalId: string
  /**
   * The link to the original. Templates print it as "Read more", so the body does not repeat it.
   */
  url: string | undefined
  /** The public name of the author. */
  author?: string | undefined
}

/** An item as ingest accepts it: a headline, a body that is never empty, and one link. */
export function buildItem({
  title,
  body,
  blockType,
  externalId,
  url,
  author,
}: ItemInput): IngestPayload {
  const name = headline(title)
  const own = withoutLinkTo(withoutTitle(body, name), url)
  const words = own !== '' && fitsBody(own) ? own : paragraph(name)
  return {
    title: name,
    body: words,
    block_type: blockType,
    external_id: externalId,
    source_url: url,
    author: oneLine(author ?? '') || undefined,
  }
}

const firstLine = /^\s*<(h[1-6]|p)\b[^<>]*>([^<]{1,200})<\/\1>\s*/

/** A body without a heading, or a first paragraph before others, that repeats the title. */
export function withoutTitle(body: string, title: string): string {
  const [start = '', tag = '', line = ''] = firstLine.exec(body) ?? []
  const repeats = start !== '' && comparableWords(htmlToText(line)) === comparableWords(title)
  const rest = body.slice(start.length)
  return repeats && (tag !== 'p' || htmlToText(rest).trim() !== '') ? rest : body
}

/** The words of a line, for comparing two lines. */
export const comparableWords = (line: string): string =>
  line
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Plain text as a paragraph. */
export const paragraph = (text: string): string => `<p>${Bun.escapeHTML(text)}</p>`

/** A title is at most this long, in characters (Unicode code points). */
const maxHeadlineCharacters = 80
/** No title needs more characters, and some expressions below are slow on long lines. */
const maxSourceCharacters = 2_000

// Labels such as `[BE]` or `[API][v2]`, which only the team itself understands.
const leadingLabels = /^(?:\[[^[\]]{1,30}\]\s*)+/u
// `**bold**`, `__bold__`, `~~struck~~` and code, where a title is not read as Markdown.
const marks = /(\*\*|__|~~|`)(?=\S)([^*_~`]+)(?<=\S)\1/g
// `[label](https://…)`, where a title is not read as Markdown.
const markdownLink = /\[([^[\]]{1,200})\]\((?:https?:\/\/|www\.)[^\s()]{0,500}\)/giu
const linkRest = /(?:https?:\/\/|www\.)\S+/giu

/** A title for a newsletter: one plain line without markup, labels and addresses. */
export function headline(text: string): string {
  const line = normalizeSpaces(replaceEmojiCodes(truncateUtf16(maxSourceCharacters, text)))
    .replace(marks, '$2')
    .replace(markdownLink, '$1')
    .replace(labelBeforeAddress, '$1')
    .replace(numberedRun, (run, word: string, _, line: string) => (run === line ? run : word))
    .replace(referenceAtEnd, '')
  const words = withoutAddresses(line)
    .replace(leadingLabels, '')
    .replace(/\(\s*\)|\[\s*\]/g, '')
  return shortenTitle(withoutLooseEnds(normalizeSpaces(words)))
}

// `Deploy #4521 of the shop`: readers do not know the numbers. An issue can also be one of a magazine: `Issue #42`.
const numberedRun =
  /\b(deploy(?:ment)?|build|pipeline|job|run|PR|MR|pull request|merge request|(?<=\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|see|from|via)\s)issue|ticket)\s[#!]\d{1,7}\b/gi
// `… See ABC-12 and the wiki`
const referenceAtEnd = new RegExp(
  String.raw`(?<=[.!?;,(–—-])\s*\bsee\s(?:also\s)?${ticketNumber}.*$`,
  'i',
)

const linkLabel = String.raw`([.!?])\s+(?:details|more(?: information)?|info|link|see|read more|mehr|siehe|hier)\s*:?\s*`
const labelBeforeAddress = new RegExp(String.raw`${linkLabel}(?=https?:\/\/\S+$)`, 'iu')
const labelAtEnd = new RegExp(`${linkLabel}$`, 'iu')

/** A line without the label of the link behind it: `We passed the audit! Details:`. */
export const withoutLinkLabel = (line: string): string => line.replace(labelAtEnd, '$1')

/** A line without addresses, and without the spaces before the marks that follow them. */
const withoutAddresses = (line: string): string => {
  const words = line.replace(linkRest, '')
  return words === line ? line : words.replace(/\s+([;:!?])/g, '$1')
}

/**
 * Removes the separators that remain after the addresses of a line were removed, and the full stop
 * of a single sentence.
 */
function withoutLooseEnds(line: string): string {
  // A mark before a letter begins a word: `.NET`.
  const text = line.replace(/\s+([,.])(?![\p{L}\p{N}])/gu, '$1').replace(/[\s:,;|–—-]+$/u, '')
  return /[.!?].*\.$/u.test(text) || /\.\.$|\b\p{L}\.$/u.test(text) ? text : text.replace(/\.$/, '')
}

const ticket = String.raw`(?:${ticketNumber}|GH-\d+|(?:AB)?#\d{1,7}|!\d{1,7})`
const bracketedTickets = new RegExp(
  String.raw`[([]\s*${ticket}(?:\s*[,;]\s*${ticket})*\s*[)\]]`,
  'g',
)
// A bare `UTF-8` at the start is a word; a ticket number is followed by a colon or a dash, or by a label.
const leadingTicket = new RegExp(
  String.raw`^\s*(?:${ticket}(?:\s*[:–—-]\s+|\s+(?=\[))|AB#\d{1,7}\s+)`,
)

// What trackers write before the words of an issue: `[FE]`, `(3pt)`, `Bug -`, `feat(login): `.
const ticketPrefixes = [
  leadingLabels,
  leadingTicket,
  /^\(\d{1,3}\s*(?:pts?|points?|sp|h|d)\)\s*/i,
  /^(?:bug|feature|story|user story|task|spike|chore|epic|improvement|sub-?task)\s*(?::|\s[–—-])\s+/i,
]
const conventionalPrefix =
  /^(?:feat|feature|fix|bugfix|perf|refactor|chore|docs?|tests?|build|ci)(?:\(([^()]{1,40})\))?!?:\s+/i
const everybody = /(?<!\w)@(?:all|channel|everyone|here)\b/gi

/** In any order, such as `[Spike] (3pt) ABC-12:`; no line has more than a few of them. */
function withoutPrefixes(line: string): string {
  const prefixes = [...ticketPrefixes, ...ticketPrefixes, ...ticketPrefixes]
  const rest = prefixes.reduce((text, prefix) => text.replace(prefix, ''), line)
  return rest.replace(conventionalPrefix, (_, scope?: string) =>
    scope === undefined ? '' : `${capitalize(scope)}: `,
  )
}

/**
 * Removes what only the users of a tracker understand: ticket numbers such as `APOLLO-12:`, `[ABC-1]` and
 * `(#45)`, labels, estimates and types. `key` is the number of this issue, which is removed everywhere.
 */
export function withoutTicketJargon(text: string, key?: string): string {
  const own = key === undefined ? text : text.replaceAll(key, '')
  // The expressions for spaces before a number would read a long run of them once for each space.
  const bare = normalizeSpaces(own)
    .replace(bracketedTickets, '')
    .replace(/\(\s*\)|\[\s*\]/g, '')
    .replace(everybody, '')
    .replace(/\s{2,}/g, ' ')
  const words = normalizeSpaces(
    bare
      .replace(/\s+[#!]\d{2,7}$/, '')
      .replace(/(?: ?\[[A-Z0-9.]{1,4}\]){1,5}$/, '')
      .replace(/\s\(\d{1,3}\s?(?:pts?|points?|sp|h|d)\)$/i, '')
      .replace(/^[✅☑✔🟢🟡🔴]\ufe0f?\s*/u, '')
      .trim(),
  )
  const rest = withoutPrefixes(words.replace(/^[:–—-]\s*/, '')).replace(/^[:–—-]\s+/, '')
  return rest || words
}

/**
 * The line with its first letter in upper case, unless its first word has its own spelling, such as
 * `iOS`.
 */
export const capitalize = (line: string): string =>
  /^["“„«'‘(]?\p{Ll}[\p{Ll}'’-]*(?!\\?[\p{L}\p{N}._/@]|:\/\/)/u.test(line)
    ? line.replace(/\p{Ll}/u, (letter) => letter.toUpperCase())
    : line

const normalizeSpaces = (text: string) => oneLine(text, Number.POSITIVE_INFINITY)

/** At most 80 characters, cut at a word boundary where one is near. */
function shortenTitle(line: string): string {
  const short = truncateLine(line, maxHeadlineCharacters)
  return short === line ? line : short.replace(/[\s,;:–—-]+…$/u, '…')
}

/**
 * An account name as a person's name if it consists of names: `ines-a` becomes `Ines A.` and
 * `mira.solano` becomes `Mira Solano`. Other account names stay as they are.
 */
export function nameFromLogin(login: string): string {
  const parts = login.split(/[-._]/)
  if (!parts.every((part) => /^\p{L}+$/u.test(part)) || parts.length > 3) return login
  if (parts.length === 1) return login
  return parts
    .map((part) => part.charAt(0).toUpperCase() + (part.length === 1 ? '.' : part.slice(1)))
    .join(' ')
}
