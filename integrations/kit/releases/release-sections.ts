import type { Token, Tokens } from 'marked'
import { capitalize } from '../item.ts'
import { parseMarkdown } from '../markdown/markdown-parser.ts'
import { readHeading } from './release-headings.ts'
import { type ChangeKind, changeOf, namesAuthor, withoutReferences } from './release-lines.ts'
import { notesAsMarkdown, releaseProse, withoutQuickActions } from './release-text.ts'
import { isAnnouncement } from './release-title.ts'

/** A part of the notes under one heading; the heading is empty for the introduction. */
export interface NotesSection {
  heading: string
  kind: ChangeKind | undefined
  prose: string[]
  points: string[]
  /** Whether all points are from numbered lists, such as the steps of an upgrade. */
  isNumbered: boolean
  /** Prose and tables below the points. */
  closing: string[]
}

/** Paragraphs of prose that are shown; longer notes end with an ellipsis. */
const maxParagraphs = 20

/** The sections that were read so far. */
interface ReadNotes {
  sections: NotesSection[]
  paragraphs: number
}

/**
 * The sections of release notes in Markdown that readers need, in their order. Changes of one kind are in one
 * section; commits, contributors and maintenance are left out, as is the title of the block.
 */
export function readSections(source: string, title: string): NotesSection[] {
  const sections: NotesSection[] = []
  const read: ReadNotes = { sections, paragraphs: 0 }
  let current: NotesSection | undefined = sectionFor(sections, '', undefined)
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

function sectionFor(
  sections: NotesSection[],
  heading: string,
  kind: ChangeKind | undefined,
): NotesSection {
  const known = sections.find((one) => (kind ? one.kind === kind : one.heading === heading))
  if (known !== undefined) return known
  const section: NotesSection = {
    heading,
    kind,
    prose: [],
    points: [],
    isNumbered: true,
    closing: [],
  }
  sections.push(section)
  return section
}

const plainWords = (text: string) =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/:[\w+-]+:|[^\p{L}\p{N}\s.'’&-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The section that a heading starts; `undefined` when readers do not need its content. */
function openSection(
  sections: NotesSection[],
  heading: string,
  title: string,
): NotesSection | undefined {
  // GitLab counts below a heading: `Added (3 changes)`.
  const words = plainWords(heading.replace(/\s*\(\d+ changes?\)\s*$/i, ''))
  const { kind, isLeftOut, isGeneral } = readHeading(words)
  if (kind !== undefined) return sectionFor(sections, words, kind)
  if (isLeftOut) return undefined
  // `tideline v7 “Winter release” is out` has the name of the release in quotes.
  const names = [title, /“([^”]+)”/.exec(title)?.[1] ?? title].map(plainWords)
  const isTitle = names.some((name) => name.toLowerCase() === words.toLowerCase())
  if (words === '' || isTitle || isGeneral) return sectionFor(sections, '', undefined)
  return sectionFor(sections, capitalize(withoutReferences(heading)), undefined)
}

function addTo(read: ReadNotes, current: NotesSection, token: Token): void {
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
const proseOf = ({ prose, points, closing }: NotesSection) =>
  points.length === 0 ? prose : closing

/** Ends a sentence that leads to a part that is left out: `After three years:`. */
function endSentence(prose: string[]): void {
  const last = prose.at(-1)
  if (last !== undefined) prose[prose.length - 1] = last.replace(/:$/, '.')
}

function addProse(read: ReadNotes, current: NotesSection, token: Token): void {
  const isQuote = token.type === 'blockquote'
  const text = releaseProse(isQuote ? token['text'] : token.raw)
  if (text === '' || isAnnouncement(text)) return
  read.paragraphs += 1
  if (read.paragraphs > maxParagraphs) proseOf(current).push('…')
  else proseOf(current).push(isQuote ? quoted(text) : text)
}

const quoted = (text: string) => text.replace(/^/gm, '> ')

/** The lines of a list in order. Lines below a line that is left out are left out, too. */
function linesIn(items: Tokens.ListItem[], isAmongCredits: boolean): string[] {
  return items.flatMap(({ tokens, task, checked }) => {
    const own = tokens.find(({ type }) => type === 'text' || type === 'paragraph')
    const line = withoutQuickActions(own?.raw ?? '')
      .replace(/^\[[ x]\]\s+/i, '')
      .replace(/\s*\n\s*/g, ' ')
      .trim()
    const nested = tokens.filter((token): token is Tokens.List => token.type === 'list')
    if (changeOf(line, isAmongCredits) === undefined || (task && !checked)) return []
    return [line, ...nested.flatMap((list) => linesIn(list.items, isAmongCredits))]
  })
}

function addChanges(sections: NotesSection[], current: NotesSection, list: Tokens.List): void {
  const isAmongCredits = list.raw.split('\n').some(namesAuthor)
  for (const line of linesIn(list.items, isAmongCredits)) {
    const change = changeOf(line, isAmongCredits)
    if (change === undefined) continue
    // A heading that a person wrote is more precise than the prefix of a commit.
    const section =
      current.heading === '' && change.kind !== undefined
        ? sectionFor(sections, change.kind, change.kind)
        : current
    section.points.push(change.text)
    section.isNumbered &&= list.ordered
  }
}
