import { languages } from '../../../src/contract/vocabulary.ts'

// Danish, Norwegian and Austrian words, because these also write ordinals with a full stop.
const locales = [...languages, 'de-AT', 'da', 'nb']
const januaryToDecember = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 1))

/** The months with a day before them, in small letters. */
const monthsIn = (locale: string): string[] => {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' })
  return januaryToDecember.flatMap((time) =>
    format.formatToParts(time).flatMap(({ type, value }) => (type === 'month' ? [value] : [])),
  )
}

const months: ReadonlySet<string> = new Set(
  locales.flatMap(monthsIn).map((one) => one.toLowerCase()),
)
const germanAbbreviation = /^(?:jan|jän|feb|mär|apr|jun|jul|aug|sept?|okt|nov|dez)\.$/i
// What people count in German: `1. Platz`, `2. Quartal`.
const german = /^(?:Platz|Preis|Rang|Quartal|Halbjahr|Advent|Stock|Etage|Runde|Tag|Woche)$/

/** Whether a word behind a number such as `1.` makes it a date, a rank or the like: `Mai` and `Platz`. */
export function isCounted(word: string): boolean {
  const [plain = ''] = /\p{L}+\.?/u.exec(word) ?? []
  const name = plain.replace(/\.$/, '')
  return months.has(name.toLowerCase()) || germanAbbreviation.test(plain) || german.test(name)
}

// Only marks and digits can be between the word and what it says: `Mai: frei`, `Platz – Ada`, `Mai 2026`.
const alone = /^\P{L}*(\p{L}+\.?)[*_]*(?:$|[:,;(]|\s+(?![\s\p{L}]))/u

/** Whether a text begins with such a word and no sentence continues it, as `Mai: frei` and not `Mai ist neu im Team`. */
export function isCountedAlone(text: string): boolean {
  const [, word = ''] = alone.exec(text) ?? []
  return isCounted(word)
}
