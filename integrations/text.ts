import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { maxTitleCharacters } from '../src/contract/text.ts'

/** A provider's text made fit to be stored: PostgreSQL keeps neither NUL nor lone surrogates. */
export const providerText = v.pipe(
  v.string(),
  v.transform((text) => text.toWellFormed().replaceAll('\0', '')),
)

// Whitespace in every form Unicode knows, line breaks included.
const spaces = /[\s\u0085]+/g
// Control characters, and the marks that would turn the direction of the rest of a mail subject.
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * `text` as one plain line of at most `max` characters (Unicode code points), as ingest takes titles
 * and authors. Cut between graphemes, so that no emoji or accented letter falls apart.
 */
export function oneLine(text: string, max = maxTitleCharacters): string {
  const line = text
    .toWellFormed()
    .replace(spaces, ' ')
    .replace(unprintable, '')
    .normalize('NFC')
    .trim()
  return [...line].length <= max ? line : `${graphemesWithin(line, max - 1).trimEnd()}…`
}

function graphemesWithin(line: string, max: number): string {
  let kept = ''
  let characters = 0
  for (const { segment } of graphemes.segment(line)) {
    characters += [...segment].length
    if (characters > max) break
    kept += segment
  }
  return kept
}

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
