import { oneLine } from './text.ts'

/** Text as Slack writes it, taken apart: what it says, and the people it names by id. */
export type MrkdwnToken = string | { person: string; label?: string }

// <@U…|label>, <#C…|label>, <!here>, <https://…|label>. Any other angle bracket is plain text.
const special = /<(?:([@#!])([^<>|\s]+)|((?:https?|mailto|tel):[^<>|\s]+))(?:\|([^<>]*))?>/g

/**
 * Takes Slack's markup apart: links become `text (address)`, channels `#name`, and calls such as
 * `<!channel>` a harmless word, so that nothing in it can name an id or wake anyone.
 * Source: https://docs.slack.dev/messaging/formatting-message-text
 */
export function parseMrkdwn(raw: string): MrkdwnToken[] {
  // A second pass after decoding: what someone wrote as `&lt;@U1&gt;` must not bring an id either.
  return pass(raw).flatMap((piece) => (typeof piece === 'string' ? pass(decode(piece)) : [piece]))
}

/** Who is named by an id that nobody looks up. */
export const unknownUser = 'someone'

/** Slack's markup as plain text; people go by the name that stands beside their id, if any. */
export const mrkdwnToText = (raw: string): string =>
  parseMrkdwn(raw)
    .map((piece) => (typeof piece === 'string' ? piece : (piece.label ?? unknownUser)))
    .join('')

function pass(text: string): MrkdwnToken[] {
  const pieces: MrkdwnToken[] = []
  let end = 0
  for (const match of text.matchAll(special)) {
    pieces.push(text.slice(end, match.index), meaning(match))
    end = match.index + match[0].length
  }
  pieces.push(text.slice(end))
  return pieces.filter((piece) => piece !== '')
}

function meaning([whole, sigil, name = '', address, rawLabel]: RegExpMatchArray): MrkdwnToken {
  const label = oneLine(rawLabel ?? '', Number.POSITIVE_INFINITY)
  if (address !== undefined) return link(address, label)
  if (sigil === '@') return person(whole, name, label)
  if (sigil === '#') return label ? `#${label}` : 'a channel'
  const [call = ''] = name.split('^')
  if (['channel', 'here', 'everyone'].includes(call)) return call
  return label.replace(/^@/, '') || 'a group'
}

function person(whole: string, id: string, label: string): MrkdwnToken {
  if (!/^[UW][A-Z0-9]+$/.test(id)) return whole
  return label ? { person: id, label } : { person: id }
}

function link(address: string, label: string): string {
  const plain = address.replace(/^(?:mailto|tel):/, '')
  return label && label !== address && label !== plain ? `${label} (${plain})` : plain
}

const decode = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Escapes text for Slack's mrkdwn, so that nothing in it is a link or a call. */
export const escapeForSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
