import type { Context, ServiceContext, TxContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { imageOf, isSameNews } from './next-step.ts'
import {
  type ConversationKey,
  deleteConversationsBefore,
  endConversation,
  type MessageImage,
  selectConversation,
} from './sql.ts'
import { messagesOf, openMs } from './stored-messages.ts'

/** What a person has sent before a command that continues their conversation. */
interface ContinuedConversation {
  image: MessageImage | null
  fromPrivate: boolean
}

/**
 * Ends an open conversation with a command, which says what the bot has asked for. The image of earlier messages belongs
 * to it, unless they were about something else. Null when the bot waits for nothing.
 */
export async function endWithCommand(
  { sql, now, actor }: TxContext,
  { command, ...key }: ConversationKey & { command: string },
): Promise<ContinuedConversation | null> {
  const since = new Date(now().getTime() - openMs)
  const row = await selectConversation(sql, actor.teamId, key, since)
  if (!row || row.missing === null) return null
  await endConversation(sql, actor.teamId, { deliveryId: row.delivery_id, userId: row.user_id })
  const image = isSameNews(row, command) ? imageOf(messagesOf(row)) : null
  return { image, fromPrivate: row.from_private }
}

/** Ends the conversation whose text a person has saved with a form, unless it has gone on since. */
export async function endUnreadText(
  { sql, actor }: Context,
  text: { id: string; userId: string },
): Promise<void> {
  const { id: deliveryId, userId } = text
  await withDeadline(endConversation(sql, actor.teamId, { deliveryId, userId }))
}

/** Deletes conversations that nobody has continued for a day. */
export async function purgeConversations({ sql, now }: ServiceContext): Promise<void> {
  const before = new Date(now().getTime() - openMs)
  await withDeadline(deleteConversationsBefore(sql, before))
}
