import { maxTitleCharacters, toNfc } from '../../../src/contract/text.ts'

// Every form of whitespace in Unicode, including line breaks.
const spaces = /[\s\u0085]+/g
// Control characters, and the marks that change the direction of the rest of an email subject.
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * `text` as one plain line of at most `max` characters (Unicode code points), as ingest accepts
 * titles and authors. Empty when no character is visible.
 */
export function oneLine(text: string, max = maxTitleCharacters): string {
  const line = text.toWellFormed().replace(spaces, ' ').replace(unprintable, '')
  return truncateLine(toNfc(line).trim(), max)
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * At most `max` characters (Unicode code points) of a line. It is cut between words when a word
 * ends in the second half, and otherwise between graphemes, so that no emoji or accented letter is
 * split.
 */
export function truncateLine(line: string, max: number): string {
  if ([...line].length <= max) return line
  let kept = ''
  let left = max - 1
  for (const { segment } of graphemes.segment(line)) {
    left -= [...segment].length
    if (left < 0) break
    kept += segment
  }
  // One grapheme can be longer than any limit, such as a letter under hundreds of accents.
  if (kept === '') return `${[...line].slice(0, max - 1).join('')}…`
  const space = line.charAt(kept.length) === ' ' ? -1 : kept.lastIndexOf(' ')
  return `${space > kept.length / 2 ? kept.slice(0, space) : kept.trimEnd()}…`
}

/**
 * At most `max` UTF-16 units, as chats count in their forms, without half a character at the end.
 */
export const truncateUtf16 = (max: number, text: string): string =>
  text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** One line of at most `max` UTF-16 units, cut as {@link truncateLine} does. */
export function truncateLineUtf16(max: number, text: string): string {
  let line = oneLine(text, max)
  // A character outside the basic plane, such as an emoji, is two units.
  while (line.length > max) line = truncateLine(line, [...line].length - (line.length - max))
  return line
}

/**
 * At most `max` UTF-16 units of a text, which ends with `…` when it was cut: between words or graphemes, as
 * {@link truncateLine} does. Empty when not even a character has room.
 */
export const shortenUtf16 = (max: number, text: string): string =>
  text.length <= max ? text : max < 2 ? '' : `${startOf(max - 1, text).trimEnd()}…`

/** A text in pieces of at most `max` UTF-16 units, none of which splits a word or an emoji that has room in one. */
export function splitUtf16(max: number, text: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const piece = startOf(max, text.slice(start, start + max + longestGrapheme))
    pieces.push(piece)
    start += piece.length
  }
  return pieces
}

/** Longer graphemes are letters under very many accents. */
const longestGrapheme = 64

/** The longest start of a text with at most `max` UTF-16 units that ends with a word, or else with a grapheme. */
function startOf(max: number, text: string): string {
  if (text.length <= max) return text
  const words = /^.*\s/s.exec(text.slice(0, max + 1))?.[0] ?? ''
  if (words.trimEnd().length > max / 2) return words.slice(0, max)
  let kept = ''
  for (const { segment } of graphemes.segment(text.slice(0, max + longestGrapheme))) {
    if (kept.length + segment.length > max) break
    kept += segment
  }
  return kept || truncateUtf16(max, text)
}
