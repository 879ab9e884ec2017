import { isCounted, isCountedAlone } from './counted-words.ts'

// After the marks of quotes. With more spaces, the line is code or belongs to the point above it.
const numberedLine = /^((?: {0,3}>)* {0,3})(\d{1,9})([.)])(?=\s|$)/
const pointLine = /^((?: {0,3}>)* {0,3})((?:(\d{1,9})[.)]|[-*+•◦▪‣·])(?:( {1,4})(?=\S)|\s|$))/
const fence = /^(?: {0,3}>)* {0,3}(`{3,}|~{3,})(.*)$/

/** A line that begins as a point of a list. */
interface Point {
  line: number
  /** Undefined for a point without a number. */
  value: number | undefined
  /** Its first word. */
  word: string
  /** Whether this word makes its number a date, a rank or the like, and no sentence continues it. */
  isAlone: boolean
  /** The numbered points of its level without a paragraph between them. */
  group: Group
  /** The column of its text: a line that begins there or further right is part of the point. */
  textAt: number
  /** The point of which it is a part. */
  parent: Point | undefined
  /** Whether it has the next number of the one before it. */
  isNext: boolean
  /** The one before it, when both can be dates: they are of a list if their group has other points. */
  dateBefore: Point | undefined
  isOfList: boolean
}

interface Group {
  size: number
  /** How many of its points have the number 1. */
  ones: number
  /** How many of its points are dates, ranks or the like. */
  counted: number
}

/** Points that begin at about the same column, one below the other. */
interface Level {
  latest: Point
  latestNumbered: Point | undefined
  /** Whether a paragraph below it has ended its list. */
  hasEnded: boolean
}

/**
 * The lines that begin with a number which begins no list, as `24. Dezember: geschlossen`: the numbered lines before and
 * after them with the same indentation, if any, have other numbers than the previous and the next one, or all of them count
 * days, ranks or the like: `1. Mai`, `2. Mai`. People also write `1.` before each of three points or more, and leave out a
 * few numbers of a list. A line with a 1 that is indented below a point of a list is part of it, and two spaces behind a
 * number always make a point. Code has no such lines.
 */
export function linesWithLoneNumber(lines: readonly string[]): ReadonlySet<number> {
  const points: Point[] = []
  const levelsOfQuotes = new Map<number, Level[]>()
  let isAfterBlank = false
  for (const [line, text] of withoutCode(lines)) {
    const found = pointOf(line, text)
    if (found !== undefined) {
      const levels = levelsOfQuotes.get(found.quotes) ?? []
      levelsOfQuotes.set(found.quotes, levels)
      addPoint(levels, found.column, found.point)
      points.push(found.point)
    } else if (isAfterBlank) endLists(levelsOfQuotes.get(0), text)
    isAfterBlank = text.trim() === ''
  }
  joinMixedGroups(points)
  for (const point of points)
    point.isOfList ||=
      isOfOnes(point.group) ||
      (point.value === 1 && point.parent?.isOfList === true && !isCounted(point.word))
  return new Set(points.filter(({ isOfList }) => !isOfList).map(({ line }) => line))
}

/** Puts points that can be dates into a list when their group has other points, too. */
function joinMixedGroups(points: readonly Point[]): void {
  for (const point of points) {
    const { group, dateBefore } = point
    if (dateBefore === undefined || group.counted === group.size) continue
    dateBefore.isOfList = true
    point.isOfList = true
  }
}

/** The lines outside of code with their numbers. */
function* withoutCode(lines: readonly string[]): Generator<[line: number, text: string]> {
  let code: string | undefined
  for (const [line, text] of lines.entries()) {
    const [, mark = '', rest = ''] = fence.exec(text) ?? []
    if (code === undefined && mark !== '' && !rest.includes('`')) code = mark
    else if (code !== undefined && mark.startsWith(code) && rest.trim() === '') code = undefined
    if (code === undefined) yield [line, text]
  }
}

/** The point with which a line begins, after the marks of how many quotes, and in which column behind them. */
function pointOf(line: number, text: string) {
  const [, prefix = '', start, digits, spaces = ''] = pointLine.exec(text) ?? []
  if (start === undefined) return undefined
  const quotes = prefix.split('>').length - 1
  const column = prefix.length - prefix.lastIndexOf('>') - (quotes > 0 ? 2 : 1)
  const value = digits === undefined ? undefined : Number(digits)
  const textAt = column + start.length
  const isOfList = value === undefined || spaces.length > 1
  const group = { size: 0, ones: 0, counted: 0 }
  const words = text.slice(prefix.length + start.length)
  const [word = ''] = words.split(/[\s:,]/, 1)
  const point: Point = {
    line,
    value,
    word,
    isAlone: isCountedAlone(words),
    group,
    textAt,
    parent: undefined,
    isNext: false,
    dateBefore: undefined,
    isOfList,
  }
  return { point, quotes, column }
}

/** A paragraph that is further left than the text of a point ends its list. */
function endLists(levels: Level[] = [], text: string): void {
  const [outermost] = levels
  const column = text.search(/\S/)
  if (outermost === undefined || column < 0 || column >= outermost.latest.textAt) return
  levels.length = 1
  outermost.hasEnded = true
}

/** Adds a point to the list that it continues, or to a new one. */
function addPoint(levels: Level[], column: number, point: Point): void {
  while (levels.length > 1 && column < (levels.at(-2)?.latest.textAt ?? 0)) levels.pop()
  const level = levels.at(-1)
  const isNew = level === undefined || (!level.hasEnded && column >= level.latest.textAt)
  point.parent = isNew ? level?.latest : levels.at(-2)?.latest
  const before = isNew ? undefined : level.latestNumbered
  if (point.value !== undefined) addNumber(point, before, { isBelowText: level?.hasEnded === true })
  const latestNumbered = point.value === undefined ? before : point
  if (!isNew) levels.pop()
  levels.push({ latest: point, latestNumbered, hasEnded: false })
}

/** A larger step is a date below the list. */
const largestStep = 4

/** Adds a numbered point to the group and the list of the one before it, if it continues them. */
function addNumber(
  point: Point,
  before: Point | undefined,
  { isBelowText }: { isBelowText: boolean },
): void {
  if (before !== undefined && !isBelowText) point.group = before.group
  point.group.size += 1
  if (point.value === 1) point.group.ones += 1
  if (isDate(point, before)) point.group.counted += 1
  if (before !== undefined) joinList(before, point)
}

/** `1. Mai: frei` and `2. Juni: frei` are dates, and `1. August ist neu` and `2. Mai ist neu` are not. */
function isDate(point: Point, before: Point | undefined): boolean {
  if (!isCounted(point.word)) return false
  if (before === undefined || stepOf(before, point) !== 1 || before.word === point.word) return true
  return before.isAlone && point.isAlone
}

const stepOf = (before: Point, point: Point) => (point.value ?? 0) - (before.value ?? 0)

/** Puts a point into the list of the one before it, if its number continues that. */
function joinList(before: Point, point: Point): void {
  const step = stepOf(before, point)
  // `1. Mai` and `2. Mai` are dates, whose numbers a list would change.
  if (isCounted(before.word) && isCounted(point.word)) {
    if (step === 1) point.dateBefore = before
    return
  }
  const isAfterGap =
    step > 1 && step <= largestStep && before.isNext && before.group === point.group
  if (step !== 1 && (!isAfterGap || before.word === point.word)) return
  point.isNext = true
  point.isOfList = true
  before.isOfList = true
}

/** Two such points can be dates, as `1. Mai` and `1. November` are. */
const isOfOnes = ({ size, ones, counted }: Group): boolean =>
  ones >= 3 && ones === size && counted < size

/** Markdown in which numbers that begin no list stay as they were written. */
export function escapeLoneNumbers(markdown: string): string {
  const lines = markdown.split('\n')
  const lone = linesWithLoneNumber(lines)
  return lines
    .map((text, line) => (lone.has(line) ? text.replace(numberedLine, '$1$2\\$3') : text))
    .join('\n')
}
