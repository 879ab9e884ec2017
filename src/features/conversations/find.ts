import type { ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { imageOf } from './next-step.ts'
import { type MessageImage, selectEndedConversation, selectNewestConversation } from './sql.ts'
import { messagesOf } from './stored-messages.ts'

/** The people of a message to the bot: its sender, and those whom kudos thank. */
export interface ConversationPeople {
  userId: string
  thanked: string[]
  fromPrivate: boolean
}

/** The people of the conversation that ended with a delivery; null for another delivery. */
export async function findConversationPeople(
  { sql, actor }: ReadContext,
  { deliveryId }: { deliveryId: string },
): Promise<ConversationPeople | null> {
  const row = await withDeadline(selectEndedConversation(sql, actor.teamId, deliveryId))
  if (!row) return null
  const { user_id: userId, kind, people, from_private: fromPrivate } = row
  const thanked = kind === 'kudos' ? people.filter((one) => one !== userId) : []
  return { userId, thanked, fromPrivate }
}

/** What a person has written to the bot and no model has turned into a draft. */
interface UnreadText {
  /** The delivery of its newest message. */
  id: string
  /** Markdown. */
  text: string
  fromPrivate: boolean
  image: MessageImage | null
}

/** What a person has written to the bot last, unless it is in a draft. */
export async function findUnreadText(
  { sql, actor }: ReadContext,
  person: { connectionId: string; userId: string },
): Promise<UnreadText | null> {
  const row = await withDeadline(selectNewestConversation(sql, actor.teamId, person))
  if (!row || row.texts.length === 0) return null
  const { delivery_id: id, texts, from_private: fromPrivate } = row
  return { id, text: texts.join('\n'), fromPrivate, image: imageOf(messagesOf(row)) }
}
