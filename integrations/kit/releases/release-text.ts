import { nameFromLogin } from '../item.ts'
import { replaceEmojiCodes } from '../text/emoji-codes.ts'
import { readHeading } from './release-headings.ts'
import { maxLineCharacters, singleSpaced, withoutReferences } from './release-lines.ts'

const fencedCode = /^(```|~~~)[\s\S]*?(?:^\1[^\S\n]*$|$(?![\s\S]))/gm

const withoutComments = (source: string) => source.replace(/<!--[\s\S]*?(?:-->|$)/g, '')

/**
 * Release notes as Markdown without comments: headings and lists in HTML become Markdown, and lines without bullets that each
 * name a change become points. Code stays as it is.
 */
export function notesAsMarkdown(notes: string): string {
  const source = withoutComments(notes)
  const parts: string[] = []
  let end = 0
  for (const { index, 0: code } of source.matchAll(fencedCode)) {
    parts.push(convert(source.slice(end, index)), code)
    end = index + code.length
  }
  return [...parts, convert(source.slice(end))].join('')
}

// What Git and code hosts add to a message: who approved a change, with an email address, and what was merged.
const addedLine =
  /^[^\S\n]*(?:[a-z]{2,20}(?:-[a-z]{2,20}){0,3}-by:|change-id:|reviewed-on:|see merge request\s+\S*!\d|merged in \S+ \(pull request #\d|merge (?:pull request #\d|(?:remote-tracking )?(?:branch|tag) ['"])).*$/gim

const convert = (text: string): string =>
  withPoints(withHeadings(htmlAsMarkdown(text.replace(addedLine, ''))))

const blockTag = /<(?:h[1-6]|ul|ol|li)\b[^<>]*>/i

const tags: [RegExp, string | ((match: string, level: string) => string)][] = [
  [/^[^\S\n]+(?=<)/gm, ''],
  [/<h([1-6])\b[^<>]*>\s*/gi, (_, level) => `\n\n${'#'.repeat(Number(level))} `],
  [/(?<!\s)\s*<\/h[1-6]>/gi, '\n\n'],
  [/<li\b[^<>]*>\s*/gi, '\n- '],
  [/(?<!\s)\s*<\/li>/gi, ''],
  [/<\/?(?:ul|ol|p)\b[^<>]*>/gi, '\n\n'],
  [/<br\s*\/?>/gi, '\n'],
  [/<\/?(?:strong|b)>/gi, '**'],
  [/<\/?(?:em|i)>/gi, '_'],
  [/<\/?code>/gi, '`'],
  [/<a\b(?=[^<>]*\bhref="(https?:[^"<>()\s]+)")[^<>]*>([^<[\]]*)<\/a>/gi, '[$2]($1)'],
]

/** Notes that have headings or lists in HTML as Markdown; others stay as they are. */
function htmlAsMarkdown(text: string): string {
  if (!blockTag.test(text)) return text
  return tags.reduce(
    (rest, [tag, markdown]) =>
      typeof markdown === 'string' ? rest.replace(tag, markdown) : rest.replace(tag, markdown),
    text,
  )
}

// `✨ Offline maps` (gitmoji.dev), `feat(maps): offline`, `New: offline maps`.
const changeLine =
  /^[^\S\n]*(?:\p{Extended_Pictographic}(?:\ufe0f|\u200d|\p{Extended_Pictographic})*\s+\S|(?:feat|feature|fix|bugfix|perf|refactor|chore|ci|build|tests?|docs?|style|revert|deps)(?:\([^()\n]{1,40}\))?!?:\s|(?:new|added?|fix(?:ed|es)?|improved?|changed?|removed?)\s*:\s)/iu

/** Paragraphs in which each line names a change as lists. */
const withPoints = (text: string): string =>
  text
    .split(/(\n[^\S\n]*\n)/)
    .map((part) => {
      const lines = replaceEmojiCodes(part)
        .split('\n')
        .filter((line) => line.trim() !== '')
      const isList = lines.length > 1 && lines.every((line) => changeLine.test(line))
      return isList ? lines.map((line) => `- ${line.trim()}`).join('\n') : part
    })
    .join('')

const boldLabel = /^(?:\*\*|__)(?=\S)([^*_]{1,60}?):?(?:\*\*|__):?\s*$/
// At most three words.
const plainLabel = /^(\p{L}[\p{L}\p{N}&/’'-]{0,30}(?: [\p{L}\p{N}&/’'-]{1,30}){0,2}):\s*$/u
const listStart = /^\s{0,3}(?:[-*+]|1[.)])\s/

/** Whether the next line with words begins a list. */
function isAboveList(lines: readonly string[], at: number): boolean {
  const [next = '', second = ''] = lines.slice(at + 1, at + 3)
  return listStart.test(next.trim() === '' ? second : next)
}

/** The words of a line that names what is in the list below it: `**Fixes:**`, `Fixes:`. */
function labelAt(lines: readonly string[], at: number): { words: string; isBold: boolean } | null {
  const line = lines[at] ?? ''
  const bold = boldLabel.exec(line)?.[1]
  const words = bold ?? plainLabel.exec(line)?.[1]
  if (words === undefined || labelOnly.test(line) || !isAboveList(lines, at)) return null
  return { words, isBold: bold !== undefined }
}

/**
 * Labels above lists as headings, so that no point is below the label of another list. A single line that names no kind of
 * changes, such as `This release has:`, is a sentence.
 */
function withHeadings(text: string): string {
  const lines = text.split('\n')
  const labels = lines.map((_, at) => labelAt(lines, at))
  const areMany = labels.filter((label) => label !== null).length > 1
  const isHeading = (words: string) => {
    const { kind, isLeftOut } = readHeading(words)
    return areMany || kind !== undefined || isLeftOut
  }
  return lines
    .map((line, at) => {
      const label = labels[at]
      return label && (label.isBold || isHeading(label.words)) ? `### ${label.words}` : line
    })
    .join('\n')
}

const markedReference = String.raw`(?:GH-\d+|[#!&]\d+|[~%](?:"[^"]+"|[\w:-]+))`
const markedReferences = `${markedReference}(?:(?:\\s*,\\s*|\\s+and\\s+|\\s*&\\s*)${markedReference})*`
// A sentence that only refers to issues: `See !123 and #45.`
const referenceSentence = new RegExp(
  String.raw`(?<=^|[.!?]\s+)(?:(?:see(?: also)?|close[sd]?|fix(?:e[sd])?|refs?|resolve[sd]?|relate[sd](?: to)?|part of|implement(?:s|ed)?)\b[:\s]*)?${markedReferences}(?:\.(?=\s|$)|(?=$))`,
  'gim',
)
const referencePhrase = new RegExp(
  String.raw`(?<!\s)\s+(?:in|via|from|with|by|see)\s+${markedReferences}`,
  'gi',
)
/** https://docs.gitlab.com/user/project/quick_actions/ */
const quickAction =
  /(?:^|(?<=\s))\/(?:(?:un|re)?label|(?:un|re)?assign(?:_reviewer)?|milestone|remove_\w+|close|reopen|due|estimate|spend|weight|todo|done|cc|subscribe|unsubscribe|confidential|duplicate|epic|iteration|copy_metadata|lock|unlock|move|promote|zoom|award|tag|target_branch|draft|ready|merge|rebase|approve|health_status|shrug|tableflip)(?=\s|$)(?:[^\S\n]+(?:[~%](?:"[^"\n]+"|[\w:-]+)|@[\w.-]+))*/gim
const changelogLine =
  /^[^\S\n]*(?:\*\*|__)?(?:full (?:changelog|diff)|compare|diff|commits|changelog)(?:\*\*|__)?\s*:?.*(?:https?:|\.\.\.|\]\().*$/gim
const checksum = /(?<![\w/=-])[0-9a-f]{32,}(?![\w/=-])/i
const releasedSentence =
  /^(?:(?:version|release)\s+)?\S*v?\d[\w.+-]*\s+(?:has been|was|is|is now)\s+(?:released|out|available)[.!]?$/i
// What remains of `Download: https://…`, and a label above a list of commits.
const labelOnly =
  /^(?:\*\*|__)?(?:commits|downloads?|details|links?|more|docs|documentation|changelog|source|website|checksums?|assets|docker images?)(?:\*\*|__)?\s*:?(?:\*\*|__)?$/i
// The message of a tag or a commit that programs write: `chore(release): 2.0.0`, `Bump version to 2.0.0`.
const releaseCommit =
  /^(?:\[maven-release-plugin\]\s.*|(?:chore|build|ci)(?:\([^()]{1,40}\))?!?:\s+(?:\w+\s+){0,3}v?\d[\w.+-]*|(?:bump|tag|prepare)\w*\s+(?=.*(?:\d\.\d|\bv\d|\b(?:version|release)\b))(?:(?:the|for|version|release|to|from\s\S+)\s+)*\S*\d[\w.+-]*)[.!]?$/i
const versionOnly = /^(?:(?:version|release)\s+)?v?\d+(?:\.\d+)+[\w.+-]*$/i
const login =
  /(?<![\p{L}\p{N}_/`@.-])@([a-z\d](?:[a-z\d-]{0,37}[a-z\d])?)(?![\p{L}\p{N}_/@]|\.\d)/giu

// Who is notified, a generated table of contents, and the frame of a note.
const frameLine = /^(?:cc:?\s.*|\[\[\s*_?toc_?\s*\]\]|:::.*)$/i

/** The time for the first two grows with the square of a line. */
const unreadShortLines = [releasedSentence, releaseCommit, versionOnly, labelOnly]

const isUnread = (line: string): boolean =>
  checksum.test(line) ||
  frameLine.test(line) ||
  (line.length <= maxLineCharacters && unreadShortLines.some((pattern) => pattern.test(line)))

// Quick actions whose value is the rest of the line: `/due tomorrow`.
const quickActionLine =
  /^[^\S\n]*\/(?:due|estimate|spend|weight|milestone|iteration|epic|copy_metadata|move|duplicate|tag|target_branch)[^\S\n].*$/gim

/** A text without the quick actions of GitLab. */
export const withoutQuickActions = (text: string): string =>
  text.replace(quickActionLine, '').replace(quickAction, '')

/**
 * A paragraph of release notes without the parts that only developers read: changelog links, issue
 * numbers, quick actions and bare addresses. Account names become names. Empty when nothing
 * remains.
 */
export function releaseProse(markdown: string): string {
  const words = withoutQuickActions(singleSpaced(markdown).replace(changelogLine, ''))
  const lines = singleSpaced(words)
    .replace(referenceSentence, '')
    .replace(referencePhrase, '')
    .replace(/^[^\S\n]*\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][^\S\n]*$/gm, '')
    .split('\n')
    .map((line) => withoutReferences(line).replace(login, (_, name: string) => nameFromLogin(name)))
    .filter((line) => line !== '' && !isUnread(line))
  return lines.join('\n').trim()
}
