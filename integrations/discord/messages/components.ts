import {
  ButtonStyleTypes,
  InteractionResponseFlags,
  InteractionResponseType,
  MessageComponentTypes,
} from 'discord-interactions'
import type { Language } from '../../../src/contract/vocabulary.ts'
import type { MessageButton } from '../../kit/chat/buttons.ts'
import { confirmationOf } from '../../kit/chat/messages/confirmation.ts'
import { escapeForChat } from '../../kit/chat/messages/escape-for-chat.ts'
import type { MessageContent, MessagePart } from '../../kit/chat/messages/message-part.ts'
import type { Reply } from '../../kit/requests/received.ts'
import { shortenUtf16, truncateLineUtf16 } from '../../kit/text/fit-length.ts'
import { labelCharacters, textCharacters, urlCharacters } from '../limits.ts'
import { chatLocale } from './format.ts'

/** A heading, and for each draft a text, a row and three buttons, of the 40 components of a message. */
export const draftsPerMessage = 5

/** A message of components, which mentions nobody. */
export function componentMessage({ parts }: MessageContent, mark: number) {
  const texts = parts.filter(({ kind }) => kind !== 'buttons').length
  const limit = Math.floor(textCharacters / Math.max(texts, 1))
  return {
    flags: InteractionResponseFlags.IS_COMPONENTS_V2,
    allowed_mentions: { parse: [] },
    components: parts.map((part, index) => ({
      // The id of the first component identifies the message.
      ...(index === 0 && { id: mark }),
      ...componentOf(part, limit),
    })),
  }
}

/**
 * A message of one text in Markdown, which mentions nobody, with an image below it.
 * Source: https://docs.discord.com/developers/components/reference#media-gallery
 */
export const textMessage = (
  content: string,
  mark: number,
  image: { url: string; alt: string } | null,
) => ({
  flags: InteractionResponseFlags.IS_COMPONENTS_V2,
  allowed_mentions: { parse: [] },
  components: [
    { type: MessageComponentTypes.TEXT_DISPLAY, id: mark, content },
    ...(image === null
      ? []
      : [
          {
            type: MessageComponentTypes.MEDIA_GALLERY,
            items: [{ media: { url: image.url }, description: image.alt }],
          },
        ]),
  ],
})

function componentOf(part: MessagePart, limit: number) {
  if (part.kind === 'buttons') return buttonRow(part.buttons)
  return { type: MessageComponentTypes.TEXT_DISPLAY, content: textOf(part, limit) }
}

type TextPart = Exclude<MessagePart, { kind: 'buttons' }>

function textOf(part: TextPart, limit: number): string {
  switch (part.kind) {
    case 'heading':
      return `### ${cut(part.text.replace(/\s+/g, ' '), limit - 4)}`
    case 'paragraph':
      return cut(part.text, limit)
    case 'note':
      return part.text
    case 'list':
      return listText(part, limit)
    case 'draft':
      return draftText(part, limit)
  }
}

/** Text of people, escaped and no longer than a limit; empty when none of it has room. */
function cut(text: string, limit: number): string {
  let length = Math.min(text.length, limit)
  while (length > 0 && escapeForChat(shortenUtf16(length, text)).length > limit)
    length = Math.floor(length * 0.9)
  return escapeForChat(shortenUtf16(length, text))
}

/** All items of a list, each as long as there is room: the last one says how many more there are. */
function listText({ heading, items }: Extract<TextPart, { kind: 'list' }>, limit: number): string {
  const first = heading === null ? [] : [`**${escapeForChat(heading)}**`]
  const whole = [...first, ...items.map((item) => `- ${escapeForChat(item)}`)].join('\n')
  if (whole.length <= limit) return whole
  const room = limit - first.join('').length - 1
  const perItem = Math.floor(room / items.length) - '\n- '.length
  return [...first, ...items.map((item) => `- ${cut(item, perItem)}`)].join('\n')
}

function draftText({ title, url, lines }: Extract<TextPart, { kind: 'draft' }>, limit: number) {
  const { format } = chatLocale('en')
  const link = `**${format.link(url, title)}**`
  const room = limit - link.length - 1
  const more = cut(lines.join('\n'), Math.max(room, 0))
  return more === '' ? link : `${link}\n${more}`
}

/** Buttons in a row. */
export const buttonRow = (buttons: readonly MessageButton[]) => ({
  type: MessageComponentTypes.ACTION_ROW,
  components: buttons.filter(isPossible).map(discordButton),
})

/** A longer address is left out, because Discord refuses it. */
const isPossible = (one: MessageButton) => one.kind === 'action' || one.url.length <= urlCharacters

function discordButton(one: MessageButton) {
  const label = truncateLineUtf16(labelCharacters, one.label)
  const type = MessageComponentTypes.BUTTON
  if (one.kind === 'link') return { type, style: ButtonStyleTypes.LINK, label, url: one.url }
  const custom_id = buttonId(one.name, one.value)
  return { type, style: styles[one.style ?? 'other'], label, custom_id }
}

const styles = {
  primary: ButtonStyleTypes.PRIMARY,
  danger: ButtonStyleTypes.DANGER,
  other: ButtonStyleTypes.SECONDARY,
}

/** The id of a button: its name and its value. */
const buttonId = (name: string, value: string) => `${name}:${value}`

/** The mark of a button that confirms another one, because Discord's buttons cannot ask. */
const confirmedMark = ':sure'

/** The name and the value of a button, and whether it confirms another button. */
export function readButtonId(id: string): { name: string; value: string; isConfirmed: boolean } {
  const isConfirmed = id.endsWith(confirmedMark)
  const [name = '', value = ''] = (isConfirmed ? id.slice(0, -confirmedMark.length) : id).split(':')
  return { name, value, isConfirmed }
}

/** Asks a person to confirm a button, in a message that only they see; undefined for one that needs no confirmation. */
export function confirmationReply(
  name: string,
  value: string,
  language: Language,
): Reply | undefined {
  const confirmation = confirmationOf(name, language)
  if (!confirmation) return undefined
  const content = `**${confirmation.title}**\n${confirmation.text}`
  const confirm = {
    type: MessageComponentTypes.BUTTON,
    style: ButtonStyleTypes.DANGER,
    label: confirmation.label,
    custom_id: `${buttonId(name, value)}${confirmedMark}`,
  }
  return ephemeral(content, [{ type: MessageComponentTypes.ACTION_ROW, components: [confirm] }])
}

/** A message that only one person sees and that notifies nobody. */
export const ephemeral = (content: string, components: object[] = []): Reply => ({
  body: {
    type: InteractionResponseType.CHANNEL_MESSAGE_WITH_SOURCE,
    data: {
      content,
      flags: InteractionResponseFlags.EPHEMERAL,
      allowed_mentions: { parse: [] },
      ...(components.length > 0 && { components }),
    },
  },
})
