import { createHash } from 'node:crypto'
import github from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' }
import slack from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' }
import discord from 'emojibase-data/en/shortcodes/joypixels.json' with { type: 'json' }
import * as v from 'valibot'
import { maxBodyBytes, maxTitleCharacters } from '../../../src/contract/text.ts'

/** Text of a provider that can be stored: PostgreSQL stores neither NUL nor lone surrogates. */
export const providerText = v.pipe(
  v.string(),
  v.transform((text) => text.toWellFormed().replaceAll('\0', '')),
)

// Every form of whitespace in Unicode, including line breaks.
const spaces = /[\s\u0085]+/g
// Control characters, and the marks that change the direction of the rest of an email subject.
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * `text` as one plain line of at most `max` characters (Unicode code points), as ingest accepts
 * titles and authors. Empty when no character is visible.
 */
export function oneLine(text: string, max = maxTitleCharacters): string {
  const line = text
    .toWellFormed()
    .replace(spaces, ' ')
    .replace(unprintable, '')
    .normalize('NFC')
    .trim()
  return truncateLine(line, max)
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
export function piecesUtf16(max: number, text: string): string[] {
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

/** Text of several lines in NFC, without control characters other than line breaks and tabs. */
export const normalizeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .normalize('NFC')
    .trim()

/** The maximum length of a title that is made from a longer text. */
const derivedTitleCharacters = 80

/** The first line of a text with a visible character, shortened when it is long. */
export function firstLineTitle(text: string): string {
  const lines = normalizeText(text).split('\n')
  const first = lines.find((line) => oneLine(line) !== '') ?? ''
  return oneLine(first, derivedTitleCharacters)
}

/** Whether the library accepts a text of this size. */
export const fitsBody = (text: string): boolean => Buffer.byteLength(text) <= maxBodyBytes

/**
 * `address` if it is https on the same host as `site`, and otherwise `undefined`, so that a payload
 * cannot link to another site.
 */
export function linkOnHostOf(site: string, address: string): string | undefined {
  const url = URL.parse(address)
  const sound =
    url?.protocol === 'https:' &&
    url.origin === URL.parse(site)?.origin &&
    url.username + url.password === '' &&
    url.href.length <= 2048
  return sound ? url.href : undefined
}

/**
 * A name as part of a content key: the name itself if it is short and plain, and otherwise its
 * digest.
 */
export const keyPart = (name: string): string =>
  /^[\w.+/-]{1,150}$/.test(name) ? name : createHash('sha256').update(name).digest('hex')

/** A short id for a value that must not be stored. */
export const shortHash = (value: string): string =>
  createHash('sha256').update(value).digest('hex').slice(0, 32)

const characterOf = (codePoints: string): string => {
  const character = String.fromCodePoint(
    ...codePoints.split('-').map((codePoint) => Number.parseInt(codePoint, 16)),
  )
  // A symbol such as ⚠ is a text character unless a variation selector follows it.
  return /^[^\p{Emoji_Presentation}]$/u.test(character) ? `${character}\ufe0f` : character
}

// Slack's names come last, so that they are used where the sets differ.
const characters: ReadonlyMap<string, string> = new Map(
  [github, discord, slack].flatMap((set) =>
    Object.entries(set).flatMap(([codePoints, names]) =>
      [names].flat().map((name): [string, string] => [name, characterOf(codePoints)]),
    ),
  ),
)

// Codes are separate words: `10:30:45` and `std::vec::Vec` contain none.
const separateCodes = /([^\S\n]?)(?<![\p{L}\p{N}:])((?::[a-z0-9_+'-]{1,60}:)+)(?![\p{L}\p{N}:])/giu
const code = /:([a-z0-9_+'-]{1,60}):/gi

/**
 * Replaces emoji codes such as `:tada:` with the emoji. Codes that Slack, GitHub and Discord do not
 * know, such as a workspace's own emoji, are removed with the space before them.
 */
export function replaceEmojiCodes(text: string): string {
  if (!text.includes(':')) return text
  return text
    .replace(separateCodes, replaceCodes)
    .replace(/:([a-z][a-z_]{2,59}):/g, (whole, name: string) => characters.get(name) ?? whole)
}

function replaceCodes(whole: string, space: string, codes: string): string {
  // A number between colons, such as the middle of a ratio, is not an emoji.
  if (/^:\d+:$/.test(codes) && !characters.has(codes.slice(1, -1))) return whole
  const emoji = codes.replace(code, (_, name: string) => characters.get(name.toLowerCase()) ?? '')
  return emoji === '' ? '' : space + emoji
}
