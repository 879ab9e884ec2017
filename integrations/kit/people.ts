import type { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import type { Language } from '../../src/contract/vocabulary.ts'
import { formatMessage } from '../../src/locales/index.ts'
import { calendarDay, dayInWords } from './dates.ts'
import { buildItem, paragraph } from './item.ts'
import { oneLine } from './text/fit-length.ts'

type Fact = string | null | undefined

/** All facts about a new colleague that readers may see; missing facts are left out. */
export interface NewStarter {
  firstName: Fact
  lastName: Fact
  jobTitle: Fact
  departments: readonly Fact[]
  /** Offices, never home addresses. */
  locations: readonly Fact[]
  /** The first day, `YYYY-MM-DD`. */
  startDate: Fact
}

/**
 * The item that welcomes a new colleague. It is not published before the first day (00:00 UTC), which
 * has its year when that is not the present one. It is always a draft, whatever the settings of the connection are, because a person has to check it.
 */
export function buildNewStarterItem(
  externalId: string,
  starter: NewStarter,
  { language, now }: { language: Language; now: Date },
): IngestPayload {
  const { first, full } = namesOf(starter)
  const name = full || formatMessage(language, 'colleague', {})
  const job = jobName(starter)
  const startDate = calendarDay(starter.startDate)
  const title =
    job === ''
      ? formatMessage(language, 'joins', { name })
      : formatMessage(language, 'joins_as', { name, job })
  return {
    ...buildItem({
      title,
      body: welcomeBody(first ?? name, { ...starter, startDate }, language, now),
      blockType: 'new_starter',
      externalId,
      url: undefined,
    }),
    auto_ready: false,
    publish_after: startDate === undefined ? undefined : `${startDate}T00:00:00Z`,
  }
}

const newForMs = 60 * 86_400_000

/** Why somebody is not announced for whom {@link hasLongStarted} is true. */
export const longStarted = 'the first day was more than 60 days ago'

/** Whether somebody is not a new colleague, such as a person whom an HR system gets from another one. */
export const hasLongStarted = ({ startDate }: NewStarter, now: Date): boolean =>
  Date.parse(startDate ?? '') < now.getTime() - newForMs

const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\s]+$/u

/**
 * What a colleague is called in a sentence, and the full name. East Asian names begin with the family
 * name, by which colleagues are called.
 */
function namesOf({ firstName, lastName }: NewStarter): { first: Fact; full: string } {
  const first = known([spelled(firstName)])[0]
  const last = known([spelled(lastName, familyParticles)])[0]
  const familyFirst = eastAsian.test(`${first ?? ''}${last ?? ''}`)
  const full = known(familyFirst ? [last, first] : [first, last]).join(' ')
  return { first: familyFirst ? (last ?? first) : first, full }
}

// Parts of names that are written small: `de la Cruz`, `van der Berg`.
const particle = String.raw`(?:D(?:[aeiou]|as|el|en|er|os|u)|L[ae]s?|V(?:an|on)|T(?:en|er)|Z(?:u|um|ur)|Y)(?=\s)`
const familyParticles = new RegExp(String.raw`(?<=^|\s)${particle}`, 'gu')
/** First names and places begin with a capital letter: `Van Anh`, `La Paz`. */
const innerParticles = new RegExp(String.raw`(?<=\s)${particle}`, 'gu')

/** A name that an HR system stores in capitals or in small letters only, as people write it. */
function spelled(name: Fact, particles: RegExp = innerParticles): Fact {
  const isWritten = name && name.length > 2 && /^[\p{Lu}\s'’-]+$|^[\p{Ll}\s'’-]+$/u.test(name)
  return isWritten
    ? name
        .toLowerCase()
        .replace(/(?<!\p{L})\p{Ll}/gu, (letter) => letter.toUpperCase())
        .replace(particles, (word) => word.toLowerCase())
    : name
}

/** A department or an office. A short word in capitals is an abbreviation, such as `NYC` or `EMEA`. */
const placeName = (place: Fact): Fact =>
  place && place.length > 4 && /^[\p{Lu}\s'’-]+$/u.test(place) ? spelled(place) : place

/** Where and when a new colleague starts, in one sentence; empty when neither is known. */
function welcomeBody(
  name: string,
  { departments, locations, startDate }: NewStarter,
  language: Language,
  now: Date,
): string {
  const list = new Intl.ListFormat(language)
  const department = list.format(known(departments.map(placeName)))
  const places = known(locations.map(placeName))
  const isRemote = places.length > 0 && places.every((place) => /^remote\b/i.test(place))
  const location = list.format(places)
  if (department === '' && location === '' && !startDate) return ''
  const { day, weekday } = dayInWords(startDate ?? '1970-01-01', language, now)
  const sentence = formatMessage(language, 'starts', {
    name,
    hasDepartment: department === '' ? 'no' : 'yes',
    department,
    where: placeKind(location, isRemote),
    location,
    hasDay: startDate ? 'yes' : 'no',
    weekday,
    day,
  })
  return paragraph(sentence)
}

const placeKind = (location: string, isRemote: boolean) => {
  if (location === '') return 'none'
  return isRemote ? 'remote' : 'office'
}

const known = (facts: readonly Fact[]): string[] => [
  ...new Set(facts.map((fact) => oneLine(fact ?? '')).filter((fact) => fact !== '')),
]

// Numbers of open positions: `(R-1234)`, `[REQ 99]`, `(Req. ID: 1234)`, `#4711`, `JR-1234 …`, `1234 - …`, `… - R1234`.
const requisition =
  /\s*[([]\s*(?:(?-i:[A-Z]{1,5}[- ]?)|(?:req(?:uisition)?|job|position|ref(?:erence)?)\b[.:]?\s?(?:id|no|nr)?[.:]?\s?)?#?\d{2,}\s*[)\]]|\s*#\d{2,}\b|^(?:(?:JR|REQ)[-_ ]?|R[-_]?)\d{3,}(?:\s?[:|–—-]\s|\s)|^(?!(?:19|20)\d\d\b)\d{4,}\s?[:|–—-]\s|\s?[,|–—-]\s(?:JR|REQ|R)[-_ ]?\d{3,}$/gi
// Additions that job advertisements need: `(m/f/d)`, `(m, w, d)`, `m/w/d`, `(all genders)`.
const gender = '(?:[mfwdxhivnk*]|div(?:ers)?)'
const advertisement = new RegExp(
  [
    String.raw`\s*[([]\s*(?:${gender}(?:\s?[/|,]\s?${gender})+|[mfw]{2}[dx]|all genders?|alle geschlechter|gn\*?)\s*[)\]]`,
    // Without brackets, three letters can be something else, such as the languages of Switzerland in `D/F/I`.
    String.raw`(?<!\s)\s+(?:(?=[^\s-]*[mh])(?=[^\s-]*[wf])(?=[^\s-]*[dxin*])${gender}(?:[/|]${gender}){2}|(?:m/v|v/m|m/k|k/m)/x)(?![\p{L}\p{N}/])`,
    String.raw`(?<!\s)\s+(?:m/[fwv]|[fwvk]/m|h/[fm]|f/h)$`,
  ].join('|'),
  'giu',
)
// What can follow `remote` when it is where somebody works: `Remote EMEA`, but not `Remote Sensing` and `Hybrid Cloud`.
const region =
  'EMEA|APAC|LATAM|DACH|MENA|ANZ|N?AMER|EU|UK|USA?|UAE|Europ[ae]|Germany|Deutschland|global(?:ly)?|worldwide|anywhere|only|first|work(?:ing)?|friendly|possible|optional|möglich'
const isoLetters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const countries = ['en', 'de'].flatMap((language) => {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  return isoLetters.flatMap((one) => isoLetters.flatMap((two) => names.of(one + two) ?? []))
})
const where = '(?:remote|hybrid|on-?site)'
const workplace = (places: readonly string[]): RegExp => {
  const named = [...countries, ...places].map(RegExp.escape)
  const next = ['in', 'within', 'from', 'based', 'or', 'oder', region, ...named].join('|')
  const wordEnd = String.raw`(?![\p{L}\p{N}])`
  const addition = String.raw`(?:\s+[-–—]\s+|\s*[,;:|(/]|-(?:first|friendly|only)${wordEnd}|\s+(?:${next})${wordEnd})[^()]*`
  const inBrackets = String.raw`\((?:fully\s+)?${where}${wordEnd}(?:${addition}|\s*[&+][^()]*|\s+\d[^()]*|\s*(?=\)))?`
  return new RegExp(
    String.raw`\s*(?:[-–—,|/]\s*(?:fully\s+)?${where}(?:\s*\/\s*${where})*(?:${addition})?|${inBrackets})\)?\s*$`,
    'iu',
  )
}

/**
 * A job title without the number of the position, its place and the additions of an advertisement.
 */
function jobName({ jobTitle, locations }: NewStarter): string {
  const places = known(locations)
  const job = oneLine(jobTitle ?? '')
    .replace(requisition, '')
    .replace(advertisement, '')
    .replace(workplace(places), '')
  const place = places.find((one) =>
    new RegExp(`\\s*[-–—,(]\\s*${RegExp.escape(one)}\\)?$`, 'i').test(job),
  )
  const bare =
    place === undefined ? job : job.slice(0, job.toLowerCase().lastIndexOf(place.toLowerCase()))
  const name = bare.replace(/[\s,(|/–—-]+$/u, '').trim()
  // A short word in capitals is an abbreviation, such as `CEO` or `SRE`.
  return name.length > 4 && /^[\p{Lu}\s-]+$/u.test(name) ? (spelled(name) ?? name) : name
}
