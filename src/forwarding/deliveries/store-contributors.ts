import type { Contributors } from '../../../integrations/kit/chat/contributors.ts'
import { addContributors } from '../../features/contributors/index.ts'
import { endUnreadText, findConversationPeople } from '../../features/conversations/index.ts'
import {
  replaceComposedItems,
  saveContributors,
  type WaitingDelivery,
} from '../../features/deliveries/index.ts'
import { addReply } from '../../features/prompts/index.ts'
import { createReceipt } from '../../features/receipts/index.ts'
import { withTimeLimit } from '../../lib/concurrency/time-limit.ts'
import { systemContext } from '../../lib/context.ts'
import { contributorsOfConversation } from '../converse.ts'
import type { DeliveryContext, ForwardingDeps } from '../deps.ts'
import type { DeliveryResult, Of } from './post-items.ts'

const timeoutMs = 10_000

/**
 * Finds who has to do with the items of a delivery, if its adapter knows them, before a block is created: a draft whose
 * privacy is not known yet is shown nowhere. They are stored, so that each attempt knows them, also when somebody has gone
 * on writing or the chat cannot be reached any more.
 */
export async function findContributors(
  deps: ForwardingDeps,
  { adapter, connection, context, delivery }: DeliveryContext,
  { fromPrivate }: Of<'items'>,
): Promise<Contributors | undefined> {
  const stored = storedContributors(delivery)
  if (stored) return stored
  const ctx = systemContext(deps, connection.teamId)
  // A process of an earlier version has stored none for what a person has written to the bot.
  const people = await findConversationPeople(ctx, { deliveryId: delivery.id })
  const found = people
    ? contributorsOfConversation(people)
    : await withTimeLimit(deps.outbound, timeoutMs, async (provider) =>
        adapter.contributors?.({ ...context, provider }),
      )
  if (!found) return undefined
  const contributors = { ...found, fromPrivate: found.fromPrivate || fromPrivate === true }
  await saveContributors(deps, delivery, contributors)
  return contributors
}

/** Stores that items are private, so that no channel shows their drafts before their people are stored. */
export async function markPrivate(
  deps: ForwardingDeps,
  { delivery }: DeliveryContext,
  composed: Of<'items'>,
): Promise<Of<'items'>> {
  if (composed.fromPrivate) return composed
  return await replaceComposedItems(deps, delivery, { ...composed, fromPrivate: true })
}

/** Only {@link findContributors} and the conversation with a bot store them. */
const storedContributors = ({ ephemeralContext }: WaitingDelivery) =>
  (ephemeralContext as { contributors?: Contributors } | null)?.contributors

/** Stores who has to do with the blocks of a delivery. */
export async function storeContributors(
  { sql, now }: ForwardingDeps,
  { connection }: DeliveryContext,
  { blocks = [] }: DeliveryResult,
  { promptId: messageId, unreadId, ...about }: Contributors,
): Promise<void> {
  const ctx = systemContext({ sql, now }, connection.teamId)
  const connectionId = connection.id
  for (const { id: blockId } of blocks) {
    await addContributors(ctx, { ...about, connectionId, blockId })
    // The list of a person's own news shows receipts, also before or without a message to the sender.
    await createReceipt(ctx, { blockId })
    if (messageId !== undefined) await addReply(ctx, { connectionId, messageId, blockId })
  }
  const sender = about.contributors.find(({ role }) => role === 'sender')
  if (unreadId !== undefined && sender)
    await endUnreadText(ctx, { id: unreadId, connectionId, userId: sender.user })
}
