import * as v from 'valibot'
import { asUri } from './uri.ts'

// `v.metadata` describes for JSON Schema what the `v.check` before it does: JSON Schema cannot read code.

export const maxTitleCharacters = 255
export const maxBodyBytes = 64 * 1024
/** HTML of the maximum size can be longer once it is sanitized, as `&` becomes `&amp;`. */
export const maxStoredBodyBytes = 256 * 1024
export const maxAuthorCharacters = 255

const surrogatesPaired = (text: string) => text.isWellFormed()
const hasNul = (text: string) => text.includes('\0')

// Line breaks in every form Unicode knows, and the other control characters: none belongs in a
// line that ends up in the subject of an email (threat T-29).
const breaksTheLine = /[\p{Cc}\u2028\u2029]/u

const anyText = v.string(({ input }) => (input === undefined ? 'is required' : 'must be a string'))

const marksInARow = /(?:(?!\u034f)\p{M}){30}(?=(?!\u034f)\p{M})/gu

/**
 * A text in NFC. Marks such as accents on one letter are ordered in time that grows with the square of their number, so
 * that a joiner that nobody sees divides them every 30 (UAX #15, Stream-Safe Text Format).
 */
export function toNfc(text: string): string {
  // The first mark is U+0300; the expression for marks is slow on long texts.
  const divided = /[\u0300-\uffff]/.test(text) ? text.replace(marksInARow, '$&\u034f') : text
  return divided.normalize('NFC')
}

/** `v.normalize('NFC')` as `toNfc` does it: documents describe the input as the text that it is. */
export const inNfc: v.NormalizeAction<'NFC'> = {
  ...v.normalize('NFC'),
  '~run': (dataset) => ({ ...dataset, value: toNfc(dataset.value) }),
}

/** Text as people send it: NFC, without NUL and without lone surrogates, which PostgreSQL cannot keep. */
const storableText = v.pipe(
  anyText,
  v.check(surrogatesPaired, 'has a broken character (a lone surrogate)'),
  v.check((text) => !hasNul(text), 'must not contain the NUL character'),
  inNfc,
)

/** Letters, digits and signs that people see; not only spaces, zero-width characters and blank fillers. */
const isVisible = (text: string) =>
  /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u.test(text)

const isOneLine = v.check(
  (text: string) => !breaksTheLine.test(text),
  'must be one line without control characters',
)
const hasAtMost = (max: number) =>
  v.check((text: string) => [...text].length <= max, `must be at most ${max} characters`)

/** One trimmed line of 1 to `max` characters (Unicode code points). */
export const singleLineText = (max: number) =>
  v.pipe(
    storableText,
    v.trim(),
    v.check(isVisible, 'is required'),
    isOneLine,
    hasAtMost(max),
    v.metadata({ minLength: 1, maxLength: max }),
  )

/** One trimmed line of at most `max` characters, or an empty text. */
export const emptyOrLineText = (max: number) =>
  v.pipe(storableText, v.trim(), isOneLine, hasAtMost(max), v.metadata({ maxLength: max }))

/** Text over several lines of 1 to `maxBytes` UTF-8 bytes, not blank. */
export const text = (maxBytes: number) =>
  v.pipe(
    storableText,
    v.check(isVisible, 'is required'),
    v.check(
      (value) => Buffer.byteLength(value) <= maxBytes,
      `must be at most ${maxBytes / 1024} KiB`,
    ),
    v.metadata({ minLength: 1, maxLength: maxBytes }),
  )

/** Text over several lines of 1 to `max` characters (Unicode code points), not blank. */
export const multilineText = (max: number) =>
  v.pipe(
    storableText,
    v.check(isVisible, 'is required'),
    v.check((value) => [...value].length <= max, `must be at most ${max} characters`),
    v.metadata({ minLength: 1, maxLength: max }),
  )

/** A schema whose input is prepared first; documents show it as the schema itself. */
export const prepared = <const Schema extends v.GenericSchema>(
  schema: Schema,
  prepare: (value: unknown) => unknown,
): Schema => ({
  ...schema,
  '~run': (dataset, config) =>
    schema['~run']({ ...dataset, value: prepare(dataset.value) }, config),
})

/**
 * A field that may be empty, which is null: a text of spaces means null too, because forms and no-code
 * tools send it for a field that nobody filled in.
 */
export const emptyAsNull = <const Schema extends v.GenericSchema>(schema: Schema) =>
  prepared(v.nullable(schema), (value) =>
    typeof value === 'string' && value.trim() === '' ? null : value,
  )

/** What is wrong with the address of a page, as the end of a sentence; null when nothing is. */
function faultOfAddress(value: string): string | null {
  const url = URL.parse(value)
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https address'
  return url.username + url.password === '' ? null : 'must not contain a user name or password'
}

/** An absolute http or https address of at most 2,048 characters, without user name or password. */
export const webAddress = v.pipe(
  singleLineText(2048),
  v.check(
    (value) => faultOfAddress(value) === null,
    ({ input }) => faultOfAddress(input) ?? '',
  ),
  v.metadata({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:' }),
)

/** A `webAddress` of content, which is stored as a URI; documents show it as a `webAddress`. */
export const contentAddress: typeof webAddress = {
  ...webAddress,
  '~run': (dataset, config) => {
    const result = webAddress['~run'](dataset, config)
    return result.typed && !result.issues ? { ...result, value: asUri(result.value) } : result
  },
}

/** A lower-case name for addresses: letters, digits and single hyphens, at most 100 characters. */
export const slug = v.pipe(
  singleLineText(100),
  v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and hyphens'),
)

/** A zone can move a time into the year 0 or 10000, which PostgreSQL does not read in this form. */
const isStorableTime = (date: Date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999

/**
 * The moment of a time in RFC 3339. A leap second, which only ends months in UTC, is the second after it; elsewhere
 * the 60 is invalid.
 */
function momentOf(value: string): Date {
  const time = value.toUpperCase()
  if (time.slice(17, 19) !== '60') return new Date(time)
  const after = new Date(Date.parse(`${time.slice(0, 17)}59${time.slice(19)}`) + 1000)
  const isNextMonth = /-01T00:00:00/.test(Number.isNaN(after.getTime()) ? '' : after.toISOString())
  return isNextMonth ? after : new Date(Number.NaN)
}

/** A moment in RFC 3339 with a zone, from the year 1 to 9999 in UTC, given as a `Date`. */
export const timestamp = v.pipe(
  storableText,
  v.regex(
    // Without the flag `i`, which documents cannot show.
    /^\d{4}-\d{2}-\d{2}[Tt](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/,
    'must be a time such as 2027-01-31T09:00:00Z',
  ),
  // `Date` turns 30 February into 2 March.
  v.check(
    (value) => Number.isNaN(momentOf(value).getTime()) || isExistingDay(value.slice(0, 10)),
    'must be on a day that exists',
  ),
  v.metadata({ format: 'date-time' }),
  v.transform(momentOf),
  v.check(isStorableTime, 'must be a time such as 2027-01-31T09:00:00Z'),
)

const isExistingDay = (day: string) => {
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}

const isCalendarDate = (value: string) => faultOfDate(value) === null

/** What is wrong with a date, as the end of a sentence; null when nothing is. */
function faultOfDate(value: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'must be a date such as 2027-01-31'
  if (!isExistingDay(value)) return 'must be a day that exists'
  return /^(?:19|20)/.test(value) ? null : 'must be in the years 1900 to 2099'
}

/** A day that exists, from 1900 to 2099, as `YYYY-MM-DD`. */
export const calendarDate = v.pipe(
  storableText,
  v.check(isCalendarDate, ({ input }) => faultOfDate(input) ?? ''),
  v.metadata({ format: 'date', pattern: '^(?:19|20)\\d{2}-\\d{2}-\\d{2}$' }),
)

const notAnAddress = 'must be an email address such as ada@example.com'

/** One email address in lower case, as the HTML standard's input field takes it; no name, no list. */
export const emailAddress = v.pipe(
  anyText,
  // Before normalization, which makes a K of the Kelvin sign, and so the address of somebody else.
  v.check((address) => /^\p{ASCII}*$/u.test(address), notAnAddress),
  singleLineText(254),
  v.toLowerCase(),
  v.rfcEmail(notAnAddress),
)

/**
 * Where a link of a newsletter may lead: an http or https address, or `mailto:` (RFC 6068) with one
 * recipient and perhaps a subject and a body. Further recipients are refused: readers would not see them.
 */
export const linkAddress = v.pipe(
  singleLineText(2048),
  v.transform((value) => (/^[^\s@:/?#]+@[^\s@:/?#]+$/.test(value) ? `mailto:${value}` : value)),
  v.check(
    (value) =>
      /^mailto:[^\s@?&,]+@[^\s@?&,]+(?:\?(?:subject|body)=[^\s&?]*(?:&(?:subject|body)=[^\s&?]*)*)?$/i.test(
        value,
      ) || v.is(webAddress, value),
    'must be a web address or an email address',
  ),
  v.transform((value) => (/^mailto:/i.test(value) ? value : asUri(value))),
)

/** A color as `#rrggbb` in lower case. */
export const hexColor = v.pipe(
  singleLineText(7),
  v.toLowerCase(),
  v.regex(/^#[0-9a-f]{6}$/, 'must be a color such as #8b5cf6'),
  // Clients may send capitals.
  v.metadata({ minLength: 7, pattern: '^#[0-9a-fA-F]{6}$' }),
)
