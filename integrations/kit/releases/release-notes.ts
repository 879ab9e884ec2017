import type { Token, Tokens } from 'marked'
import type { Language } from '../../../src/contract/vocabulary.ts'
import { message } from '../../../src/locales/index.ts'
import { capitalize } from '../item.ts'
import { cutText, renderInline, renderMarkdown } from '../markdown/markdown.ts'
import { parseMarkdown } from '../markdown/markdown-parser.ts'
import { type ChangeKind, changeOf, withoutReferences } from './release-lines.ts'
import { notesAsMarkdown, releaseProse, withoutQuickActions } from './release-text.ts'
import { isAnnouncement } from './release-title.ts'

interface ReleaseNotesInput {
  /** Markdown, often missing. */
  notes: string | null
  /** The title of the block, which the body does not repeat. */
  title: string
  /** A first line, such as the product and version under a title that does not name them. */
  lead?: string | undefined
  /** Relative links are resolved against it. */
  base?: string | undefined
  language: Language
}

/** A part of the notes under one heading; the heading is empty for the introduction. */
interface Section {
  heading: string
  kind: ChangeKind | undefined
  prose: string[]
  points: string[]
  /** Whether all points are from numbered lists, such as the steps of an upgrade. */
  isNumbered: boolean
  /** Prose and tables below the points. */
  closing: string[]
}

const maxPoints = 8

/** Longer notes are cut before they are parsed. */
const maxNotesCharacters = 64 * 1024

/** Paragraphs of prose that are shown; longer notes end with an ellipsis. */
const maxParagraphs = 20

/** The HTML body of a release: what changed for people, never empty. */
export function releaseBody({ notes, title, lead, base, language }: ReleaseNotesInput): string {
  const source = cutText(notes ?? '', maxNotesCharacters)
  const html = renderSections(sectionsOf(source, title), language, base)
  const first = lead === undefined ? '' : `<p>${Bun.escapeHTML(lead)}</p>`
  const maintenance = `<p>${Bun.escapeHTML(message(language, 'release_maintenance', {}))}`
  if (html === '') return first || `${maintenance}</p>`
  const onlyEmoji = !/[\p{L}\p{N}]/u.test(html.replace(/<[^>]*>/g, ''))
  const body = onlyEmoji ? `${maintenance} ${html.replace(/<[^>]*>/g, '').trim()}</p>` : html
  return [first, body].filter((part) => part !== '').join('\n')
}

/** The sections that were read so far. */
interface ReadNotes {
  sections: Section[]
  paragraphs: number
}

function sectionsOf(source: string, title: string): Section[] {
  const sections: Section[] = []
  const read: ReadNotes = { sections, paragraphs: 0 }
  let current: Section | undefined = sectionFor(sections, '', undefined)
  let isHidden = false
  for (const token of parseMarkdown(notesAsMarkdown(source))) {
    isHidden = isHiddenAfter(token, isHidden)
    if (token.type === 'heading') current = openSection(sections, token['text'], title)
    else if (!isHidden && current !== undefined) addTo(read, current, token)
  }
  return sections.filter(
    ({ prose, points, closing }) => prose.length + points.length + closing.length > 0,
  )
}

/**
 * Whether a token is inside a folded part (`<details>`), which its author considers less important.
 */
function isHiddenAfter(token: Token, before: boolean): boolean {
  if (token.type !== 'html') return before
  const opened = token.raw.split(/<details\b/i).length - token.raw.split(/<\/details>/i).length
  return opened > 0 || (before && opened === 0)
}

function sectionFor(sections: Section[], heading: string, kind: ChangeKind | undefined): Section {
  const known = sections.find((one) => (kind ? one.kind === kind : one.heading === heading))
  if (known !== undefined) return known
  const section: Section = { heading, kind, prose: [], points: [], isNumbered: true, closing: [] }
  sections.push(section)
  return section
}

const plainWords = (text: string) =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/:[\w+-]+:|[^\p{L}\p{N}\s.'’&-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

const leftOut =
  /contributors|full changelog|dependenc|\bchores?\b|maintenance|housekeeping|\binternal|\bbuild\b|\bci\b|\btests?\b|checksums?|\bsha-?\d|\bassets\b|downloads?|\bdocker\b|\binstall|sponsors?|credits|acknowledg|patch changes|refactor|documentation|\bdocs\b|miscellaneous|under the hood|\breverts?\b|reverted/i
const withoutHeading =
  /^(?:what.?s changed|changes|changelog|release notes|other changes|overview|summary)$|^\S*\s*v?\d+\.\d[\w.+-]*(?:\s.*)?$/i
const kindHeadings: [RegExp, ChangeKind][] = [
  [/\bbreaking\b/i, 'breaking'],
  [/\bfix|\bbugs?(?:\b|-?fix)|resolved|security/i, 'fixed'],
  [/improve|enhanc|perform|^changed$|^updated$|polish/i, 'improved'],
  [/\bnew\b|feature|^added$|^additions$|highlights?|major changes|minor changes/i, 'new'],
]

/** The section that a heading starts; `undefined` when readers do not need its content. */
function openSection(sections: Section[], heading: string, title: string): Section | undefined {
  // GitLab counts below a heading: `Added (3 changes)`.
  const words = plainWords(heading.replace(/\s*\(\d+ changes?\)\s*$/i, ''))
  if (/contributors/i.test(words)) return undefined
  const kind = kindHeadings.find(([pattern]) => pattern.test(words))?.[1]
  if (kind !== undefined) return sectionFor(sections, words, kind)
  if (leftOut.test(words)) return undefined
  // `tideline v7 “Winter release” is out` has the name of the release in quotes.
  const names = [title, /“([^”]+)”/.exec(title)?.[1] ?? title].map(plainWords)
  const isTitle = names.some((name) => name.toLowerCase() === words.toLowerCase())
  if (words === '' || isTitle || withoutHeading.test(words))
    return sectionFor(sections, '', undefined)
  return sectionFor(sections, capitalize(withoutReferences(heading)), undefined)
}

function addTo(read: ReadNotes, current: Section, token: Token): void {
  switch (token.type) {
    case 'list':
      addChanges(read.sections, current, token as Tokens.List)
      return
    case 'paragraph':
    case 'text':
    case 'blockquote':
      if (read.paragraphs <= maxParagraphs) addProse(read, current, token)
      return
    case 'table':
      if (!/https?:|\b[0-9a-f]{32,}\b/i.test(token.raw)) proseOf(current).push(token.raw)
      return
    case 'code':
      endSentence(proseOf(current))
      return
    default:
      return
  }
}

/** Where the next paragraph of a section goes: it stays above or below the points, as its author has it. */
const proseOf = ({ prose, points, closing }: Section) => (points.length === 0 ? prose : closing)

/** Ends a sentence that leads to a part that is left out: `After three years:`. */
function endSentence(prose: string[]): void {
  const last = prose.at(-1)
  if (last !== undefined) prose[prose.length - 1] = last.replace(/:$/, '.')
}

function addProse(read: ReadNotes, current: Section, token: Token): void {
  const isQuote = token.type === 'blockquote'
  const text = releaseProse(isQuote ? token['text'] : token.raw)
  if (text === '' || isAnnouncement(text)) return
  read.paragraphs += 1
  if (read.paragraphs > maxParagraphs) proseOf(current).push('…')
  else proseOf(current).push(isQuote ? quoted(text) : text)
}

const quoted = (text: string) => text.replace(/^/gm, '> ')

/** The lines of a list in order. Lines below a line that is left out are left out, too. */
function linesIn(items: Tokens.ListItem[]): string[] {
  return items.flatMap(({ tokens, task, checked }) => {
    const own = tokens.find(({ type }) => type === 'text' || type === 'paragraph')
    const line = withoutQuickActions(own?.raw ?? '')
      .replace(/^\[[ x]\]\s+/i, '')
      .replace(/\s*\n\s*/g, ' ')
      .trim()
    const nested = tokens.filter((token): token is Tokens.List => token.type === 'list')
    if (changeOf(line) === undefined || (task && !checked)) return []
    return [line, ...nested.flatMap((list) => linesIn(list.items))]
  })
}

function addChanges(sections: Section[], current: Section, { items, ordered }: Tokens.List): void {
  for (const line of linesIn(items)) {
    const change = changeOf(line)
    if (change === undefined) continue
    // A heading that a person wrote is more precise than the prefix of a commit.
    const section =
      current.heading === '' && change.kind !== undefined
        ? sectionFor(sections, change.kind, change.kind)
        : current
    section.points.push(change.text)
    section.isNumbered &&= ordered
  }
}

const rank = ({ heading, kind }: Section) => {
  if (kind !== undefined) return { breaking: 0.5, new: 1, improved: 2, fixed: 3 }[kind]
  return heading === '' ? 0 : 1
}

function renderSections(sections: Section[], language: Language, base: string | undefined): string {
  const parts: string[] = []
  let left = maxPoints
  let more = 0
  for (const section of sections.toSorted((one, other) => rank(one) - rank(other))) {
    const points = section.points.slice(0, left)
    left -= points.length
    more += section.points.length - points.length
    parts.push(renderSection({ ...section, points }, language, base))
  }
  if (more > 0)
    parts.push(`<p>${Bun.escapeHTML(message(language, 'release_more', { count: more }))}</p>`)
  return parts.filter((part) => part !== '').join('\n')
}

const verbs: Partial<Record<ChangeKind, RegExp>> = {
  new: /^add(?:s|ed)?\s+(?=\p{L})/iu,
  improved: /^improve[sd]?\s+(?=\p{L})/iu,
  fixed: /^fix(?:e[sd])?\s+(?!(?:that|when|where|if|how|up|for)\b)(?=\p{L})/iu,
}

/** A change without the verb that the heading above it says already: `Fixed: Fix crash`. */
const withoutVerb = (line: string, kind: ChangeKind | undefined): string => {
  const verb = kind && verbs[kind]
  const rest = verb ? line.replace(verb, '') : line
  return rest === line ? line : capitalize(rest)
}

function renderSection(
  { heading, kind, prose, points, isNumbered, closing }: Section,
  language: Language,
  base: string | undefined,
): string {
  const name = kind === undefined ? heading : message(language, `release_${kind}`, {})
  const rendered = (paragraphs: readonly string[]) =>
    paragraphs.map((one) => renderMarkdown(one, { base })).filter((html) => html !== '')
  const text = rendered(prose)
  const textBelow = rendered(closing)
  const [point] = points.map((one) => withoutVerb(one, kind))
  const isAlone = text.length + textBelow.length === 0
  if (point === undefined && isAlone) return ''
  const label = renderInline(name)
  if (point !== undefined && points.length === 1 && isAlone)
    return `<p>${label === '' ? '' : `<strong>${label}:</strong> `}${renderInline(point, base)}</p>`
  const items = points.map(
    (one) => `<li>${renderInline(capitalize(withoutVerb(one, kind)), base)}</li>`,
  )
  const list = isNumbered ? 'ol' : 'ul'
  return [
    ...(label === '' ? [] : [`<h3>${label}</h3>`]),
    ...text,
    ...(items.length === 0 ? [] : [`<${list}>\n${items.join('\n')}\n</${list}>`]),
    ...textBelow,
  ].join('\n')
}
