import { buildChatItem, commandTypes } from '../../integrations/kit/chat/chat.ts'
import type { Composed, MessageToBot } from '../../integrations/kit/composed.ts'
import { applyConnectionSettings } from '../features/connections/index.ts'
import { converse } from '../features/conversations/index.ts'
import { saveComposedItems } from '../features/deliveries/index.ts'
import { systemContext } from '../lib/context.ts'
import type { DeliveryContext, ForwardingDeps } from './deps.ts'

type Items = Extract<Composed, { kind: 'items' }>

/**
 * Reads a message to the bot and replies to it. Returns the item once the person has said everything, which is stored,
 * so that a repeated delivery does not read the message again; null after a reply.
 */
export async function converseWith(
  { sql, now, queue, reader }: ForwardingDeps,
  { delivery, connection }: DeliveryContext,
  { conversation, user: userId, text, fromPrivate, people, reply, item }: MessageToBot,
): Promise<Items | null> {
  const ctx = { ...systemContext({ sql, now }, connection.teamId), queue, reader }
  const about = { connectionId: connection.id, conversation, deliveryId: delivery.id }
  let items: Items | null = null
  await converse(
    ctx,
    { ...about, userId, text, fromPrivate, people, reply },
    async (within, complete) => {
      const submission = {
        ...item,
        block_type: commandTypes.get(complete.kind) ?? 'general',
        command: complete.kind,
        body: complete.text,
      }
      const composed: Items = {
        kind: 'items',
        items: [buildChatItem(submission, connection.language)],
      }
      const applied = applyConnectionSettings(composed, connection.common)
      items = await saveComposedItems(within, delivery, applied)
    },
  )
  return items
}
