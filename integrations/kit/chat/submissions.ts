import type { BlockType, Language } from '../../../src/contract/vocabulary.ts'
import type { Attachment, Item } from '../composed.ts'
import type { Json, Received, Reply } from '../requests/received.ts'
import { oneLine, truncateUtf16 } from '../text/fit-length.ts'
import { fitsBody, normalizeText } from '../text/plain-text.ts'
import { chatText } from './locales/index.ts'
import { itemText } from './messages/item-text.ts'

/** The commands of all chats and the type of block that each creates. */
export const commandTypes: ReadonlyMap<string, BlockType> = new Map([
  ['win', 'wins_milestones'],
  ['news', 'general'],
  ['kudos', 'wins_milestones'],
  ['welcome', 'new_starter'],
])

interface Command {
  name: string
  blockType: BlockType
  /** The text after the command. */
  text: string
}

/**
 * The command at the start of a message, in any case, as in `win We shipped`, `/win We shipped` or
 * `Win: we shipped`; `undefined` when the first word is not a command.
 */
export function readCommand(message: string): Command | undefined {
  const [start = '', word = ''] = /^\s*[/!#]?(\p{L}+)[:,]?(?=\s|$)/u.exec(message) ?? []
  const blockType = commandTypes.get(word.toLowerCase())
  return blockType && { name: word.toLowerCase(), blockType, text: message.slice(start.length) }
}

/** The help text. `before` is the text before a command, such as `@Tidings `. */
export const helpText = (language: Language, before: string) =>
  (['help_win', 'help_other', 'help_review'] as const)
    .map((key) => chatText(language, key, { before }))
    .join('\n\n')

/**
 * The stored event of a chat message: the text that a person wrote, without the id of any person.
 */
export type ChatSubmission = {
  external_id: string
  block_type: BlockType
  /** Default: the first line of the body. */
  title?: string
  /** Markdown. */
  body: string
  /** The command it was sent with, such as `kudos`. */
  command?: string
  /** Whether the message begins with a mention of a person. */
  startsWithMention?: boolean
  event_slug?: string
  /** The link to the original message. */
  source_url?: string
  /** The display name of the author. */
  author?: string
  /** The id or the address of the first file of the message. */
  file?: string
  /** What the image in it shows, if its author has said so. */
  file_alt?: string
}

/**
 * The item of a chat message. A message of one line appears once; the first line of a longer one is
 * its title.
 */
export function buildChatItem(
  { external_id, block_type, body, command, startsWithMention, ...rest }: ChatSubmission,
  language: Language,
): Item {
  const text = itemText({
    markdown: body,
    title: rest.title,
    command,
    startsWithMention,
    language,
  })
  const author = oneLine(rest.author ?? '')
  return {
    ...text,
    block_type,
    external_id,
    ...(rest.event_slug && { event_slug: rest.event_slug }),
    ...(rest.source_url && { source_url: rest.source_url }),
    ...(author && { author }),
    ...(rest.file && { attachment: attachmentOf(rest.file, rest.file_alt) }),
  }
}

/**
 * The length of alternative texts from chats. Ingest accepts 500 characters, and Slack's forms have
 * room for little more in their notes.
 */
export const maxAltCharacters = 300

/** The image of a message, and what it shows. */
export function attachmentOf(file: string, text = ''): Attachment {
  const alt = truncateUtf16(maxAltCharacters, oneLine(text))
  return { file, ...(alt && { alt }) }
}

interface Message {
  /** The text, which begins with its command. */
  text: string
  /** The text before a command in this chat, such as `@Tidings `. */
  before: string
  deliveryId: string
  externalId: string
  author: string
  /** The id or the address of the first file of the message. */
  file?: string
  ephemeralContext?: Json | undefined
  /** Whether the person will get the link to the block. */
  linkFollows?: boolean
  language: Language
  /** Makes a reply in the format of the chat. */
  reply: (text: string) => Reply
}

/**
 * Reads a message whose first word is a command. A message without a command gets help as the reply.
 */
export function receiveChatMessage({
  text,
  before,
  reply,
  language,
  ...message
}: Message): Received<ChatSubmission> {
  const { deliveryId, externalId, author, file, ephemeralContext, linkFollows } = message
  const command = readCommand(text)
  const body = normalizeText(command?.text ?? text)
  if (['', 'help', '?'].includes(oneLine(body).toLowerCase()))
    return { kind: 'immediateReply', reply: reply(helpText(language, before)) }
  if (command === undefined) {
    const reason = 'it begins with no command'
    return { kind: 'ignored', deliveryId, reason, reply: reply(helpText(language, before)) }
  }
  if (!fitsBody(body))
    return { kind: 'immediateReply', reply: reply(chatText(language, 'too_long')) }
  return {
    kind: 'event',
    deliveryId,
    event: {
      external_id: externalId,
      block_type: command.blockType,
      body,
      author,
      command: command.name,
      ...(file && { file }),
    },
    ...(ephemeralContext !== undefined && { ephemeralContext }),
    reply: reply(chatText(language, linkFollows ? 'saved_link_follows' : 'saved')),
  }
}
