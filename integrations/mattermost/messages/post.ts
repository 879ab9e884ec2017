import type { ActionButton } from '../../kit/chat/buttons.ts'
import type { ChatLocale } from '../../kit/chat/format.ts'
import type { MessageContent, MessagePart } from '../../kit/chat/messages/message-part.ts'
import { truncateUtf16 } from '../../kit/text/fit-length.ts'
import { shortHash } from '../../kit/text/plain-text.ts'
import { messageCharacters } from '../limits.ts'
import { type Signer, signParts } from '../signature.ts'

/** The address of the use of a button, what it contains, and our signature of that. */
interface Action {
  id: string
  name: string
  type: 'button'
  style: 'default' | 'primary' | 'danger'
  integration: { url: string; context: Record<string, string> }
}

/** A part of a message. */
export interface Attachment {
  fallback: string
  text: string
  image_url?: string
  actions?: Action[]
}

/** A message of the bot: a text, and parts below it, each with its buttons. */
export interface PostContent {
  message: string
  attachments: Attachment[]
}

/** What a button needs beside its label. */
export interface ButtonContext extends Signer {
  /** Our id of the message. */
  message: string
}

/** The texts that the signature of a button covers. */
export const signedParts = (message: string, name: string, value: string): string[] => [
  'button',
  message,
  name,
  value,
]

/**
 * A button. Its id has letters and digits only, because others are not found when it is used.
 * Source: https://developers.mattermost.com/integrate/plugins/interactive-messages
 */
export function actionOf(
  { name, value, label, style }: Omit<ActionButton, 'kind' | 'name'> & { name: string },
  context: ButtonContext,
): Action {
  const { webhookUrl, message } = context
  const signature = signParts(signedParts(message, name, value), context)
  return {
    id: shortHash(`${name} ${value}`),
    name: label,
    type: 'button',
    style: style ?? 'default',
    integration: { url: webhookUrl.href, context: { name, value, message, signature } },
  }
}

/**
 * A message as a post. Its first part is the text, which notifications show and which never changes; the others are
 * attachments, each with the buttons and remarks that follow it.
 */
export function postOf(
  { notification, parts }: MessageContent,
  locale: ChatLocale,
  context: ButtonContext,
): PostContent {
  const [first, ...rest] = parts
  const attachments: Attachment[] = []
  for (const part of rest) {
    if (part.kind !== 'buttons' && part.kind !== 'note') {
      attachments.push({ fallback: notification, text: textOf(part, locale) })
      continue
    }
    const last = attachments.pop() ?? { fallback: notification, text: '' }
    attachments.push(withEnd(last, part, locale, context))
  }
  const message = first && first.kind !== 'buttons' ? textOf(first, locale) : notification
  return { message: truncateUtf16(messageCharacters, message), attachments }
}

type TextPart = Exclude<MessagePart, { kind: 'buttons' }>

/** An attachment with a remark or buttons at its end. Mattermost has no buttons with a link, so it is in the text. */
function withEnd(
  { actions = [], ...attachment }: Attachment,
  part: Extract<MessagePart, { kind: 'buttons' | 'note' }>,
  { format }: ChatLocale,
  context: ButtonContext,
): Attachment {
  if (part.kind === 'note')
    return { ...attachment, text: joined(attachment.text, part.text), actions }
  const links = part.buttons.flatMap((one) =>
    one.kind === 'link' ? [format.link(one.url, one.label)] : [],
  )
  const buttons = part.buttons.flatMap((one) =>
    one.kind === 'action' ? [actionOf(one, context)] : [],
  )
  return {
    ...attachment,
    text: joined(attachment.text, links.join(' · ')),
    actions: [...actions, ...buttons],
  }
}

const joined = (...texts: string[]) => texts.filter((text) => text !== '').join('\n\n')

function textOf(part: TextPart, { format }: ChatLocale): string {
  switch (part.kind) {
    case 'heading':
      return `**${format.escape(part.text)}**`
    case 'paragraph':
      return format.escape(part.text)
    case 'note':
      return part.text
    case 'list': {
      const heading = part.heading === null ? [] : [`**${format.escape(part.heading)}**`]
      return [...heading, ...part.items.map((item) => `- ${format.escape(item)}`)].join('\n')
    }
    case 'draft':
      return [`**${format.link(part.url, part.title)}**`, ...part.lines.map(format.escape)].join(
        '\n',
      )
  }
}
