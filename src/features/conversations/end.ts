import {
  type Context,
  inTransaction,
  type ServiceContext,
  type TxContext,
} from '../../lib/context.ts'
import { imageOf, isSameNews } from './next-step.ts'
import {
  type ConversationKey,
  deleteConversationsBefore,
  endConversation,
  lockConversationOf,
  type MessageImage,
  selectConversation,
} from './sql.ts'
import { messagesOf, openMs, storedOf } from './stored-messages.ts'

/** What a person has sent before a command that continues their conversation. */
interface ContinuedConversation {
  image: MessageImage | null
  fromPrivate: boolean
}

/**
 * Ends an open conversation with a command, which says what the bot has asked for. The image of earlier messages belongs
 * to it, unless they were about something else. Unread texts stay. Null when the bot waits for nothing.
 */
export async function endWithCommand(
  { sql, now, actor }: TxContext,
  { command, ...key }: ConversationKey & { command: string },
): Promise<ContinuedConversation | null> {
  const since = new Date(now().getTime() - openMs)
  const row = await selectConversation(sql, actor.teamId, key, since)
  if (!row || row.missing === null) return null
  const messages = messagesOf(row)
  const ended = { deliveryId: row.delivery_id, userId: row.user_id }
  const left = storedOf(messages.filter(({ isUnread }) => isUnread))
  await endConversation(sql, actor.teamId, { ...ended, left })
  const read = messages.filter(({ isUnread }) => !isUnread)
  const image = isSameNews(row.kind, read, command) ? imageOf(read) : null
  return { image, fromPrivate: row.from_private }
}

/** Ends the conversation whose text a person has saved with a form. What they have written since stays. */
export async function endUnreadText(
  ctx: Context,
  text: { id: string; connectionId: string; userId: string },
): Promise<void> {
  const { id, userId, connectionId } = text
  await inTransaction(ctx, async ({ sql, actor }) => {
    const key = { connectionId, userId, deliveryId: id }
    const row = await lockConversationOf(sql, actor.teamId, key)
    if (!row) return
    const messages = messagesOf(row)
    const newest = messages.findIndex(({ deliveryId }) => deliveryId === id)
    const left = storedOf(newest === -1 ? [] : messages.slice(newest + 1))
    await endConversation(sql, actor.teamId, { userId, deliveryId: row.delivery_id, left })
  })
}

/** Deletes conversations that nobody has continued for a day. */
export async function purgeConversations({ sql, now }: ServiceContext): Promise<void> {
  const before = new Date(now().getTime() - openMs)
  await deleteConversationsBefore(sql, before)
}
