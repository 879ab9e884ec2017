import type { ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { imageOf, type WrittenMessage } from './next-step.ts'
import {
  type ConversationRow,
  type MessageImage,
  selectEndedConversation,
  selectNewestText,
} from './sql.ts'
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
  return row ? peopleOf(row) : null
}

/** The people of a conversation that is complete. */
export function peopleOf({
  user_id: userId,
  kind,
  people,
  from_private: fromPrivate,
}: Pick<ConversationRow, 'user_id' | 'kind' | 'people' | 'from_private'>): ConversationPeople {
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

/** A form of Slack has room for 3,000 characters, and its format can be longer than Markdown. */
const formCharacters = 2_500

/** What a person has written to the bot last, unless it is in a draft: of many texts the first, as far as a form has room. */
export async function findUnreadText(
  { sql, actor }: ReadContext,
  person: { connectionId: string; userId: string },
): Promise<UnreadText | null> {
  const row = await withDeadline(selectNewestText(sql, actor.teamId, person))
  if (!row) return null
  const messages = messagesThatFit(messagesOf(row))
  const id = messages.at(-1)?.deliveryId ?? row.delivery_id
  const text = textOf(messages)
  return { id, text, fromPrivate: row.from_private, image: imageOf(messages) }
}

const textOf = (messages: readonly WrittenMessage[]) => messages.map(({ text }) => text).join('\n')

/** The first messages that fit into a form, at least one. The others are offered once these are saved. */
function messagesThatFit(messages: readonly WrittenMessage[]): readonly WrittenMessage[] {
  const tooLong = messages.findIndex(
    (_, index) => index > 0 && textOf(messages.slice(0, index + 1)).length > formCharacters,
  )
  const fitting = tooLong === -1 ? messages : messages.slice(0, tooLong)
  // Without its delivery, nobody knows afterwards which texts the form contained.
  return fitting.at(-1)?.deliveryId === undefined ? messages : fitting
}
