import type { Contributors } from '../../../integrations/kit/chat/contributors.ts'
import { addContributors } from '../../features/contributors/index.ts'
import {
  type ConversationPeople,
  endUnreadText,
  findConversationPeople,
} from '../../features/conversations/index.ts'
import { addReply } from '../../features/prompts/index.ts'
import { createReceipt } from '../../features/receipts/index.ts'
import { withTimeLimit } from '../../lib/concurrency/time-limit.ts'
import { systemContext } from '../../lib/context.ts'
import type { DeliveryContext, ForwardingDeps } from '../deps.ts'
import type { DeliveryResult } from './post-items.ts'

const timeoutMs = 10_000

/** Stores who has to do with the blocks of a delivery, if its adapter knows that. */
export async function storeContributors(
  { sql, now, outbound }: ForwardingDeps,
  { adapter, connection, context, delivery }: DeliveryContext,
  result: DeliveryResult & { fromPrivate?: true },
): Promise<void> {
  const ctx = systemContext({ sql, now }, connection.teamId)
  const people = await findConversationPeople(ctx, { deliveryId: delivery.id })
  const found = people
    ? contributorsOf(people)
    : await withTimeLimit(outbound, timeoutMs, async (provider) =>
        adapter.contributors?.({ ...context, provider }),
      )
  if (!found) return
  const { promptId: messageId, unreadId, ...about } = found
  const connectionId = connection.id
  for (const { id: blockId } of result.blocks ?? []) {
    const fromPrivate = about.fromPrivate || result.fromPrivate === true
    await addContributors(ctx, { ...about, fromPrivate, connectionId, blockId })
    // The list of a person's own news shows receipts, also before or without a message to the sender.
    await createReceipt(ctx, { blockId })
    if (messageId !== undefined) await addReply(ctx, { connectionId, messageId, blockId })
  }
  const sender = about.contributors.find(({ role }) => role === 'sender')
  if (unreadId !== undefined && sender)
    await endUnreadText(ctx, { id: unreadId, connectionId, userId: sender.user })
}

/** The contributors of what a person has written to the bot. */
const contributorsOf = ({ userId, thanked, fromPrivate }: ConversationPeople): Contributors => ({
  contributors: [
    { user: userId, role: 'sender' },
    ...thanked.map((user) => ({ user, role: 'recipient' as const })),
  ],
  fromPrivate,
})
