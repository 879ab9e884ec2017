// `@ines-a` and `[@ines-a](https://github.com/ines-a)`.
const login = String.raw`([\w-]+(?:\[bot\])?)\]?(?:\([^)\s]*\))?`
const account = String.raw`[\w[\]-]+(?:\([^)\s]*\))?`
const otherLogin = String.raw`(?:,?\s+(?:and|&)|,)\s+\[?@${account}`
const others = String.raw`(?:${otherLogin}|(?:,|\s+and)\s+${account})*`
// `#12`, `(#12)` and `[#12](https://…)`.
const number = String.raw`[([]?[#!]\d{1,7}[)\]]?(?:\([^)\s]*\))?`
const credit = new RegExp(
  String.raw`\s+by\s+\[?@?${login}${others}\s+in\s+(?:https?:\/\/\S+|${number})\s*$`,
  'i',
)
// Changesets begin with the author: `Thanks @mina! - Add …`.
const thanks = new RegExp(String.raw`^.*?\bThanks\s+\[?@${login}[^!]*!\s*[-–]\s*`, 'i')
// Whoever is named after such a word is part of the sentence: `Files are shared with @bob (#12)`.
const notInSentence = String.raw`(?<!(?<!\p{L})(?:with|to|for|from|of|in|as|via|and|by|thanks|mit|von|für|an|nach|und|avec|à|pour|de|par|et|con|para|por|y)|[:&\s]|@[\w-]+,)`
const atEnd = (forms: readonly string[]) =>
  new RegExp(forms.map((form) => String.raw`${form}\s*$`).join('|'), 'iu')
// `… (@mina)`, `…, thanks @mina!`, `… (#12) @mina` and `… @mina (#12)`.
const trailingLogin = atEnd([
  String.raw`\s*\((?:by\s+|thanks\s+(?:to\s+)?)?\[?@${login}\)`,
  String.raw`,?(?<![:\s])\s+thanks(?:\s+to)?\s+\[?@${login}${others}(?:\s+${number})?!?`,
  String.raw`(?:(?<=\s${number})|\s[-–])\s+\[?@${login}`,
  String.raw`${notInSentence}\s+\[?@${login}\s+${number}`,
])
// `… by @mina (#12)` and `… by @mina`, which can also be a part of the sentence: `Search by @name`.
const trailingBy = atEnd([String.raw`,?(?<![:\s])\s+by\s+\[?@${login}(?:\s+${number}|${others})`])
// `… by @bob and @mina (#12)`, which is more often a part of it: `Show results by @name and @date (#3)`.
const trailingBySeveral = atEnd([
  String.raw`,?(?<![:\s]|ed|found|seen|sent|shown)\s+by\s+\[?@${login}(?:${otherLogin})+\s+${number}`,
])
// Several names behind such a verb are fields also where others of the list name their authors.
const byFields =
  /^(?:(?:add(?:ed)?|allow|support|enable)\s+(?:to\s+)?)?(?:sort|search|filter|group|order|rank|find|list|look\s?up|query|select|split|show|display|notify|compare|export|label|count|limit)/i
// No sentence ends in the account of a bot: `Update translations from @crowdin-bot (#12)`.
const trailingBot = atEnd([
  String.raw`,?(?<!\s)\s+(?:by|from)\s+\[?@${login}${others}(?:\s+${number})?`,
])
const bot =
  /\[bot\]$|-bot$|^(?:dependabot|renovate|github-actions|greenkeeper|snyk|pre-commit-ci|mergify|weblate|allcontributors|imgbot|release-please|semantic-release)\b/i
const reference = new RegExp(String.raw`(?<!\w)${number}`)

/** Whether an account is one of a program that writes changes. */
export const isBot = (account: string): boolean => bot.test(account)

/** A change without its author. */
interface CreditedLine {
  words: string
  /** The accounts of the authors whom the line names. */
  authors: string[]
  /** Whether a code host wrote the line: `… by @mina in #12`. */
  isFromCodeHost: boolean
}

/**
 * Separates a change from the accounts of its authors, in the ways in which code hosts and bots name it. `by @mina` names
 * it where the line has a reference, or others of its list name their authors. Several before a
 * reference are authors only in such a list.
 */
export function readAuthor(line: string, { isAmongCredits = false } = {}): CreditedLine {
  const credited = credit.exec(line)
  const change = line.replace(credit, '').replace(thanks, '')
  const end = credited === null ? endOf(change, isAmongCredits) : trailingLogin
  const ending = end.exec(change)
  const authors = [
    accountsIn(credited),
    accountsIn(thanks.exec(line)).slice(0, 1),
    accountsIn(ending),
  ]
  return {
    words: change.replace(end, ''),
    authors: authors.find((accounts) => accounts.length > 0) ?? [],
    isFromCodeHost: credited !== null,
  }
}

/** The accounts in a match: the first, which it captures, and others with an `@`. */
function accountsIn(match: RegExpExecArray | null): string[] {
  if (match === null) return []
  const [whole, ...captured] = match
  const first = captured.find((account) => account !== undefined)
  const mentions = whole.replace(/\]\([^)\s]*\)|https?:\S+/g, '').matchAll(/@([\w-]+(?:\[bot\])?)/g)
  return [...new Set([first, ...mentions.map(([, account]) => account)])].filter(
    (account) => account !== undefined,
  )
}

/** The form in which a change names its author at its end, if it does. */
function endOf(change: string, isAmongCredits: boolean): RegExp {
  if (isBot(trailingBot.exec(change)?.[1] ?? '')) return trailingBot
  if (isAmongCredits && trailingBySeveral.test(change) && !byFields.test(change))
    return trailingBySeveral
  return (isAmongCredits || reference.test(change)) && trailingBy.test(change)
    ? trailingBy
    : trailingLogin
}
