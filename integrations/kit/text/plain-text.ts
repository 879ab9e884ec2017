import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { maxBodyBytes, toNfc } from '../../../src/contract/text.ts'
import { oneLine } from './fit-length.ts'

const otherLineBreak = /\r(?!\n)|[\u2028\u2029]/g

/**
 * Text of a provider that can be stored: PostgreSQL stores neither NUL nor lone surrogates. Every line break has a line
 * feed, because expressions that read the spaces at the start of a line (`^[^\S\n]*`) would read a run of others once for each.
 */
export const providerText = v.pipe(
  v.string(),
  v.transform((text) => text.toWellFormed().replaceAll('\0', '').replace(otherLineBreak, '\n')),
)

/** Text of several lines in NFC, without control characters other than line breaks and tabs. */
export const normalizeText = (text: string): string =>
  toNfc(
    text
      .toWellFormed()
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replace(/[^\P{Cc}\n\t]/gu, ''),
  ).trim()

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
