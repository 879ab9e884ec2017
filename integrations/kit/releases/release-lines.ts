import { capitalize, nameFromLogin } from '../item.ts'
import { ticketNumber } from '../text/ticket-number.ts'
import { isBot, readAuthor } from './release-authors.ts'

/** The part of a release to which a change belongs. */
export type ChangeKind = 'breaking' | 'new' | 'improved' | 'fixed'

/** One change of a release, in words for readers. */
export interface ChangeLine {
  /** Markdown in one line. */
  text: string
  /** Undefined when the line does not name it. */
  kind: ChangeKind | undefined
}

const codeReference = String.raw`(?:GH-\d+|[#!&]\d+)`
const reference = `(?:${codeReference}|${ticketNumber})`
const hash = '[0-9a-f]{7,40}'
const linkedReference = new RegExp(
  String.raw`\(?\[\x60?(?:${reference}|${hash}|(?:[\w-]+/)+[\w-]+[#!]\d+)\x60?\]\([^)\s]*\)\)?`,
  'g',
)
// GitLab's changelog: `[Fix login](group/project@0a1b2c3d) ([merge request](group/project!7))`.
const mergeRequest = /\s*\(\[merge request\]\([^)\s]*\)\)/gi
const linkToCommit = new RegExp(
  String.raw`\[(?!\x60?${hash}\x60?\])([^\]]+)\]\([^)\s]*(?:@|/commit/)${hash}\)`,
  'g',
)
const looseReference = new RegExp(
  String.raw`\s?[([]\s*(?:(?:closes|fixes|refs?|see|resolves)\s+)?(?:${reference}|\x60?${hash}\x60?)(?:[,\s]+(?:${reference}|\x60?${hash}\x60?))*\s*[)\]]`,
  'gi',
)
// A ticket number alone can be a word of the sentence: `runs on APOLLO-11`.
const trailingReference = new RegExp(
  String.raw`(?<![\s,;–-])[\s,;–-]*(?:(?:\b(?:closes|fixes|refs?|see|resolves|via|in|from)\s+)?${codeReference}|\b(?:closes|fixes|refs?|see|resolves):?\s+${reference})(?:[\s,]+(?:and\s+)?${reference})*(?=[.!]?$)`,
  'i',
)
// `Faster[^1]`, and the line of the note itself.
const footnote = /\[\^[\w-]{1,40}\](?::.*)?/g
// Milestones and labels of GitLab: `%"15.0"`, `~"needs review"`.
const quotedReference = /(?:^|(?<=\s))[~%]"[^"\n]{1,100}"/g
// What leads to a reference, where the line does not end with it itself: `and bug fixes`.
const endsWithLead = /,?\s*\b(?:closes|fixes|resolves|refs)\s*(?=[,.]?\s*$)/i
const commit = new RegExp(
  String.raw`\s+(?:(?:from|of|at|in)\s+)?commit\s+\x60?${hash}\x60?(?=\W|$)`,
  'gi',
)
const compareLink =
  /(?<![\s,;–-])[\s,;–-]*(?:\b(?:compare|diff|see)\s+)?\[[^\]]*\]\([^)\s]*\/compare\/[^)\s]*\)/gi
// An address with the words before it, such as `More at https://…`.
const bareAddress =
  /(?<![\s,;:–-])[\s,;:–-]*(?:\b(?:see|more|details?|at|here|read|find out|on|via|under|and|or|watch|visit|try|listen)\b[\s:]*)*(?<!\]\()<?https?:\/\/[^\s)>]*[^\s)>.,;:!?]>?/gi
const conventional =
  /^(breaking|feat|feature|fix|bugfix|perf|refactor|chore|ci|build|test|tests|docs|doc|style|revert|deps|release|wip)(?:\(([^()]{1,40})\))?!?:\s+/i
// Other ways to write the type of a change: `[BUGFIX] …`, `FIX #33 …`, and `*(parser)* …` of git-cliff.
const labelledTypes: [RegExp, string][] = [
  [/^\[(?:feat|feature|new)\]:?\s+/i, 'feat: '],
  [/^\[(?:fix|bug|bug-?fix|hot-?fix|security)\]:?\s+/i, 'fix: '],
  [/^\[(?:enhancement|improvement|perf|performance)\]:?\s+/i, 'perf: '],
  [/^\[(?:chore|ci|build|tests?|docs?|deps|refactor|internal)\]:?\s+/i, 'chore: '],
  [/^(?:\[\*{0,2}breaking\*{0,2}\]\s+)/i, ''],
  [/^fix(?:e[sd])?\s+#\d+[:,]?\s+(?=\p{L})/iu, 'fix: '],
  [/^\*\(([^()*]{1,40})\)\*\s+/, '**$1:** '],
  // An emoji before another mark of the type, and the emoji of https://gitmoji.dev that have one meaning only.
  [
    /^\p{Extended_Pictographic}\ufe0f?\s+(?=(?:feat|fix|perf|chore|docs|refactor|tests?|ci|build)[(:!])/u,
    '',
  ],
  [/^✨\ufe0f?\s*/u, 'feat: '],
  [/^(?:🐛|🚑|🩹|🔒|🥅)\ufe0f?\s*/u, 'fix: '],
  [/^(?:⚡|💄|🚸|♿|📱|💫)\ufe0f?\s*/u, 'perf: '],
  [/^(?:📝|⬆|⬇|📌|♻|🔧|🔨|👷|💚|🚨|🔖|🚧|🙈|📦|⏪|🏷|⚰|🔀|🧪|➕|➖)\ufe0f?\s*/u, 'chore: '],
  [/^🔥\ufe0f?\s*(?=(?:remove|delete|drop)\b)/iu, 'chore: '],
  [/^(?:new|added?)\s*:\s+/i, 'feat: '],
  [/^fix(?:ed|es)\s*:\s+/i, 'fix: '],
  [/^improved?\s*:\s+/i, 'perf: '],
  [/^💥\ufe0f?\s*/u, 'breaking: '],
]

// With a colon: `**Realtime** cursors` has an emphasis, not a scope.
const boldScope = /^\*\*(?:([^*:]{1,40}):\*\*|([^*:]{1,40})\*\*:)\s+/

const packageVersion = String.raw`[~^]?(?=v\d|\d+\.\d)v?\d[\w.+-]*`
// After the version, bots name the folder or the reason (`in /web`, `[security]`) or the next package. Any other word is a person's.
const afterVersion = String.raw`(?:\s+in\s+\/[^\s,]*|\s+[([][^()[\]]*[)\]]|(?:,|,?\s+and|\s+&)\s+\S+\s+(?:from\s+\S+\s+)?to\s+${packageVersion})*[.!]?$`
const dependency = new RegExp(
  String.raw`^(?:⬆️?\s*)?(?:updated dependenc|lock ?file maintenance|pin dependenc|(?:bump|update|upgrade|pin)s?\s+(?:dependenc|(?:the\s+)?\S+ group(?: (?:across|with|in) .*)?$|all non-major|actions\/|(?!(?:all|each|every|our|your)\b).+ (?:from \S+ )?to ${packageVersion}${afterVersion}|.+ digest to [0-9a-f]{6,}|.+ monorepo)|bumps?\s+\S+ (?:from \S+ )?to \d+${afterVersion}|\x60?@?[\w.-]+(?:\/[\w.-]+)?@v?\d[\w.+-]*\x60?$)`,
  'i',
)
const merge = /^merge (?:pull request|branch|remote|tag)\b/i
const pointer =
  /^(?:see |read )?(?:the )?\[?(?:full )?(?:changelog|release notes|diff|commits?|compare)\]?(?:\([^)]*\))?[.!]?$/i
const unread = /^(?:chore|ci|build|test|tests|style|refactor|deps|docs?|release|revert|wip)$/i

const kinds: Record<string, ChangeKind> = {
  breaking: 'breaking',
  feat: 'new',
  feature: 'new',
  fix: 'fixed',
  bugfix: 'fixed',
  perf: 'improved',
}

/** Whether a point names the author of its change, so that others of its list can end in `by @mina`. */
export const namesAuthor = (line: string): boolean =>
  line.length <= maxLineCharacters &&
  readAuthor(singleSpaced(line.replace(/^\s*[-*+]\s+/, ''))).authors.length > 0

/**
 * A line of release notes in words for readers; `undefined` for a line that only developers and
 * bots need. `isAmongCredits`: whether other lines of its list name their authors.
 */
export function changeOf(text: string, isAmongCredits = false): ChangeLine | undefined {
  const line = singleSpaced(text)
  if (line.length > maxLineCharacters) return { text: line, kind: undefined }
  const { words: change, authors, isFromCodeHost } = readAuthor(line, { isAmongCredits })
  const [author] = authors
  if (author !== undefined && isBot(author)) return undefined
  const bare = withoutReferences(withPlainType(change))
  if ([dependency, merge, pointer].some((pattern) => pattern.test(bare))) return undefined

  const [prefix = '', type = '', scope = ''] = conventional.exec(bare) ?? []
  if (unread.test(type)) return undefined
  const words = scoped(bare.slice(prefix.length), scope)
  if (!/\p{L}/u.test(words) || dependency.test(words)) return undefined
  const kind = kinds[type.toLowerCase()] ?? (isFromCodeHost ? kindByVerb(words) : undefined)
  const ended = words.replace(/(?<=[^.])\.$/, '')
  const names = authors.filter((account) => !isBot(account)).map(nameFromLogin)
  return { text: names.length === 0 ? ended : `${ended} (${names.join(', ')})`, kind }
}

const withPlainType = (line: string): string =>
  labelledTypes.reduce((text, [label, type]) => text.replace(label, type), line)

/** `feat(search): offline index` and `**search:** offline index` become `Search: offline index`. */
function scoped(text: string, scope: string): string {
  const [, inside = '', before = ''] = boldScope.exec(text) ?? []
  const name = scope || inside || before
  const words = scope === '' ? text.replace(boldScope, '') : text
  if (/^deps(?:-dev)?$/i.test(name)) return ''
  if (name === '') return words
  const [first = '', ...others] = name
    .split(/\s*,\s*/)
    .map((one) => (acronym.test(one) ? one.toUpperCase() : one))
  return `${[capitalize(first), ...others].join(', ')}: ${words}`
}

const acronym =
  /^(?:api|cli|css|csv|db|dns|html|https?|json|pdf|sdk|sql|sso|tls|ui|url|ux|xml|yaml)$/i

/** Longer lines are searched in parts: the time for some expressions grows with the square of a line. */
export const maxLineCharacters = 1_000

/** A text with one space in place of every run of spaces. */
export const singleSpaced = (text: string): string => text.replace(/[^\S\n]+/g, ' ')

/** A line without commit hashes, issue numbers and bare addresses. */
export const withoutReferences = (line: string): string =>
  sentencesOf(singleSpaced(line)).map(removeReferences).join(' ')

/** The sentences of a line, joined while they fit into a part that can be searched. */
function sentencesOf(line: string): string[] {
  if (line.length <= maxLineCharacters) return [line]
  const parts: string[] = []
  for (const sentence of line.split(/(?<=[.!?]) /)) {
    const joined = `${parts.at(-1)} ${sentence}`
    if (parts.length > 0 && joined.length <= maxLineCharacters) parts[parts.length - 1] = joined
    else parts.push(sentence)
  }
  return parts
}

function removeReferences(line: string): string {
  if (line.length > maxLineCharacters) return line
  const lead = endsWithLead.test(line) ? '' : endsWithLead
  return line
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(footnote, '')
    .replace(/==(?=\S)([^=\n]+)(?<=\S)==/g, '$1')
    .replace(quotedReference, '')
    .replace(mergeRequest, '')
    .replace(linkToCommit, '$1')
    .replace(linkedReference, '')
    .replace(compareLink, '')
    .replace(looseReference, '')
    .replace(commit, '')
    .replace(bareAddress, '')
    .replace(new RegExp(String.raw`^\s*\x60?(?=[0-9a-f]*\d)${hash}\x60?:?\s+`), '')
    .replace(trailingReference, '')
    .replace(lead, '')
    .replace(/\(\s*[,\s]*\)|\[\s*\]/g, '')
    .replace(/(?<=\S) [–—-]+ ?$/, '')
    .replace(/\s+([,.;!?])(?![\p{L}\p{N}])/gu, '$1')
    .replace(/([.!?])\.+$/, '$1')
    .replace(/[^\S\n]{2,}/g, ' ')
    .trim()
}

const verbs: [RegExp, ChangeKind][] = [
  [/^(?:fix|resolve|correct|prevent|handle|repair|avoid|don'?t|stop)/i, 'fixed'],
  [
    /^(?:improv|updat|faster|speed|reduc|optimi|renam|chang|upgrad|polish|simplif|remov|drop|move|clean|better|tweak|adjust|use )/i,
    'improved',
  ],
]

/**
 * The kind of a change by its first word. A change that a code host listed without a heading is
 * new.
 */
const kindByVerb = (words: string): ChangeKind =>
  verbs.find(([verb]) => verb.test(words.replace(/^[^:]{1,30}:\s+/, '')))?.[1] ?? 'new'
