import { nameFromLogin } from '../item.ts'
import { singleSpaced, withoutReferences } from './release-lines.ts'

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
  /^\s*(?:\*\*|__)?(?:full (?:changelog|diff)|compare|diff|commits|changelog)(?:\*\*|__)?\s*:?.*(?:https?:|\.\.\.|\]\().*$/gim
const checksum = /(?<![\w/=-])[0-9a-f]{32,}(?![\w/=-])/i
const releasedSentence =
  /^(?:(?:version|release)\s+)?\S*v?\d[\w.+-]*\s+(?:has been|was|is|is now)\s+(?:released|out|available)[.!]?$/i
// What remains of `Download: https://…`, and a label above a list of commits.
const labelOnly =
  /^(?:\*\*|__)?(?:commits|downloads?|details|links?|more|docs|documentation|changelog|source|website|checksums?|assets|docker images?)(?:\*\*|__)?\s*:?(?:\*\*|__)?$/i
const versionOnly = /^(?:(?:version|release)\s+)?v?\d+(?:\.\d+)+[\w.+-]*$/i
const login =
  /(?<![\p{L}\p{N}_/`@.-])@([a-z\d](?:[a-z\d-]{0,37}[a-z\d])?)(?![\p{L}\p{N}_/@]|\.\d)/giu

// Who is notified, a generated table of contents, and the frame of a note.
const frameLine = /^(?:cc:?\s.*|\[\[\s*_?toc_?\s*\]\]|:::.*)$/i

const unreadLines = [releasedSentence, checksum, labelOnly, versionOnly, frameLine]

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
    .replace(/^\s*\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*$/gm, '')
    .split('\n')
    .map((line) => withoutReferences(line).replace(login, (_, name: string) => nameFromLogin(name)))
    .filter((line) => line !== '' && !unreadLines.some((pattern) => pattern.test(line)))
  return lines.join('\n').trim()
}
