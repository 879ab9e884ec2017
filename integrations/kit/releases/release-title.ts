import type { Language } from '../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../src/locales/index.ts'
import { capitalize, headline } from '../item.ts'
import { truncateUtf16 } from '../text/fit-length.ts'
import {
  announcement,
  changeWords,
  endsWithVersion,
  onlyVersion,
  saysIsOut,
  saysNothing,
  season,
  versionAtEnd,
  versionThenName,
} from './release-words.ts'

interface ReleaseTitleInput {
  /** The repository or project. */
  product: string
  /** The release's own name, often missing. */
  name: string | null
  tag: string
  language: Language
}

export interface ReleaseTitle {
  title: string
  /** The product with its version, if the title is a headline that does not name them. */
  lead?: string
}

/** Names of repositories and tags are shorter. Some of the expressions below are slow on longer texts. */
const maxNameCharacters = 500

/**
 * The title of a release: product and version, once each, then "is out". A name that is a headline
 * by itself is kept, and `lead` names the product and version.
 */
export function releaseTitle({ name, language, ...given }: ReleaseTitleInput): ReleaseTitle {
  const product = truncateUtf16(maxNameCharacters, given.product)
  const tag = truncateUtf16(maxNameCharacters, given.tag)
  const own = headline(name ?? '')
  // An emoji around a version does not make it a headline.
  const words = withoutIsOut(
    own.replace(/\p{Extended_Pictographic}\ufe0f?\s*/gu, '').trim(),
    product,
  )
  const [subject, version] = subjectOf(product, tag)
  const isOut = (released: string) => ({
    title: headline(formatMessage(language, 'release_out', { subject: released })),
  })
  if (words === tag && namesProduct(words, product)) return isOut(words)
  if (words === '' || words === tag || isGeneric(words, product))
    return isOut(`${subject} ${version}`)

  const released = releasedThing(words, product, { own, subject, version, language })
  return released === undefined
    ? { title: capitalize(own), lead: `${subject} ${version}` }
    : isOut(released)
}

/**
 * A name such as "v2.1 is out" or "v2.1 (Final)" without what its title says anyway; other sentences stay as they
 * are.
 */
function withoutIsOut(name: string, product: string): string {
  const released = name.replace(saysIsOut, '')
  const subject = released.replace(saysNothing, '')
  if (onlyVersion.test(afterProduct(subject, product) ?? subject)) return subject
  const quoted = /^["“”„«'‘].*["“”»'’]$/u
  return quoted.test(versionThenName.exec(released)?.[2] ?? '') ? released : name
}

/** Whether a tag in words consists of the product and its version, such as `Apollo 6` or `Apollo-Web 6.1`. */
const namesProduct = (tag: string, product: string): boolean =>
  tag.includes(' ') && versionAtEnd.test(afterProduct(tag, product) ?? '')

/** Whether a line says only that something was released, such as "New release!". */
export const isAnnouncement = (line: string): boolean =>
  line.length <= 80 && announcement.test(line)

/** Whether a name says only that something was released or fixed: "New release of tideline-web". */
function isGeneric(name: string, product: string): boolean {
  const ofProduct = new RegExp(String.raw`\s+(?:of|for)\s+${RegExp.escape(product)}`, 'iu')
  return isAnnouncement(name.replace(ofProduct, '')) || changeWords.test(name)
}

interface ReleaseNames {
  /** The name with its emoji. */
  own: string
  subject: string
  version: string
  language: Language
}

/** The released product in a name; `undefined` when the name is a headline of its own. */
function releasedThing(
  words: string,
  product: string,
  { own, subject, version, language }: ReleaseNames,
): string | undefined {
  const rest = afterProduct(words, product)
  if (rest === '') return `${words} ${version}`
  const ownVersion = onlyVersion.exec(rest ?? words)?.[1]
  if (ownVersion !== undefined)
    return rest === undefined ? `${subject} ${ownVersion}` : words.replace(/:\s+(?=v?\d)/, ' ')
  const [, before, name] = versionThenName.exec(words) ?? []
  if (before !== undefined && name !== undefined)
    return named(`${subject} ${before}`, name, language)
  const wordCount = words.split(/\s+/).length
  if (wordCount <= 3 && hasOwnVersion(words, rest)) return words.replace(/:\s+(?=v?\d)/, ' ')
  return wordCount <= 2 && rest === undefined
    ? named(numbered(subject, version), own, language)
    : undefined
}

/** Whether a name, whose rest after the product is given, ends with a version: `Desktop 4.0`, but not `October 2026`. */
const hasOwnVersion = (name: string, rest: string | undefined): boolean =>
  endsWithVersion.test(name) && !(rest === undefined && season.test(name))

/** The product with its version, unless the tag is a word. */
const numbered = (subject: string, version: string) =>
  /^v?\d/i.test(version) ? `${subject} ${version}` : subject

// The folder of a package in a monorepo, which readers do not know.
const packageFolder = /^(?:packages?|libs?|apps?|modules?|crates|services|components)\//i

/** The product and the version in a tag. Tags of a monorepo name their package. */
function subjectOf(product: string, tag: string): [string, string] {
  const [, own, version] =
    /^(@?[\p{L}][\w./-]*?)(?:@|[-/_]?(?=v\d)|[-/_])(v?\d[\w.+-]*)$/u.exec(tag) ?? []
  // A year alone, as in `winter-2026`, is not a version of a package.
  if (own === undefined || version === undefined || /^\d{4}$/.test(version))
    return [
      product,
      tag.replace(/^(?:release|version)\s+(?=v?\d)/i, '').replace(/(?<=\d)\s+release$/i, ''),
    ]
  const name = own.replace(packageFolder, '')
  return /^(?:v|ver|version|release|rel|tag)$/i.test(name) ? [product, version] : [name, version]
}

const named = (subject: string, name: string, language: Language) => {
  const inBrackets = /^[([]([^()[\]]+)[)\]]$/.exec(name)?.[1] ?? name
  return formatMessage(language, 'release_named', {
    subject,
    name: inBrackets.replace(/^["“”„«'‘]+\s*|\s*["“”»'’]+$/gu, ''),
  })
}

/**
 * The rest of a name after the product at its start; `undefined` when it does not begin with the
 * product.
 */
function afterProduct(name: string, product: string): string | undefined {
  const separators = String.raw`[\s_./-]+`
  const words = product.match(/[\p{L}\p{N}]+/gu)?.map((word) => RegExp.escape(word)) ?? []
  if (words.length === 0) return undefined
  const start = new RegExp(`^@?${words.join(separators)}(?![\\p{L}\\p{N}])[\\s:@-]*`, 'iu').exec(
    name,
  )
  return start === null ? undefined : name.slice(start[0].length)
}
