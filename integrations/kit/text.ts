import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { maxBodyBytes, maxTitleCharacters } from '../../src/contract/text.ts'

/** A provider's text made fit to be stored: PostgreSQL keeps neither NUL nor lone surrogates. */
export const providerText = v.pipe(
  v.string(),
  v.transform((text) => text.toWellFormed().replaceAll('\0', '')),
)

// Whitespace in every form Unicode knows, line breaks included.
const spaces = /[\s\u0085]+/g
// Control characters, and the marks that would turn the direction of the rest of a mail subject.
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * `text` as one plain line of at most `max` characters (Unicode code points), as ingest takes titles
 * and authors. Empty when nothing of it would be seen.
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
 * At most `max` characters (Unicode code points) of a line: cut between words when one ends in the
 * second half, and between graphemes otherwise, so that no emoji or accented letter falls apart.
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
  // One grapheme may be longer than any limit (a letter under hundreds of accents).
  if (kept === '') return `${[...line].slice(0, max - 1).join('')}…`
  const space = line.charAt(kept.length) === ' ' ? -1 : kept.lastIndexOf(' ')
  return `${space > kept.length / 2 ? kept.slice(0, space) : kept.trimEnd()}…`
}

/** At most `max` UTF-16 units, as chats count in their forms, without half a character at the end. */
export const truncateUtf16 = (max: number, text: string): string =>
  text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** What people wrote, over several lines: NFC, without control characters but line breaks and tabs. */
export const normalizeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .normalize('NFC')
    .trim()

/** A title made from a longer text is at most this long. */
const derivedTitleCharacters = 80

/** The first line of a text that says something, shortened when it is long. */
export function firstLineTitle(text: string): string {
  const lines = normalizeText(text).split('\n')
  const first = lines.find((line) => oneLine(line) !== '') ?? ''
  return oneLine(first, derivedTitleCharacters)
}

/** Whether the library takes a text of this size. */
export const fitsBody = (text: string): boolean => Buffer.byteLength(text) <= maxBodyBytes

/**
 * `address` when it is https on the same host as `site`, and `undefined` otherwise, so that a
 * payload cannot send readers elsewhere.
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

/** A name as part of a content key: itself where it is short and plain, and its digest otherwise. */
export const keyPart = (name: string): string =>
  /^[\w.+/-]{1,150}$/.test(name) ? name : createHash('sha256').update(name).digest('hex')

/** A short name for something whose own name must not be kept. */
export const shortHash = (value: string): string =>
  createHash('sha256').update(value).digest('hex').slice(0, 32)
