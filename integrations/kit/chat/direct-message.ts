import type { Composed, Item } from '../composed.ts'
import { normalizeText, shortHash } from '../text/plain-text.ts'
import type { ChatSubmission } from './submissions.ts'

/** The stored event of a direct message to a bot that begins with no command. */
export interface DirectMessage extends Pick<ChatSubmission, 'external_id' | 'author' | 'file'> {
  type: 'message'
  /** Markdown. */
  text: string
}

/** Whether a direct message with this text is only an image, which goes with the words that follow. */
export const isImageAlone = (text: string, file: string | undefined) =>
  file !== undefined && normalizeText(text) === ''

/** The event of a direct message, for a language model. */
export function directMessage({
  externalId: external_id,
  text,
  author,
  file,
}: {
  externalId: string
  text: string
  author: string
  file?: string | undefined
}): DirectMessage {
  const more = { ...(author && { author }), ...(file !== undefined && { file }) }
  return { type: 'message', external_id, text: normalizeText(text), ...more }
}

/** All messages of a person to the bot are one conversation. */
const conversationWith = (user: string) => shortHash(`direct ${user}`)

/** The items of a command; one that a person has written to the bot alone continues their conversation with it. */
export const composeCommand = (
  item: Item,
  { command, user }: { command: string | undefined; user: string | undefined },
): Composed => ({
  kind: 'items',
  items: [item],
  ...(command !== undefined &&
    user !== undefined && { continues: { conversation: conversationWith(user), command } }),
})

/** The message for the host, which replies to the person in private. */
export const composeDirectMessage = (
  { text, external_id, author, file }: DirectMessage,
  user: string,
): Composed => ({
  kind: 'message',
  message: {
    conversation: conversationWith(user),
    user,
    text,
    fromPrivate: true,
    people: [],
    reply: { to: 'person', recipient: user, thread: null },
    item: { external_id, ...(author && { author }), ...(file !== undefined && { file }) },
  },
})
