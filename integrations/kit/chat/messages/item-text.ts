import type { Language } from '../../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../../src/locales/index.ts'
import { capitalize, comparableWords, headline, paragraph } from '../../item.ts'
import { escapeLoneNumbers } from '../../markdown/lone-numbers.ts'
import { markdownLine, renderMarkdown } from '../../markdown/markdown.ts'
import { oneLine } from '../../text/fit-length.ts'
import { htmlToText } from '../../text/html.ts'
import { normalizeText } from '../../text/plain-text.ts'
import { ticketNumber } from '../../text/ticket-number.ts'
import { hasLink, splitFirstLine } from '../forms/first-line.ts'
import { greetsSomebody, withoutPleasantries } from '../pleasantries.ts'

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
export function itemText(input: MessageInput): { title: string; body: string } {
  const source = escapeLoneNumbers(
    withoutPleasantries(stripMentions(normalizeText(input.markdown)))
      .replace(separatorsAtStart, '')
      .replace(leadingCodes, ''),
  )
  const given = headline(markdownLine(input.title ?? ''))
  if (given !== '') return { title: given, body: bodyUnder(given, source) }

  const text = capitalizeStart(phrase(source, input))
  const { first, rest } = splitFirstLine(text)
  const title = capitalize(headline(markdownLine(first)))
  // A line that ends with a comma belongs to the sentence on the next line, and a title has no links.
  const isWhole =
    title === '' || title.endsWith('…') || rest === '' || /[,;]\s*$/.test(first) || hasLink(first)
  const body = renderMarkdown(isWhole ? text : rest, { escapeHtml: true })
  return {
    title: title || headline(oneLine(htmlToText(body))) || oneLine(text),
    body: body || paragraph(title || oneLine(text)),
  }
}

/** The text without mentions of everybody, so that it notifies nobody. */
export const stripMentions = (text: string): string =>
  text.replace(/[^\S\n]?(?<!\w)@(?:all|channel|everyone|here)\b/gi, '').replace(/^[^\S\n]+/, '')

/** The body without a first line that repeats the title, unless there is no other line. */
function bodyUnder(title: string, source: string): string {
  const { first, rest } = splitFirstLine(source)
  const repeats =
    comparableWords(headline(markdownLine(first))) === comparableWords(title) && !hasLink(first)
  return (
    renderMarkdown(repeats && rest !== '' ? rest : source, { escapeHtml: true }) || paragraph(title)
  )
}

// What remains between a command and the text. The colon of an emoji code such as `:tada:` is part of it.
const separatorsAtStart = /^(?:[\s,;]|:(?![a-z0-9_+'-]{1,60}:))+/i

// Labels and numbers such as `[BE]`, `[#4411]` and `ACME-12:` at the start; `[text](address)` is a link. At most 20: the
// time grows with the square of their number.
const leadingCodes = new RegExp(
  String.raw`^(?:(?:\\?\[(?:[\w ./-]|\\?#){1,30}\\?\](?!\()|${ticketNumber}\s*[:–—])\s+){1,20}(?=\S)`,
)

/** The text with its first word capitalized after the marks of bold or italics. */
const capitalizeStart = (text: string) =>
  text.replace(
    /^([*_~]*)(\S[^\n]*)/,
    (_, marks: string, words: string) => marks + capitalize(words),
  )

// A text that can follow "Kudos to": `to the team`, `Bob for …`, `the web team for …`.
const whom =
  /^(?:\p{Lu}[\p{L}'’.-]*(?:\s+(?:and|&|und|et|y|e|en|och|i|\p{Lu}[\p{L}'’.-]*),?)*|the|our|my|all|everyone|everybody)\s[^.!?\n]{0,60}?\b(?:for|für|pour|por|per|voor|za|för|who)\b/u
// Names of several people in a line of their own.
const names =
  /^\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*)*(?:,? (?:and|&|und|et|y|e|en|och|i) \p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*)*)+(?:[^\p{L}\p{N}\n'’.-][^\p{L}\p{N}\n]*)?(?:\n|$)/u
// The word before whom somebody thanks, which the message adds: `/kudos an Bob für …`.
const toWhom: Record<Language, RegExp> = {
  en: /^to\s+/i,
  de: /^(?:an|to)\s+/i,
  fr: /^(?:à|to)\s+/i,
  es: /^(?:a|para|to)\s+/i,
  pt: /^(?:a|para|to)\s+/i,
  nl: /^(?:aan|voor|to)\s+/i,
  it: /^(?:a|to)\s+/i,
  pl: /^(?:dla|to)\s+/i,
  sv: /^(?:till|to)\s+/i,
  ja: /^to\s+/i,
}
/** A text that says only what the thanks are for: `for the quiet night`. */
const forWhat: Record<Language, RegExp> = {
  en: /^for\s/i,
  de: /^für\s/i,
  fr: /^pour\s/i,
  es: /^por\s/i,
  pt: /^(?:por|pel[oa]s?)\s/i,
  nl: /^voor\s/i,
  it: /^per\s/i,
  pl: /^za\s/i,
  sv: /^för\s/i,
  ja: /^for\s/i,
}
const alreadySaid =
  /^\W*(?:kudos|thank|danke|merci|bravo|gracias|obrigad|grazie|bedankt|dzięk|tack|props|shout|big\b|huge\b|congrat|(?:herzlich|viel|tausend)en (?:dank|glückwunsch)|glückwunsch|félicitations|enhorabuena|felicidades|parabéns|gefeliciteerd|proficiat|congratulazioni|complimenti|gratulacje|grattis)/i
/** A sentence in which somebody thanks: "I would like to thank Bob". */
const sentenceOfThanks =
  /^\W*(?:i|we|ich|wir|je|nous|yo|quiero|quisiera|queremos|eu|quero|gostaria|ik|wij|vorrei|voglio|vorremmo|chcę|chciałbym|chciałabym|jag|vi)\b[^.!?\n]{0,40}(?:thank|dank|remerci|agradec|bedank|ringrazi|podziękow|tacka)/iu
const welcomed =
  /^\W*(?:welcome|willkommen|bienven|bem-vind|welkom|benvenut|witam|välkom|please welcome|say hello)/i

/**
 * Expresses the command in words: `/kudos @bob for the launch` becomes "Kudos to Bob for the
 * launch".
 */
function phrase(text: string, input: MessageInput): string {
  if (input.command === 'kudos')
    return [alreadySaid, sentenceOfThanks].some((one) => one.test(text)) || greetsSomebody(text)
      ? text
      : kudos(text, input)
  return input.command === 'welcome' && !welcomed.test(text) ? welcome(text, input) : text
}

function kudos(text: string, { startsWithMention, language }: MessageInput): string {
  const to = text.replace(toWhom[language], '')
  if (to !== text || startsWithMention || [/^@\w/, whom, names].some((one) => one.test(text)))
    return formatMessage(language, 'kudos_to', { text: to })
  const thanks = formatMessage(language, 'kudos', { text })
  return forWhat[language].test(text) ? thanks.replace(/\s?:/, '') : thanks
}

function welcome(text: string, { startsWithMention, language }: MessageInput): string {
  const isOnlyName = startsWithMention && /^[^\n]{1,60}$/.test(text) && text.split(' ').length <= 3
  if (isOnlyName) return formatMessage(language, 'welcome', { text })
  return /^(?:\S+\s){1,3}to the team\b/i.test(text)
    ? formatMessage(language, 'welcome', { text }).replace(',', '')
    : text
}
