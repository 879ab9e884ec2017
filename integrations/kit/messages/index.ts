import { IntlMessageFormat } from 'intl-messageformat'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'

/** The sentences that adapters add, with the arguments of each. */
export interface MessageArguments {
  /** The title of a release. `subject` is a product and its version. */
  release_out: { subject: string }
  /** A version with the name that its authors gave it. */
  release_named: { subject: string; name: string }
  /** The word before a version number, where the product is not known. */
  version: Record<string, never>
  release_maintenance: Record<string, never>
  release_new: Record<string, never>
  release_improved: Record<string, never>
  release_fixed: Record<string, never>
  release_more: { count: number }
  milestone_reached: { name: string }
  milestone_progress: { done: number; total: number; project: string }
  milestone_done: { done: number; project: string }
  milestone_in: { project: string }
  repository_public: { name: string }
  repository_public_body: { name: string }
  issues_done: { count: number }
  issue_done: { project: string }
  project_done: { name: string }
  project_update: { name: string }
  health_on_track: { name: string }
  health_at_risk: { name: string }
  health_off_track: { name: string }
  colleague: Record<string, never>
  joins_as: { name: string; job: string }
  joins: { name: string }
  /** `where` is `office`, `remote` or `none`; `department` and `day` may be empty. */
  starts: {
    name: string
    hasDepartment: 'yes' | 'no'
    department: string
    where: 'office' | 'remote' | 'none'
    location: string
    hasDay: 'yes' | 'no'
    weekday: string
    day: string
  }
  kudos_to: { text: string }
  kudos: { text: string }
  welcome: { text: string }
  on_day: { day: string }
  someone: Record<string, never>
}

/** One message in ICU MessageFormat for each sentence. https://unicode-org.github.io/icu/userguide/format_parse/messages/ */
export type Messages = Record<keyof MessageArguments, string>

const catalogs = { en, de, fr, es, pt, nl, it, pl, sv, ja } satisfies Record<string, Messages>

/** A language that has a message catalog. */
export type Language = keyof typeof catalogs

/** Every language that has a message catalog. */
export const languages = Object.keys(catalogs).filter(isLanguage)

export const defaultLanguage: Language = 'en'

/** Whether there is a message catalog for this language code. */
export function isLanguage(code: string): code is Language {
  return Object.hasOwn(catalogs, code)
}

/** The messages of a language. */
export const messagesIn = (language: Language): Messages => catalogs[language]

// Parsing a message takes longer than formatting it.
const formats = new Map<string, IntlMessageFormat>()

/** A sentence in a language. */
export function message<Key extends keyof MessageArguments>(
  language: Language,
  key: Key,
  values: MessageArguments[Key],
): string {
  const id = `${language} ${key}`
  let format = formats.get(id)
  if (format === undefined) {
    // Values are text of other people: `ignoreTag` keeps a `<` in a message from being read as markup.
    format = new IntlMessageFormat(catalogs[language][key], localeOf(language), undefined, {
      ignoreTag: true,
    })
    formats.set(id, format)
  }
  return String(format.format({ ...values })).trim()
}

/** The locale for dates and numbers: English is written as in Britain, with the day first. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language)
