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
// `… (@mina)`, `… by @mina (#12)`, `… (#12) @mina` and `… @mina (#12)`.
const trailingLogin = new RegExp(
  [
    String.raw`\s*\((?:by\s+|thanks\s+(?:to\s+)?)?\[?@${login}\)`,
    String.raw`,?\s+(?:by|thanks(?:\s+to)?)\s+\[?@${login}${others}(?:\s+${number})?!?`,
    String.raw`(?:(?<=\s${number})|\s[-–])\s+\[?@${login}`,
    String.raw`\s+\[?@${login}\s+${number}`,
  ]
    .map((form) => String.raw`${form}\s*$`)
    .join('|'),
  'i',
)

/** A change without its author. */
interface CreditedLine {
  words: string
  /** The account of the author, if the line names it. */
  author: string | undefined
  /** Whether a code host wrote the line: `… by @mina in #12`. */
  isFromCodeHost: boolean
}

/** Separates a change from the account of its author, in the ways in which code hosts and bots name it. */
export function readAuthor(line: string): CreditedLine {
  const credited = credit.exec(line)
  const [, ...trailing] = trailingLogin.exec(line) ?? []
  return {
    words: line.replace(credit, '').replace(thanks, '').replace(trailingLogin, ''),
    author:
      credited?.[1] ?? thanks.exec(line)?.[1] ?? trailing.find((login) => login !== undefined),
    isFromCodeHost: credited !== null,
  }
}
