import { maxBodyBytes } from '../../src/contract/text.ts'

/** Text as Slack writes it, taken apart: what it says, and the people it names by id. */
export type Piece = string | { person: string; label?: string }

/** A title made from a longer text is at most this long. */
const derivedTitleCharacters = 80

// <@U…|label>, <#C…|label>, <!here>, <https://…|label>. Any other angle bracket is plain text.
const special = /<(?:([@#!])([^<>|\s]+)|((?:https?|mailto|tel):[^<>|\s]+))(?:\|([^<>]*))?>/g

/**
 * Takes Slack's markup apart: links become `text (address)`, channels `#name`, and calls such as
 * `<!channel>` a harmless word, so that nothing in it can name an id or wake anyone.
 * Source: https://docs.slack.dev/messaging/formatting-message-text
 */
export function takeApart(raw: string): Piece[] {
  // A second pass after decoding: what someone wrote as `&lt;@U1&gt;` must not bring an id either.
  return pass(raw).flatMap((piece) => (typeof piece === 'string' ? pass(decode(piece)) : [piece]))
}

function pass(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(special)) {
    pieces.push(text.slice(end, match.index), meaning(match))
    end = match.index + match[0].length
  }
  pieces.push(text.slice(end))
  return pieces.filter((piece) => piece !== '')
}

function meaning([whole, sigil, name = '', address, rawLabel]: RegExpMatchArray): Piece {
  const label = oneLine(rawLabel ?? '')
  if (address !== undefined) return link(address, label)
  if (sigil === '@') return person(whole, name, label)
  if (sigil === '#') return label ? `#${label}` : 'a channel'
  const [call = ''] = name.split('^')
  if (['channel', 'here', 'everyone'].includes(call)) return call
  return label.replace(/^@/, '') || 'a group'
}

function person(whole: string, id: string, label: string): Piece {
  if (!/^[UW][A-Z0-9]+$/.test(id)) return whole
  return label ? { person: id, label } : { person: id }
}

function link(address: string, label: string): string {
  const plain = address.replace(/^(?:mailto|tel):/, '')
  return label && label !== address && label !== plain ? `${label} (${plain})` : plain
}

const decode = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Escapes text for Slack's mrkdwn, so that nothing in it is a link or a call. */
export const escapeForSlack = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Text the library can keep: NFC, whole characters, no control characters but line breaks and tabs. */
export const tidy = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .normalize('NFC')
    .trim()

// Marks that turn the direction of all that follows, a mail subject included.
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g

/** Text on one line, its spaces collapsed. */
export const oneLine = (text: string) =>
  tidy(text).replace(directionMarks, '').replace(/\s+/g, ' ').trim()

/** The first line of a text that says something, cut on a word boundary when it is long. */
export function titleOf(text: string): string {
  const lines = tidy(text).split('\n')
  const first = lines.find((line) => oneLine(line) !== '') ?? ''
  return cut(oneLine(first), derivedTitleCharacters)
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** At most `max` code points, cut between words when one ends in the second half. */
export function cut(text: string, max: number): string {
  if ([...text].length <= max) return text
  let kept = ''
  let left = max - 1
  for (const { segment } of graphemes.segment(text)) {
    left -= [...segment].length
    if (left < 0) break
    kept += segment
  }
  // One grapheme may be longer than any limit (a letter under hundreds of accents).
  if (kept === '') return `${[...text].slice(0, max - 1).join('')}…`
  const space = kept.lastIndexOf(' ')
  return `${space > kept.length / 2 ? kept.slice(0, space) : kept.trimEnd()}…`
}

/**
 * The body to post: the text as it is, or, when ingest could take it for HTML, the HTML that shows
 * that very text. Cut to what ingest takes.
 */
export function ingestBody(text: string): string {
  const whole = asBody(text)
  if (fits(whole)) return whole
  const characters = [...text]
  const upTo = (count: number) => asBody(`${characters.slice(0, count).join('')}…`)
  let [low, high] = [0, characters.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(upTo(middle))) low = middle
    else high = middle - 1
  }
  return upTo(low)
}

/** Whether the library takes a text of this size. */
export const fits = (text: string) => Buffer.byteLength(text) <= maxBodyBytes

const asBody = (text: string) =>
  /<[a-z!/?]/i.test(text) ? `<p>${Bun.escapeHTML(text).replaceAll('\n', '<br>')}</p>` : text
