import { withoutLinkLabel } from '../../item.ts'
import { replaceEmojiCodes } from '../../text/emoji-codes.ts'

// A line that belongs to the lines below it: a list, a quote, code or a table.
const partOfBlock = /^(?:```|~~~|>|\|)/
const listMark = /^\s*(?:[-*+]|\d+[.)])\s+/
// A quote or code with other text below it.
const leadingBlock = /^(?:(?:>[^\n]*\n)+(?=\s*[^>\s])|```[^`]{0,2000}```[^\S\n]*\n(?=\s*\S))/
// A link after an emoji or a punctuation mark is not part of the sentence.
const trailingLink =
  /^(.*[^\p{L}\p{N}\s,([{*_~])\s*((?:\[[^\]\n]+\]\([^)\s]+\)|<?https?:\/\/[^\s>]+>?))\s*$/u

// Where texts are not Markdown, as in Slack, `#` before a number means the number.
const headingMark = /^(?:#{1,6}|(?:\\#){1,6}(?!\s+\d))\s+/

/** A longer line is not a title, and searching it for a link is slow. */
const maxTitleLine = 2_000

/** The first line of a message, which becomes its title, and the rest. */
export function splitFirstLine(text: string): { first: string; rest: string } {
  const blocks: string[] = []
  let comment = text
  for (let [block] = leadingBlock.exec(text) ?? []; block !== undefined; ) {
    blocks.push(block.trimEnd())
    comment = comment.slice(block.length).trim()
    block = leadingBlock.exec(comment)?.[0]
  }
  if (blocks.length === 0) return splitLine(text)
  // The comment on a quote or on code is the title, and the blocks are above the rest of it.
  const { first, rest } = splitLine(comment)
  return { first, rest: [...blocks, rest].join('\n\n').trim() }
}

function splitLine(text: string): { first: string; rest: string } {
  const [line = '', ...lines] = text.split('\n')
  const rest = lines.join('\n').trim()
  if (listMark.test(line)) return { first: pointsOf(text), rest: '' }
  if (partOfBlock.test(line))
    return { first: line.replace(/^(?:[>\s|]|```)+|```\s*$/g, ''), rest: '' }
  const next = hasWords(line) ? -1 : lines.findIndex(hasWords)
  if (next !== -1) return splitBelow([line, ...lines.slice(0, next)], lines.slice(next))
  const [, words, link] = (line.length <= maxTitleLine && trailingLink.exec(line)) || []
  return words === undefined || link === undefined || !/\p{L}/u.test(words)
    ? { first: line.replace(headingMark, ''), rest }
    : {
        first: withoutLinkLabel(words),
        rest: [link, rest].filter((part) => part !== '').join('\n\n'),
      }
}

const links = /\[([^[\]\s]+)\]\((https?:\/\/[^\s()]+)\)/gi
const scheme = /^https?:\/\//i

const image = /!\[[^[\]]*\]\([^\s()]*\)/g

/** Whether a line has an address, or words that lead to one. Images are left out of texts. */
export const hasLink = (line: string): boolean =>
  /https?:\/\/|\bwww\./i.test(line.replace(image, ''))

/** Whether a line says something: emoji, addresses, and links whose label is the address do not. */
const hasWords = (line: string) =>
  /[\p{L}\p{N}]/u.test(
    replaceEmojiCodes(line)
      .replace(links, (link, label: string, address: string) =>
        address.replace(scheme, '').startsWith(label.replace(scheme, '')) ? '' : link,
      )
      .replace(/https?:\/\/\S+/gi, ''),
  )

/** The first line with words is the title. Emoji above it belong to it, and addresses to the rest. */
function splitBelow(above: readonly string[], lines: readonly string[]) {
  const [line = ''] = lines
  const { first, rest } = splitLine(lines.join('\n'))
  const lead = above.join('\n').trim()
  // `:tada:` in chats that have codes in their texts; `---` is a line above the text.
  const isEmoji = /[\p{Extended_Pictographic}:]/u.test(lead) && !/https?:/i.test(lead)
  const title = isEmoji ? `${lead.replace(/\s+/g, ' ')} ${first}` : first
  // A list or a quote is the title and the body.
  if (listMark.test(line) || partOfBlock.test(line)) return { first: title, rest: '' }
  const parts = isEmoji ? [rest] : [lead, rest]
  return { first: title, rest: parts.filter((part) => part !== '').join('\n\n') }
}

/**
 * The points of a list in one line: a message that is a list has no other title. Numbers that begin later say
 * something, as dates do.
 */
function pointsOf(text: string): string {
  const points: string[] = []
  const mark = /^\s*(?![01][.)])\d/.test(text) ? /^\s*[-*+]\s+/ : listMark
  for (const line of text.slice(0, maxTitleLine).split('\n')) {
    if (listMark.test(line)) points.push(line.replace(mark, '').replace(/[.,;]\s*$/, ''))
    else if (line.trim() !== '') break
  }
  return points.join(', ')
}
