import {
  type Context,
  inTransaction,
  type ReadContext,
  type ServiceContext,
  type TxContext,
} from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { AppError } from '../../lib/errors.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { sendMessages } from '../chat-messages/index.ts'
import {
  type CompleteNews,
  imageOf,
  isSameNews,
  isShort,
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
  deleteConversationsBefore,
  endConversation,
  type MessageImage,
  saveConversation,
  selectConversation,
  selectEnded,
  selectNewest,
} from './sql.ts'

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

/** What became of a message. */
export type ConversationResult = { outcome: 'replied' } | CompleteNews

/** A conversation that nobody continues for so long is over. */
const openMs = 24 * 3_600_000

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
  save: (ctx: TxContext, complete: CompleteNews) => Promise<void>,
): Promise<ConversationResult> {
  const { sql, now, actor } = ctx
  const since = new Date(now().getTime() - openMs)
  const stored = await withDeadline(selectConversation(sql, actor.teamId, message, since))
  // The attempt before this one has replied.
  if (stored?.delivery_id === message.deliveryId) return { outcome: 'replied' }
  const earlier = stored && stored.missing !== null ? stored : undefined
  const written = [...messagesOf(earlier), message]
  const next =
    message.text === '' && message.image
      ? stepAfterImage(earlier)
      : nextStep(await readOrForm(ctx, { earlier, written }), earlier, written)
  const row = rowAfter(next, { message, earlier, written })
  const guard = { expected: stored?.delivery_id ?? null, at: now(), since }
  return await inTransaction(ctx, async (txCtx) => {
    const isStored = await saveConversation(txCtx.sql, actor.teamId, message, { ...row, ...guard })
    if (!isStored) throw new Error('The conversation has gone on: the message is read again.')
    if (next.outcome === 'complete') {
      await save(txCtx, next)
      return next
    }
    await sendReply(txCtx, message, next.reply)
    return { outcome: 'replied' }
  })
}

/** The messages of a conversation that goes on, oldest first. */
const messagesOf = (earlier: ConversationRow | undefined): WrittenMessage[] =>
  (earlier?.texts ?? []).map((text, index) => {
    const { people, ...image } = earlier?.details[index] ?? { people: earlier?.people ?? [] }
    return { text, people, image: image.file === undefined ? null : { ...image, file: image.file } }
  })

/** What is stored of messages. */
const storedOf = (written: readonly WrittenMessage[]) => ({
  texts: written.map(({ text }) => text),
  details: written.map(({ people, image }) => ({ people, ...image })),
})

/** The conversation after a message. A question in between, such as for the status, does not end it. */
function rowAfter(
  next: Step,
  {
    message: { deliveryId: delivery_id, userId: user_id, fromPrivate },
    earlier,
    written,
  }: {
    message: MessageToBot
    earlier: ConversationRow | undefined
    written: readonly WrittenMessage[]
  },
): ConversationRow {
  const from_private = fromPrivate || earlier?.from_private === true
  const isUnread = next.outcome === 'replied' && next.isUnread === true
  if (next.outcome === 'replied' && next.goesOn && earlier)
    return { ...earlier, ...(isUnread && storedOf(written)), delivery_id, from_private }
  const isAsking = next.outcome === 'asking'
  const people = next.outcome === 'complete' ? next.people : written.flatMap((one) => one.people)
  return {
    delivery_id,
    user_id,
    from_private,
    kind: next.outcome === 'replied' ? null : next.kind,
    missing: isAsking ? next.missing : null,
    questions: isAsking ? (earlier?.questions ?? 0) + 1 : 0,
    ...storedOf(isAsking || isUnread ? written : []),
    people: [...new Set(people)],
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
  const row = await withDeadline(selectEnded(sql, actor.teamId, deliveryId))
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
  const row = await withDeadline(selectNewest(sql, actor.teamId, person))
  if (!row || row.texts.length === 0) return null
  const { delivery_id: id, texts, from_private: fromPrivate } = row
  return { id, text: texts.join('\n'), fromPrivate, image: imageOf(messagesOf(row)) }
}

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
