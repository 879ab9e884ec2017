import { type Context, inTransaction, type TxContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { AppError } from '../../lib/errors.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { sendMessages } from '../chat-messages/index.ts'
import { type ConversationPeople, peopleOf } from './find.ts'
import {
  type CompleteNews,
  isShort,
  messagesToRead,
  nextStep,
  type ReplyName,
  type Step,
  stepAfterImage,
  type WrittenMessage,
} from './next-step.ts'
import type { MessageReader, MessageReading } from './read-message.ts'
import {
  type ConversationKey,
  type ConversationRow,
  selectConversation,
  upsertConversation,
} from './sql.ts'
import { continuedOf, messagesOf, openMs, storedOf } from './stored-messages.ts'

/** A message of a person to the bot. */
export interface MessageToBot extends ConversationKey, WrittenMessage {
  deliveryId: string
  userId: string
  fromPrivate: boolean
  reply: ReplyAddress
}

/** Where the bot replies. What concerns the person alone goes to the person. */
interface ReplyAddress {
  to: 'person' | 'channel'
  /** The id of a channel; for `person`, of the person. */
  recipient: string
  /** The thread in the channel, or in the conversation with the person. */
  thread: string | null
}

/** What a person has said, and who has to do with it. */
type SaidNews = CompleteNews & ConversationPeople

/** What became of a message. */
export type ConversationResult = { outcome: 'replied' } | SaidNews

interface ConversationContext extends Context {
  queue: JobQueue
  messageReader: MessageReader
}

/**
 * Reads a message to the bot with a language model, and stores the reply, or what `save` stores of what is complete, in
 * the same transaction as the conversation. A repeated call replies once.
 */
export async function converse(
  ctx: ConversationContext,
  message: MessageToBot,
  save: (ctx: TxContext, complete: SaidNews) => Promise<void>,
): Promise<ConversationResult> {
  const { sql, now, actor } = ctx
  const since = new Date(now().getTime() - openMs)
  const stored = await withDeadline(selectConversation(sql, actor.teamId, message, since))
  // The attempt before this one has replied.
  if (stored?.delivery_id === message.deliveryId) return { outcome: 'replied' }
  const earlier = continuedOf(stored)
  const written = [...messagesOf(earlier), message]
  const read = messagesToRead(written)
  const next =
    message.text === '' && message.image
      ? stepAfterImage(earlier)
      : nextStep(await readOrForm(ctx, { earlier, written: read }), earlier, read)
  const row = rowAfter(next, { message, earlier, written })
  const expected = { deliveryId: stored?.delivery_id ?? null, texts: stored?.texts.length ?? 0 }
  const guard = { expected, at: now(), since }
  return await inTransaction(ctx, async (txCtx) => {
    const isStored = await upsertConversation(txCtx.sql, actor.teamId, message, {
      ...row,
      ...guard,
    })
    if (!isStored) throw new Error('The conversation has gone on: the message is read again.')
    if (next.outcome === 'complete') {
      const complete = { ...next, ...peopleOf(row) }
      await save(txCtx, complete)
      return complete
    }
    await sendReply(txCtx, message, next.reply)
    return { outcome: 'replied' }
  })
}

/**
 * The conversation after a message. A question in between, such as for the status, does not end it; unread texts that
 * are in no draft stay until they are, or until the person cancels.
 */
function rowAfter(
  next: Step,
  {
    message,
    earlier,
    written,
  }: {
    message: MessageToBot
    earlier: ConversationRow | undefined
    written: readonly WrittenMessage[]
  },
): ConversationRow {
  const { deliveryId: delivery_id, userId: user_id } = message
  const from_private = message.fromPrivate || earlier?.from_private === true
  const kept = keptOf(next, written)
  if (next.outcome === 'replied' && next.goesOn && earlier)
    return { ...earlier, ...(next.isUnread && storedOf(kept)), delivery_id, from_private }
  const isAsking = next.outcome === 'asking'
  const people = next.outcome === 'complete' ? next.people : written.flatMap((one) => one.people)
  return {
    delivery_id,
    user_id,
    from_private,
    kind: next.outcome === 'replied' ? null : next.kind,
    missing: isAsking ? next.missing : null,
    questions: isAsking ? (earlier?.questions ?? 0) + 1 : 0,
    ...storedOf(kept),
    people: [...new Set(people)],
  }
}

/** The messages that are stored after a step. */
function keptOf(next: Step, written: readonly WrittenMessage[]): readonly WrittenMessage[] {
  switch (next.outcome) {
    case 'asking':
      return written
    case 'complete':
      return written.filter((one) => one.isUnread && !next.saved.includes(one))
    case 'replied':
      if (!next.isUnread) return []
      return written.map((one) => (one === written.at(-1) ? { ...one, isUnread: true } : one))
  }
}

/** The meaning of the texts; null when no model reads them, so that the person gets the form. */
async function readOrForm(
  ctx: ConversationContext,
  {
    earlier,
    written,
  }: { earlier: ConversationRow | undefined; written: readonly WrittenMessage[] },
): Promise<MessageReading | null> {
  const { texts } = storedOf(written)
  if (!isShort(texts)) return null
  const { kind = null, missing = null } = earlier ?? {}
  try {
    return await ctx.messageReader.read(ctx, { texts, kind, missing })
  } catch (error) {
    const isWithoutAi =
      error instanceof AppError && ['ai_unavailable', 'ai_limit_reached'].includes(error.code)
    if (isWithoutAi) return null
    throw error
  }
}

async function sendReply(
  ctx: TxContext & { queue: JobQueue },
  { connectionId, deliveryId, userId, reply: address }: MessageToBot,
  reply: ReplyName,
): Promise<void> {
  // What became of somebody's news concerns nobody else.
  const isPersonal = reply === 'mine' && address.to === 'channel'
  const { to, recipient, thread }: ReplyAddress = isPersonal
    ? { to: 'person', recipient: userId, thread: null }
    : address
  const data = { reply, to, user: userId, ...(thread !== null && { thread }) }
  await sendMessages(ctx, [{ connectionId, kind: 'reply', recipient, subject: deliveryId, data }])
}
