import * as v from 'valibot'
import type { ChatAction } from '../../kit/chat/actions.ts'
import { type Contributors, contributorsOf } from '../../kit/chat/contributors.ts'
import type { DirectMessage } from '../../kit/chat/direct-message.ts'
import type { ChatSubmission } from '../../kit/chat/submissions.ts'
import { readStored } from '../../kit/requests/received.ts'
import type { BotContext } from './client.ts'
import { userIds } from './members.ts'
import { type BotActivity, isPersonal, nameOf, userOf } from './requests/activity.ts'

/** The stored event of a bot. It contains no id or address of a person. */
export type BotEvent =
  | (ChatSubmission & {
      type: 'news'
      /** Whether it comes from a private conversation. */
      is_private?: boolean
    })
  | DirectMessage
  | { type: 'undo'; external_id: string }
  | { type: 'action'; action: ChatAction }

const EphemeralContext = v.object({
  /** The id of the person. */
  user: v.string(),
  name: v.string(),
  /** Where the person used the bot. */
  conversation: v.string(),
  is_personal: v.boolean(),
  /** The message with the button that the person used, or to which the bot replies. */
  card: v.exactOptional(v.string()),
  /** The id of the author of a saved message. */
  author: v.exactOptional(v.string()),
  /** The ids of the mentioned people, as the conversation has them. */
  mentioned: v.optional(v.array(v.string()), []),
  /** The id of the question to which the person replies. */
  prompt: v.exactOptional(v.string()),
  /** The id of the text to the bot that the form contained. */
  unread_id: v.exactOptional(v.string()),
})

/** The data that is needed to finish. It is deleted when the delivery is settled. */
export type EphemeralContext = v.InferOutput<typeof EphemeralContext>

/** Reads the stored data; undefined after it was deleted. */
export const readEphemeralContext = (stored: unknown): EphemeralContext | undefined =>
  readStored(EphemeralContext, stored)

/** The id of a person who was alone with the bot. */
export function personalUser(stored: unknown): string | undefined {
  const context = readEphemeralContext(stored)
  return context?.is_personal ? context.user : undefined
}

/** Who used the bot, and where. */
export const ephemeralContextOf = (
  activity: BotActivity,
  more: Partial<
    Pick<EphemeralContext, 'author' | 'prompt' | 'card' | 'mentioned' | 'unread_id'>
  > = {},
): EphemeralContext => ({
  user: userOf(activity),
  name: nameOf(activity),
  conversation: activity.conversation.id,
  is_personal: isPersonal(activity),
  mentioned: [],
  ...more,
})

/** Who gets messages about an item: the person who saved it, its author, and the people whom kudos thank. */
export async function contributors({
  event,
  ephemeralContext,
  ...context
}: BotContext & { event: BotEvent; ephemeralContext: unknown }): Promise<Contributors | undefined> {
  const saved = readEphemeralContext(ephemeralContext)
  if (event.type !== 'news' || !saved) return undefined
  const { user, author = user, mentioned, conversation, prompt, unread_id } = saved
  const thanked = event.command === 'kudos' ? await userIds(context, conversation, mentioned) : []
  return contributorsOf({
    user,
    author,
    thanked: thanked.filter((one) => one !== author),
    isPrivate: event.is_private === true,
    prompt,
    unread_id,
  })
}
