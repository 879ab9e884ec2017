import { buildChatItem, commandTypes } from '../../integrations/kit/chat/submissions.ts'
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
  { sql, now, queue, messageReader }: ForwardingDeps,
  { delivery, connection }: DeliveryContext,
  { user: userId, item, ...message }: MessageToBot,
): Promise<Items | null> {
  const ctx = { ...systemContext({ sql, now }, connection.teamId), queue, messageReader }
  const about = { ...message, userId, connectionId: connection.id, deliveryId: delivery.id }
  const { file, file_alt, ...more } = item
  const image = file === undefined ? null : { file, ...(file_alt && { file_alt }) }
  let items: Items | null = null
  await converse(ctx, { ...about, image }, async (txCtx, complete) => {
    const submission = {
      ...more,
      ...complete.image,
      block_type: commandTypes.get(complete.kind) ?? 'general',
      command: complete.kind,
      body: complete.text,
    }
    const composed: Items = {
      kind: 'items',
      items: [buildChatItem(submission, connection.language)],
    }
    const applied = applyConnectionSettings(composed, connection.common)
    items = await saveComposedItems(txCtx, delivery, applied)
  })
  return items
}
