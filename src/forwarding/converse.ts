import type { Contributors } from '../../integrations/kit/chat/contributors.ts'
import {
  attachmentOf,
  buildChatItem,
  commandTypes,
} from '../../integrations/kit/chat/submissions.ts'
import type {
  Composed,
  ContinuedConversation,
  MessageToBot,
} from '../../integrations/kit/composed.ts'
import {
  type ConversationPeople,
  converse,
  endWithCommand,
} from '../features/conversations/index.ts'
import { saveComposedItems, saveContributors } from '../features/deliveries/index.ts'
import { inTransaction, systemContext } from '../lib/context.ts'
import { applySettings } from './deliveries/apply-settings.ts'
import type { DeliveryContext, ForwardingDeps } from './deps.ts'

type Items = Extract<Composed, { kind: 'items' }>

/** What a person has said, and who has to do with it. */
interface SaidItems {
  items: Items
  contributors: Contributors
}

/**
 * Reads a message to the bot and replies to it. Returns the item once the person has said everything, which is stored with
 * its people, so that a repeated delivery does not read the message again; null after a reply.
 */
export async function converseWith(
  { sql, now, queue, messageReader, encryption }: ForwardingDeps,
  { delivery, connection }: DeliveryContext,
  { user: userId, item, ...message }: MessageToBot,
): Promise<SaidItems | null> {
  const ctx = { ...systemContext({ sql, now }, connection.teamId), queue, messageReader }
  const about = { ...message, userId, connectionId: connection.id, deliveryId: delivery.id }
  const { file, file_alt, ...more } = item
  const image = file === undefined ? null : { file, ...(file_alt && { file_alt }) }
  let said: SaidItems | null = null
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
      fromConversation: true,
    }
    const applied = applySettings(composed, connection)
    const contributors = contributorsOfConversation(complete)
    await saveContributors({ ...txCtx, encryption }, delivery, contributors)
    said = { items: await saveComposedItems(txCtx, delivery, applied), contributors }
  })
  return said
}

/** The contributors of what a person has written to the bot. */
export const contributorsOfConversation = ({
  userId,
  thanked,
  fromPrivate,
}: ConversationPeople): Contributors => ({
  contributors: [
    { user: userId, role: 'sender' },
    ...thanked.map((user) => ({ user, role: 'recipient' as const })),
  ],
  fromPrivate,
})

/** Ends the conversation that a command continues, and stores its item with the image that was sent before it. */
export async function endWithItems(
  { sql, now }: ForwardingDeps,
  { delivery, connection }: DeliveryContext,
  { continues, ...composed }: Items & { continues: ContinuedConversation },
): Promise<Items> {
  const key = { ...continues, connectionId: connection.id }
  return await inTransaction(systemContext({ sql, now }, connection.teamId), async (ctx) => {
    const ended = await endWithCommand(ctx, key)
    const items = withImage(composed, ended)
    return await saveComposedItems(ctx, delivery, applySettings(items, connection))
  })
}

/** An item with an image of its own keeps it. What somebody has begun in private stays private. */
function withImage(composed: Items, ended: Awaited<ReturnType<typeof endWithCommand>>): Items {
  if (!ended) return composed
  const continued: Items = { ...composed, ...(ended.fromPrivate && { fromPrivate: true }) }
  if (!ended.image || composed.items.some(({ attachment }) => attachment)) return continued
  const { file, file_alt } = ended.image
  const attachment = attachmentOf(file, file_alt)
  return { ...continued, items: composed.items.map((item) => ({ ...item, attachment })) }
}
