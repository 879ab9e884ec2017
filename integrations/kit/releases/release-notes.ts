import type { Language } from '../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../src/locales/index.ts'
import { capitalize } from '../item.ts'
import { cutText, renderInline, renderMarkdown } from '../markdown/markdown.ts'
import { isAtEnd } from './release-headings.ts'
import type { ChangeKind } from './release-lines.ts'
import { type NotesSection, readSections } from './release-sections.ts'

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

const maxPoints = 8

/** Longer notes are cut before they are parsed. */
const maxNotesCharacters = 64 * 1024

/** The HTML body of a release: what changed for people, never empty. */
export function releaseBody({ notes, title, lead, base, language }: ReleaseNotesInput): string {
  const source = cutText(notes ?? '', maxNotesCharacters)
  const html = renderSections(readSections(source, title), language, base)
  const first = lead === undefined ? '' : `<p>${Bun.escapeHTML(lead)}</p>`
  const maintenance = `<p>${Bun.escapeHTML(formatMessage(language, 'release_maintenance', {}))}`
  if (html === '') return first || `${maintenance}</p>`
  const onlyEmoji = !/[\p{L}\p{N}]/u.test(html.replace(/<[^>]*>/g, ''))
  const body = onlyEmoji ? `${maintenance} ${html.replace(/<[^>]*>/g, '').trim()}</p>` : html
  return [first, body].filter((part) => part !== '').join('\n')
}

const rank = ({ heading, kind }: NotesSection) => {
  if (kind !== undefined) return { breaking: 0.5, new: 1, improved: 2, fixed: 3 }[kind]
  if (heading === '') return 0
  return isAtEnd(heading) ? 4 : 1
}

function renderSections(
  sections: NotesSection[],
  language: Language,
  base: string | undefined,
): string {
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
    parts.push(`<p>${Bun.escapeHTML(formatMessage(language, 'release_more', { count: more }))}</p>`)
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
  { heading, kind, prose, points, isNumbered, closing }: NotesSection,
  language: Language,
  base: string | undefined,
): string {
  const name = kind === undefined ? heading : formatMessage(language, `release_${kind}`, {})
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
