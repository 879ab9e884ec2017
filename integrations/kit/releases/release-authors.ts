// `@ines-a` and `[@ines-a](https://github.com/ines-a)`.
const login = String.raw`([\w-]+(?:\[bot\])?)\]?(?:\([^)\s]*\))?`
const others = String.raw`(?:(?:,|\s+and)\s+\[?@?[\w[\]-]+(?:\([^)\s]*\))?)*`
// `#12`, `(#12)` and `[#12](https://…)`.
const number = String.raw`[([]?[#!]\d{1,7}[)\]]?(?:\([^)\s]*\))?`
const credit = new RegExp(
  String.raw`\s+by\s+\[?@?${login}${others}\s+in\s+(?:https?:\/\/\S+|${number})\s*$`,
  'i',
)
// Changesets begin with the author: `Thanks @mina! - Add …`.
const thanks = new RegExp(String.raw`^.*?\bThanks\s+\[?@${login}[^!]*!\s*[-–]\s*`, 'i')
// Whoever is named after such a word is part of the sentence: `Files are shared with @bob (#12)`.
const notInSentence = String.raw`(?<!\b(?:with|to|for|from|of|in|as|via|and|by|thanks)|[:\s])`
const atEnd = (forms: readonly string[]) =>
  new RegExp(forms.map((form) => String.raw`${form}\s*$`).join('|'), 'i')
// `… (@mina)`, `…, thanks @mina!`, `… (#12) @mina` and `… @mina (#12)`.
const trailingLogin = atEnd([
  String.raw`\s*\((?:by\s+|thanks\s+(?:to\s+)?)?\[?@${login}\)`,
  String.raw`,?(?<![:\s])\s+thanks(?:\s+to)?\s+\[?@${login}${others}(?:\s+${number})?!?`,
  String.raw`(?:(?<=\s${number})|\s[-–])\s+\[?@${login}`,
  String.raw`${notInSentence}\s+\[?@${login}\s+${number}`,
])
// `… by @mina (#12)` and `… by @mina`, which can also be a part of the sentence: `Search by @name`. Several names before
// a reference are one, too: `Sort by @name and @date (#3)`.
const trailingBy = atEnd([String.raw`,?(?<![:\s])\s+by\s+\[?@${login}(?:\s+${number}|${others})`])
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
  /** The account of the author, if the line names it. */
  author: string | undefined
  /** Whether a code host wrote the line: `… by @mina in #12`. */
  isFromCodeHost: boolean
}

/**
 * Separates a change from the account of its author, in the ways in which code hosts and bots name it. `by @mina` names
 * it where the line has a reference, or others of its list name their authors.
 */
export function readAuthor(line: string, { isAmongCredits = false } = {}): CreditedLine {
  const credited = credit.exec(line)
  const change = line.replace(credit, '').replace(thanks, '')
  const end = credited === null ? endOf(change, isAmongCredits) : trailingLogin
  const [, ...trailing] = end.exec(change) ?? []
  return {
    words: change.replace(end, ''),
    author:
      credited?.[1] ?? thanks.exec(line)?.[1] ?? trailing.find((login) => login !== undefined),
    isFromCodeHost: credited !== null,
  }
}

/** The form in which a change names its author at its end, if it does. */
function endOf(change: string, isAmongCredits: boolean): RegExp {
  if (isBot(trailingBot.exec(change)?.[1] ?? '')) return trailingBot
  const canEndWithBy = isAmongCredits || reference.test(change)
  return canEndWithBy && trailingBy.test(change) ? trailingBy : trailingLogin
}
