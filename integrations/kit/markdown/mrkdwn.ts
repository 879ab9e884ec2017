import type { Language } from '../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../src/locales/index.ts'
import { fullDay } from '../dates.ts'
import { replaceEmojiCodes } from '../text/emoji-codes.ts'
import { oneLine } from '../text/fit-length.ts'

/** A part of a Slack text: plain text, or a person by id. */
export type MrkdwnToken = string | { person: string; label?: string }

// <@U…|label>, <#C…|label>, <!here>, <https://…|label>. Any other angle bracket is plain text.
const special = /<(?:([@#!])([^<>|\s]+)|((?:https?|mailto|tel):[^<>|\s]+))(?:\|([^<>]*))?>/g

/**
 * Splits Slack's markup: links become `[label](address)`, channels `#name` and emoji codes emoji;
 * mentions of everybody are removed, so that the text names no id and notifies nobody.
 * Source: https://docs.slack.dev/messaging/formatting-message-text
 */
export function parseMrkdwn(raw: string, language: Language): MrkdwnToken[] {
  // The second pass comes after decoding, so that `&lt;@U1&gt;` does not leave an id in the text.
  const tokens = pass(withDates(raw, language), language).flatMap((token) =>
    typeof token === 'string' ? pass(withDates(decode(token), language), language) : [token],
  )
  return tokens.map((token) => (typeof token === 'string' ? replaceEmojiCodes(token) : token))
}

/**
 * Times (`<!date^1700000000^{date_long}|fallback>`) as days in words.
 * Source: https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
const withDates = (text: string, language: Language): string =>
  text.replace(
    /<!date\^(\d{1,12})\^[^<>|]{0,200}(?:\|([^<>]{0,200}))?>/g,
    (_, seconds: string, fallback = '') =>
      fullDay(new Date(Number(seconds) * 1000), language) || fallback,
  )

/** Slack's markup as readable text. People get the name beside their id, if any. */
export const mrkdwnToText = (raw: string, language: Language): string =>
  parseMrkdwn(raw, language)
    .map((token) =>
      typeof token === 'string' ? token : (token.label ?? formatMessage(language, 'someone', {})),
    )
    .join('')

function pass(text: string, language: Language): MrkdwnToken[] {
  const tokens: MrkdwnToken[] = []
  let end = 0
  for (const match of text.matchAll(special)) {
    tokens.push(text.slice(end, match.index), meaning(match, language))
    end = match.index + match[0].length
  }
  tokens.push(text.slice(end))
  return tokens.filter((token) => token !== '')
}

function meaning(
  [whole, sigil, name = '', address, rawLabel]: RegExpMatchArray,
  language: Language,
): MrkdwnToken {
  const label = oneLine(rawLabel ?? '', Number.POSITIVE_INFINITY)
  if (address !== undefined) return link(address, label)
  if (sigil === '@') return person(whole, name, label)
  if (sigil === '#') return label ? `#${label}` : formatMessage(language, 'a_channel', {})
  const [call = ''] = name.split('^')
  if (['channel', 'here', 'everyone'].includes(call)) return ''
  return label.replace(/^@/, '') || formatMessage(language, 'a_group', {})
}

function person(whole: string, id: string, label: string): MrkdwnToken {
  if (!/^[UW][A-Z0-9]+$/.test(id)) return whole
  return label ? { person: id, label } : { person: id }
}

function link(address: string, label: string): string {
  const plain = address.replace(/^(?:mailto|tel):/, '')
  if (plain !== address) return saysOther(label, plain) ? `${label} (${plain})` : label || plain
  return label && label !== address ? `[${plainLabel(label)}](${safe(address)})` : address
}

/** Whether a label is something else than the number or the mailbox, which can have spaces: `+49 30 123`. */
const saysOther = (label: string, plain: string) =>
  label !== '' && label.replace(/[\s()/–-]/g, '') !== plain.replace(/[\s()/–-]/g, '')

/** A label without brackets, which would end it: `[RESOLVED] Latency` becomes `RESOLVED: Latency`. */
const plainLabel = (label: string) =>
  label.replace(/^\[([^[\]]{1,30})\]\s+/, '$1: ').replace(/[[\]]/g, '')

/** An address that is valid inside the parentheses of a Markdown link. */
const safe = (address: string) => address.replaceAll('(', '%28').replaceAll(')', '%29')

const decode = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Escapes text for Slack's mrkdwn, so that it contains no links and no mentions. */
export const escapeForSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
