import { nameFromLogin } from './headline.ts'
import { singleSpaced, withoutReferences } from './release-lines.ts'

const reference = String.raw`(?:GH-\d+|[#!&]\d+|[~%](?:"[^"]+"|[\w:-]+))`
const references = `${reference}(?:(?:\\s*,\\s*|\\s+and\\s+|\\s*&\\s*)${reference})*`
// A sentence that only refers to issues: `See !123 and #45.`
const referenceSentence = new RegExp(
  String.raw`(?<=^|[.!?]\s+)(?:(?:see(?: also)?|close[sd]?|fix(?:e[sd])?|refs?|resolve[sd]?|relate[sd](?: to)?|part of|implement(?:s|ed)?)\b[:\s]*)?${references}(?:\.(?=\s|$)|(?=$))`,
  'gim',
)
const pointer = new RegExp(String.raw`(?<!\s)\s+(?:in|via|from|with|by|see)\s+${references}`, 'gi')
/** https://docs.gitlab.com/user/project/quick_actions/ */
const quickAction =
  /(?:^|(?<=\s))\/(?:(?:un|re)?label|(?:un|re)?assign(?:_reviewer)?|milestone|remove_\w+|close|reopen|due|estimate|spend|weight|todo|done|cc|subscribe|unsubscribe|confidential|duplicate|epic|iteration|copy_metadata|lock|unlock|move|promote|zoom|award|tag|target_branch|draft|ready|merge|rebase|approve|health_status|shrug|tableflip)(?=\s|$)(?:[^\S\n]+(?:[~%](?:"[^"\n]+"|[\w:-]+)|@[\w.-]+))*/gim
const changelogLine =
  /^\s*(?:\*\*|__)?(?:full (?:changelog|diff)|compare|diff|commits|changelog)(?:\*\*|__)?\s*:?.*(?:https?:|\.\.\.|\]\().*$/gim
const releasedSentence =
  /^(?:(?:version|release)\s+)?\S*v?\d[\w.+-]*\s+(?:has been|was|is|is now)\s+(?:released|out|available)[.!]?$/i
const login =
  /(?<![\p{L}\p{N}_/`@.-])@([a-z\d](?:[a-z\d-]{0,37}[a-z\d])?)(?![\p{L}\p{N}_/@]|\.\d)/giu

/**
 * A paragraph of release notes without the parts that only developers read: changelog links, issue
 * numbers, quick actions and bare addresses. Account names become names. Empty when nothing
 * remains.
 */
export function releaseProse(markdown: string): string {
  const words = singleSpaced(markdown).replace(changelogLine, '').replace(quickAction, '')
  const lines = singleSpaced(words)
    .replace(referenceSentence, '')
    .replace(pointer, '')
    .replace(/^\s*\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*$/gm, '')
    .split('\n')
    .map((line) => withoutReferences(line).replace(login, (_, name: string) => nameFromLogin(name)))
    .filter((line) => line !== '' && !releasedSentence.test(line))
  return lines.join('\n').trim()
}
