/**
 * The texts of the console, one file per language. `t('login.title')` is the text in the language of the
 * reader. To add a language, add its file and its line in `catalogs`: a missing text is a type error.
 */
import { type MemberRole, memberRoles } from '../../contract/vocabulary.ts'
import { localeOf, parseMessage } from '../../locales/index.ts'
import { de } from './de.ts'
import { type ConsoleMessages, en } from './en.ts'

const catalogs = { en, de } as const satisfies Record<string, ConsoleMessages>

/** A language of the console. */
export type ConsoleLanguage = keyof typeof catalogs

/** The codes of the languages of the console. */
export const languageCodes: readonly ConsoleLanguage[] = Object.keys(catalogs).filter(
  (code): code is ConsoleLanguage => Object.hasOwn(catalogs, code),
)

/** The languages of the console by their own names, such as `Deutsch`. */
export const languageChoices: readonly { value: ConsoleLanguage; label: string }[] =
  languageCodes.map((value) => ({
    value,
    label: new Intl.DisplayNames(value, { type: 'language' }).of(value) ?? value,
  }))

/** The language for a locale such as `de-AT`, or undefined when the console does not have it. */
export function consoleLanguageOf(locale: string): ConsoleLanguage | undefined {
  const [language] = locale.toLowerCase().split(/[-_]/)
  return languageCodes.find((code) => code === language)
}

/** The first of these languages or locales that the console has, else English. */
export const preferredLanguage = (codes: readonly (string | null | undefined)[]): ConsoleLanguage =>
  codes.map((code) => consoleLanguageOf(code ?? '')).find((found) => found !== undefined) ?? 'en'

/** A text of ours without values, or HTML whose values are escaped; it needs no `safe`. */
type SafeText = 'text of a catalog'

/** Makes the element of a tag such as `<link>…</link>`, or of an argument. */
type MakeElement = (text: SafeText) => JSX.Element

type Identifier<Name extends string> = Name extends
  | ''
  | `${string}${' ' | '#' | '{' | '<'}${string}`
  ? never
  : Name

type NameAt<Rest extends string> = Rest extends `${infer Start}}${string}`
  ? Identifier<Start extends `${infer Name},${string}` ? Name : Start>
  : never

/** The arguments of a message, such as `count` and `name` of `{count, plural, …} by {name}`. */
type ArgumentsOf<Text extends string> = Text extends `${string}{${infer Rest}`
  ? NameAt<Rest> | ArgumentsOf<Rest>
  : never

/** The tags of a message, such as `link` of `Read the <link>guide</link>`. */
type TagsOf<Text extends string> = Text extends `${string}<${infer Name}>${infer Rest}`
  ? (Name extends `/${string}` ? never : Name) | TagsOf<Rest>
  : never

type Key = keyof typeof en
type Values<Name extends Key> = Record<ArgumentsOf<(typeof en)[Name]>, string | number>
type Elements<Name extends Key> = Record<
  ArgumentsOf<(typeof en)[Name]>,
  string | number | MakeElement
> &
  Record<TagsOf<(typeof en)[Name]>, MakeElement>
type HasArguments<Name extends Key> = [ArgumentsOf<(typeof en)[Name]>] extends [never]
  ? false
  : true

/** The key of a text without arguments, for lists of labels. */
export type TextKey = { [Name in Key]: HasArguments<Name> extends true ? never : Name }[Key]

/** Returns the texts of the console in one language. */
export interface Translate {
  /** A text. With values it is text for `safe` or `attribute()`, like everything that people wrote. */
  <Name extends Key>(
    key: Name,
    ...values: HasArguments<Name> extends true ? [Values<Name>] : []
  ): HasArguments<Name> extends true ? string : SafeText
  /** An English text of a feature, such as the message of an error; a text that the catalog does not have stays. */
  fromEnglish(text: string): string
  /** A text with elements inside. Values are escaped. */
  html<Name extends Key>(key: Name, elements: Elements<Name>): SafeText
  /**
   * The texts of scripts, by the keys that they pass to `translate()`. Their values are still
   * `{name}`.
   */
  forScripts(scripts: readonly string[]): Record<string, string>
  language: ConsoleLanguage
}

/** The texts of the console in a language. */
export function translateTo(language: ConsoleLanguage): Translate {
  const messages: ConsoleMessages = catalogs[language]
  const locale = localeOf(language)
  const decimalSign =
    new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')
      ?.value ?? '.'
  const text = (key: Key, values: Record<string, string | number> = {}) =>
    String(parseMessage(messages[key], locale).format(values))
  const html = (key: Key, elements: Record<string, string | number | MakeElement>) => {
    const format = parseMessage(messages[key], locale, true)
    const parts = [format.format<Element>(mapValues(elements, toFormatter))].flat()
    return parts.map(toHtml).join('')
  }
  const translated = (english: string, candidates = featureTexts): string | null => {
    const [found] = candidates.flatMap(({ key, pattern }) => {
      const match = pattern.exec(english)
      return match ? [{ key, values: match.groups }] : []
    })
    return found ? text(found.key, translateValues(found.values)) : null
  }
  const fromEnglish = (english: string): string => {
    if (language === 'en') return english
    const parts = english.match(betweenSemicolons) ?? []
    const whole = translated(english, parts.length > 1 ? textsWithSemicolon : featureTexts)
    return whole ?? parts.map((part) => translated(part) ?? part).join('; ')
  }
  /** The reasons of a refusal and the part of the newsletter in a warning are English texts of their own, measured values English numbers; statuses and roles have names in the console. */
  const translateValue = ([name, value]: [string, string]): [string, string] => {
    if (name === 'reasons' || name === 'part') return [name, fromEnglish(value)]
    if (name === 'size' || name === 'seconds') return [name, value.replace('.', decimalSign)]
    if (name.endsWith('_role') && isRole(value)) return [name, text(`role.${value}`)]
    if (!name.endsWith('_status')) return [name, value]
    return [
      name,
      value.replaceAll(/\w+/g, (word) => (isStatus(word) ? text(statusKeys[word]) : '')),
    ]
  }
  const translateValues = (values: Record<string, string> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(translateValue))
  const forScripts = (scripts: readonly string[]) => {
    const prefixes = ['common.', ...scripts.map((script) => script.replace(/js$/, ''))]
    const keys = scriptKeys.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)))
    return Object.fromEntries(keys.map((key) => [key, messages[`script.${key}`]]))
  }
  return Object.assign(text, { html, fromEnglish, forScripts, language }) as Translate
}

const statusKeys = {
  draft: 'common.draft',
  in_progress: 'newsletters.in_progress',
  ready: 'common.ready',
  used: 'common.used',
  sent: 'common.sent',
  or: 'common.or',
} as const satisfies Record<string, Key>

const isStatus = (word: string): word is keyof typeof statusKeys => Object.hasOwn(statusKeys, word)

const isRole = (word: string): word is MemberRole => memberRoles.some((role) => role === word)

type ScriptKey = Key extends infer Name
  ? Name extends `script.${infer Rest}`
    ? Rest
    : never
  : never

/** The keys of the texts that scripts show, such as `drafts.open` for `drafts.js`. */
const scriptKeys = Object.keys(en)
  .filter((key) => key.startsWith('script.'))
  .map((key) => key.slice('script.'.length) as ScriptKey)

const isFeatureText = (key: string): key is Extract<Key, `feature.${string}`> =>
  key.startsWith('feature.')

/**
 * The English texts of features, which the API and the command line also show, as patterns:
 * `{field} is required`. The longest comes first, because it says most.
 */
const featureTexts = Object.keys(en)
  .filter(isFeatureText)
  .toSorted((one, other) => en[other].length - en[one].length)
  .map((key) => {
    const parts = en[key].split(/\{(\w+)\}/)
    const source = parts.map((part, at) => (at % 2 ? `(?<${part}>.+?)` : RegExp.escape(part)))
    return { key, pattern: new RegExp(`^${source.join('')}$`, 's') }
  })

/** The texts that can contain what separates several reasons. */
const textsWithSemicolon = featureTexts.filter(({ key }) => /; |\{reasons\}/.test(en[key]))

/** The parts of a text that `; ` joins. A title, which is in quotation marks, can contain a semicolon, too. */
const betweenSemicolons = /(?<=^|; )(?:"[^"]{0,300}"|“[^”]{0,300}”|(?!; ).)*/gs

/** HTML inside a message; everything else is text. */
class Element {
  readonly html: string
  constructor(html: string) {
    this.html = html
  }
}

type Part = string | Element | ((parts: Part[]) => Element)

const toFormatter = (value: string | number | MakeElement) =>
  typeof value === 'function' ? (parts: Part[]) => elementOf(value, parts) : value

function elementOf(make: MakeElement, parts: Part[]): Element {
  const element = make(parts.map(toHtml).join('') as SafeText)
  if (typeof element !== 'string') throw new Error('An element inside a message cannot be async.')
  return new Element(element)
}

/** An argument whose value is a function comes back as this function. */
function toHtml(part: Part): string {
  if (typeof part === 'function') return part([]).html
  return part instanceof Element ? part.html : Bun.escapeHTML(part)
}

const mapValues = <From, To>(values: Record<string, From>, change: (value: From) => To) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
