import type { Language } from '../../../src/contract/vocabulary.ts'
import { message } from '../../../src/locales/index.ts'
import { capitalize, headline, paragraph } from '../item.ts'
import { markdownLine, renderMarkdown } from '../markdown/markdown.ts'
import { htmlToText } from '../plain-text.ts'
import { normalizeText, oneLine } from '../text.ts'

export interface MessageInput {
  /** Markdown of one line or more. */
  markdown: string
  /** A title that a person wrote. Default: the first line. */
  title?: string | undefined
  /** The command of the message, such as `kudos`. */
  command?: string | undefined
  /** Whether the message begins with a mention of a person. */
  startsWithMention?: boolean | undefined
  language: Language
}

/** The title and the HTML body of a chat message. For a message of one line, both are that line. */
export function messageText(input: MessageInput): { title: string; body: string } {
  const source = normalizeText(input.markdown)
    .replace(/^[\s,;:]+/, '')
    .replace(leadingCodes, '')
  const given = headline(markdownLine(input.title ?? ''))
  if (given !== '') return { title: given, body: bodyUnder(given, source) }

  const text = capitalizeStart(phrase(source, input))
  const { first, rest } = splitFirstLine(text)
  const title = capitalize(headline(markdownLine(first)))
  // A line that ends with a comma belongs to the sentence on the next line.
  const isWhole = title === '' || title.endsWith('…') || rest === '' || /[,;]\s*$/.test(first)
  const body = renderMarkdown(isWhole ? text : rest, { escapeHtml: true })
  return {
    title: title || headline(oneLine(htmlToText(body))) || oneLine(text),
    body: body || paragraph(title || oneLine(text)),
  }
}

/** The body without a first line that repeats the title, unless there is no other line. */
function bodyUnder(title: string, source: string): string {
  const { first, rest } = splitFirstLine(source)
  const repeats = comparable(headline(markdownLine(first))) === comparable(title)
  return (
    renderMarkdown(repeats && rest !== '' ? rest : source, { escapeHtml: true }) || paragraph(title)
  )
}

const comparable = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

// Labels and ticket numbers such as `[BE]` and `ACME-12:` at the start; `[text](address)` is a link.
const leadingCodes =
  /^(?:(?:\\?\[[\w ./-]{1,30}\\?\](?!\()|[A-Z][A-Z0-9_]{1,9}-\d{1,7}\s*[:–—])\s+)+(?=\S)/

// A line that belongs to the lines below it: a list, a quote, code or a table.
const partOfBlock = /^(?:```|~~~|>|[-*+]\s|\d+[.)]\s|\|)/
// A link after an emoji or a punctuation mark is not part of the sentence.
const trailingLink =
  /^(.*[^\p{L}\p{N}\s,([{*_~])\s*((?:\[[^\]\n]+\]\([^)\s]+\)|<?https?:\/\/[^\s>]+>?))\s*$/u

/** A longer line is not a title, and searching it for a link is slow. */
const maxTitleLine = 2_000

function splitFirstLine(text: string): { first: string; rest: string } {
  const [quote] = /^(?:>[^\n]*\n)+(?=\s*[^>\s])/.exec(text) ?? []
  if (quote !== undefined) {
    // The comment on a quote is the title, and the quote stands above the rest of the comment.
    const { first, rest } = splitFirstLine(text.slice(quote.length).trim())
    return { first, rest: `${quote}\n${rest}`.trim() }
  }
  const [line = '', ...lines] = text.split('\n')
  const rest = lines.join('\n').trim()
  if (partOfBlock.test(line))
    return { first: line.replace(/^(?:[>\s|]|[-*+]\s|\d+[.)]\s|```)+/, ''), rest: '' }
  const [, words, link] = (line.length <= maxTitleLine && trailingLink.exec(line)) || []
  return words === undefined || link === undefined || !/\p{L}/u.test(words)
    ? { first: line.replace(/^#{1,6}\s+/, ''), rest }
    : { first: words, rest: [link, rest].filter((part) => part !== '').join('\n\n') }
}

/** The text with its first word capitalized after the marks of bold or italics. */
const capitalizeStart = (text: string) =>
  text.replace(
    /^([*_~]*)(\S[^\n]*)/,
    (_, marks: string, words: string) => marks + capitalize(words),
  )

// A text that can follow "Kudos to": `to the team`, `Bob for …`, `the web team for …`.
const whom =
  /^(?:\p{Lu}[\p{L}'’.-]*(?:\s+(?:and|&|und|et|y|e|en|och|i|\p{Lu}[\p{L}'’.-]*),?)*|the|our|my|all|everyone|everybody)\s[^.!?\n]{0,60}?\b(?:for|für|pour|por|per|voor|za|för)\b/u
const alreadySaid =
  /^\W*(?:kudos|thank|danke|merci|bravo|gracias|obrigad|grazie|bedankt|dzięk|tack|props|shout|big\b|huge\b)/i
const welcomed =
  /^\W*(?:welcome|willkommen|bienven|bem-vind|welkom|benvenut|witam|välkom|please welcome|say hello)/i

/**
 * Expresses the command in words: `/kudos @bob for the launch` becomes "Kudos to Bob for the
 * launch".
 */
function phrase(text: string, { command, startsWithMention, language }: MessageInput): string {
  if (command === 'kudos' && !alreadySaid.test(text)) {
    const to = text.replace(/^to\s+/i, '')
    return to !== text || startsWithMention || /^@\w/.test(text) || whom.test(text)
      ? message(language, 'kudos_to', { text: to })
      : message(language, 'kudos', { text })
  }
  const isOnlyName = startsWithMention && /^[^\n]{1,60}$/.test(text) && text.split(' ').length <= 3
  if (
    command === 'welcome' &&
    !welcomed.test(text) &&
    (isOnlyName || /^(?:\S+\s){1,3}to the team\b/i.test(text))
  )
    return isOnlyName
      ? message(language, 'welcome', { text })
      : message(language, 'welcome', { text }).replace(',', '')
  return text
}
