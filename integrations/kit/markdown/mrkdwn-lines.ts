import { escapeMarkdown } from './escape-markdown.ts'
import { linesWithLoneNumber } from './lone-numbers.ts'

type Line = Point | { kind: 'text' | 'quote'; text: string }

interface Point {
  kind: 'list'
  text: string
  /** The mark of the point in Markdown, which a space follows. */
  mark: string
  /** How far the line is indented. */
  column: number
}

/** Lines of Slack's format as lines of Markdown. */
export function linesToMarkdown(lines: readonly string[]): string[] {
  const lone = linesWithLoneNumber(lines).union(linesWithLoneAsterisk(lines))
  const read: Line[] = []
  for (const [at, line] of lines.entries())
    read.push(pointOf(line, { beginsList: !lone.has(at), before: read.at(-1) }) ?? otherLine(line))
  return separateBlocks(read, nestPoints(read))
}

interface Surroundings {
  /** False when a number or an asterisk at the start of the line is not that of a point. */
  beginsList: boolean
  before: Line | undefined
}

// Slack has `◦` and `▪` for points in points, and writes `a.` and `i.` for those of numbered lists. Before a space, `*` is
// no mark of bold words.
const bulletPoint = /^(\s*)[•◦▪‣·*-]\ufe0e?\s+(.*)$/
const numberedPoint = /^(\s*)(\d{1,3})[.)](\s+)(.*)$/
const letteredPoint = /^(\s{2,})(?:[a-z]|[ivx]{2,5})\.\s+(.*)$/

function pointOf(line: string, { beginsList, before }: Surroundings): Point | undefined {
  const bullet = bulletOf(line, beginsList)
  if (bullet) return bullet
  const [, start = '', number, gap = '', item = ''] = (beginsList && numberedPoint.exec(line)) || []
  // Two spaces make a point also of a number that is not the next one.
  if (number !== undefined) return point(start, gap.length > 1 ? `${number}. ` : `${number}.`, item)
  const isBelowNumber = before?.kind === 'list' && before.mark !== '-'
  const [, space = '', inner] = (isBelowNumber && letteredPoint.exec(line)) || []
  return inner === undefined ? undefined : point(space, '1.', inner)
}

function bulletOf(line: string, beginsList: boolean): Point | undefined {
  if (rule.test(line) || (asteriskLine.test(line) && !beginsList)) return undefined
  const [, indent = '', bullet] = bulletPoint.exec(line) ?? []
  return bullet === undefined ? undefined : point(indent, '-', bullet)
}

/** What people write as a rule, such as `* * *`. */
const rule = /^\s*\*\s+[*=_~-][\s*=_~-]*$/

const asteriskLine = /^\s*\*\s/
const otherBullet = /^\s*[•◦▪‣·-]\ufe0e?\s/
const footnoteMark = /[^\s*]\*(?=[\s.,;:!?)]|$)/

/**
 * The lines that begin with an asterisk and are no points: those below a word with an asterisk, which are its
 * footnotes, and those that are not beside another such line, between two bullets, directly below one or inside of a
 * point.
 */
function linesWithLoneAsterisk(lines: readonly string[]): Set<number> {
  // A mark in a point does not end the list of this point.
  const marked = lines.findIndex((line) => !asteriskLine.test(line) && footnoteMark.test(line))
  const starts = lines.flatMap((line, at) => (asteriskLine.test(line) ? [at] : []))
  return new Set(
    starts.filter((at) => {
      const isFootnote = marked !== -1 && marked < at
      const beside = [lineBeside(lines, at, -1), lineBeside(lines, at, 1)]
      const isList =
        beside.some((line) => asteriskLine.test(line)) ||
        beside.every((line) => otherBullet.test(line)) ||
        otherBullet.test(lines[at - 1] ?? '')
      return isFootnote || !(isList || isInside(lines[at] ?? '', lines[at - 1] ?? ''))
    }),
  )
}

const columnOf = (line: string) => line.length - line.trimStart().length

/** The next line in a direction that is not empty and not indented further. */
function lineBeside(lines: readonly string[], at: number, step: 1 | -1): string {
  const column = columnOf(lines[at] ?? '')
  for (let next = at + step; ; next += step) {
    const line = lines[next]
    if (line === undefined) return ''
    if (line.trim() !== '' && columnOf(line) <= column) return line
  }
}

const isInside = (line: string, above: string): boolean =>
  (otherBullet.test(above) || numberedPoint.test(above)) && columnOf(line) > columnOf(above)

const point = (indent: string, mark: string, text: string): Point => ({
  kind: 'list',
  text: escapeMarkdown(text),
  mark,
  column: indent.replaceAll('\t', '    ').length,
})

function otherLine(line: string): Line {
  const [, quote] = /^\s*>{1,3}\s?(.*)$/.exec(line) ?? []
  if (quote !== undefined) return { kind: 'quote', text: `> ${escapeMarkdown(quote)}` }
  return { kind: 'text', text: escapeStart(escapeMarkdown(line.trim())) }
}

/** Escapes the start of a line, so that it is not read as a heading, list or rule. */
const escapeStart = (line: string) =>
  line.replace(/^([+=-])/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** The texts of the lines. A point that is indented further than another begins below the text of that, as Markdown has it. */
function nestPoints(lines: readonly Line[]): string[] {
  let outer: Point[] = []
  return lines.map((line) => {
    if (line.kind !== 'list') {
      if (line.text !== '') outer = []
      return line.text
    }
    // By one space, people align the numbers of a list.
    outer = outer.filter(({ column }) => line.column - column > 1)
    const width = outer.reduce((sum, { mark }) => sum + mark.length + 1, 0)
    outer.push(line)
    return `${' '.repeat(width)}${line.mark} ${line.text}`
  })
}

/** Adds a blank line after a list or quote, because Markdown would add the next line to it. */
const separateBlocks = (lines: readonly Line[], texts: readonly string[]): string[] =>
  texts.flatMap((text, index) => {
    const kind = lines[index]?.kind
    const before = lines[index - 1]?.kind ?? kind
    return before === kind ? [text] : ['', text]
  })
