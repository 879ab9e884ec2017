import type { Language } from '../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../src/locales/index.ts'
import { stripMentions } from '../../kit/chat/messages/item-text.ts'
import { fencedCode, quoteToEnd } from '../../kit/markdown/mrkdwn-markdown.ts'
import { normalizeText } from '../../kit/text/plain-text.ts'
import { type Command, type Message, nameOf } from '../requests/interaction.ts'

/** The names of the mentioned people, roles and channels, by id. */
export interface Names {
  users: ReadonlyMap<string, string>
  roles: ReadonlyMap<string, string>
  channels: ReadonlyMap<string, string>
}

/** The names for a text that comes without names. */
export const noNames: Names = { users: new Map(), roles: new Map(), channels: new Map() }

/** The names that Discord sends with a command. */
export function namesInCommand({ resolved }: Command['data']): Names {
  const named = (all: Record<string, { name?: string | null | undefined }> = {}) =>
    new Map(Object.entries(all).map(([id, { name }]) => [id, name ?? '']))
  const users = Object.entries(resolved?.users ?? {}).map(([id, user]): [string, string] => [
    id,
    nameOf(user, resolved?.members?.[id]?.nick),
  ])
  return {
    users: new Map(users),
    roles: named(resolved?.roles),
    channels: named(resolved?.channels),
  }
}

/** The names that Discord sends with a message. */
export const namesInMessage = ({ mentions }: Message): Names => ({
  ...noNames,
  users: new Map(mentions.map((user) => [user.id, nameOf(user)])),
})

const special =
  /<(?:@!?(?<user>\d+)|@&(?<role>\d+)|#(?<channel>\d+)|a?:(?<emoji>\w+):\d+|t:(?<time>-?\d+)(?::\w)?|\/(?<command>[^<>:]+):\d+|(?<link>https?:\/\/[^<>\s]+))>/g

/**
 * A text without Discord's markup: mentions become names, and it contains no id and notifies
 * nobody. Formatting such as `**bold**` stays as it was typed.
 * Source: https://docs.discord.com/developers/reference#message-formatting
 */
export function discordToText(text: string, names: Names, language: Language): string {
  const plain = normalizeText(text).replace(special, (...match) => {
    const parts: Record<string, string | undefined> = match.at(-1)
    return meaning(parts, names, language)
  })
  const marked = quoteToEnd(withoutMarks(fencedCode(plain, { hasLanguage: true })))
  return normalizeText(stripMentions(marked)).replace(/[^\S\n]{2,}/g, ' ')
}

/**
 * The text without the marks of spoilers and of small print, which newsletters do not have. In Discord, a
 * line below a list does not belong to its last point.
 */
const withoutMarks = (text: string) =>
  text
    .replace(/\|\|([^|\n]+)\|\|/g, '$1')
    .replace(/^([^\S\n]*(?:[-*]|\d+\.)[^\S\n].*\n)(?=\S)(?!(?:[-*]|\d+\.)[^\S\n])/gm, '$1\n')
    .replace(/^-#[^\S\n]+/gm, '')

function meaning(
  parts: Record<string, string | undefined>,
  names: Names,
  language: Language,
): string {
  const { user, role, channel, emoji, time, command, link } = parts
  if (user !== undefined) return names.users.get(user) || formatMessage(language, 'someone', {})
  if (role !== undefined) return names.roles.get(role) || formatMessage(language, 'a_group', {})
  if (channel !== undefined) {
    const name = names.channels.get(channel)
    return name ? `#${name}` : formatMessage(language, 'a_channel', {})
  }
  // An emoji of a server is a picture that is not available elsewhere.
  if (emoji !== undefined) return ''
  // Times are replaced when the item is composed, in the language of the team.
  if (time !== undefined) return `<t:${time}>`
  return command === undefined ? (link ?? '') : `/${command}`
}
