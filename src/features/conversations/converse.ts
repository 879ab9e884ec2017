import * as v from 'valibot'
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
import type { Intent, MessageReader, MessageReading } from './read-message.ts'
import {
  type ConversationKey,
  type ConversationRow,
  deleteConversationsBefore,
  type NewsKind,
  newsKinds,
  saveConversation,
  selectConversation,
  selectEnded,
  selectNewest,
} from './sql.ts'

/** A message of a person to the bot. */
export interface MessageToBot extends ConversationKey {
  deliveryId: string
  userId: string
  /** Markdown. */
  text: string
  fromPrivate: boolean
  /** The ids of the people whom it mentions. */
  people: readonly string[]
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

/** What the bot replies; its sentences are those of the chat. */
export const ReplyName = v.picklist([
  'win_what',
  'news_what',
  'kudos_what',
  'kudos_who',
  'welcome_who',
  'cancelled',
  'form',
  'mine',
  'next',
  'status',
])
type ReplyName = v.InferOutput<typeof ReplyName>

/** What became of a message. */
export type Conversed =
  | { outcome: 'replied' }
  /** The person has said everything: `text` consists of their own words. */
  | { outcome: 'complete'; kind: NewsKind; text: string }

/** A conversation that nobody continues for so long is over. */
const openMs = 24 * 3_600_000
const maxQuestions = 3
/** Longer messages need no questions, and a model should not be asked to read them. */
const maxCharacters = 6_000

interface ConversationContext extends Context {
  queue: JobQueue
  reader: MessageReader
}

/**
 * Reads a message to the bot with a language model, and stores the reply, or what `save` stores of what is complete, in
 * the same transaction as the conversation. A repeated call replies once.
 */
export async function converse(
  ctx: ConversationContext,
  message: MessageToBot,
  save: (ctx: TxContext, complete: { kind: NewsKind; text: string }) => Promise<void>,
): Promise<Conversed> {
  const { sql, now, actor } = ctx
  const since = new Date(now().getTime() - openMs)
  const stored = await withDeadline(selectConversation(sql, actor.teamId, message, since))
  // The attempt before this one has replied.
  if (stored?.delivery_id === message.deliveryId) return { outcome: 'replied' }
  const earlier = stored && stored.missing !== null ? stored : undefined
  const texts = [...(earlier?.texts ?? []), message.text]
  const next = nextStep(await readOrForm(ctx, { earlier, texts }), earlier, texts)
  const row = rowAfter(next, { message, earlier, texts })
  const guard = { expected: stored?.delivery_id ?? null, at: now(), since }
  return await inTransaction(ctx, async (within) => {
    const isStored = await saveConversation(within.sql, actor.teamId, message, { ...row, ...guard })
    if (!isStored) throw new Error('The conversation has gone on: the message is read again.')
    if (next.outcome === 'complete') {
      await save(within, next)
      return next
    }
    await sendReply(within, message, next.reply)
    return { outcome: 'replied' }
  })
}

/** Whether the form contains what the person wrote. */
const isUnread = (next: Step) => next.outcome === 'replied' && next.isUnread === true

/** The conversation after a message. A question in between, such as for the status, does not end it. */
function rowAfter(
  next: Step,
  {
    message: { deliveryId: delivery_id, userId: user_id, fromPrivate, people },
    earlier,
    texts,
  }: { message: MessageToBot; earlier: ConversationRow | undefined; texts: string[] },
): ConversationRow {
  if (next.outcome === 'replied' && next.goesOn && earlier)
    return { ...earlier, delivery_id, texts: isUnread(next) ? texts : earlier.texts }
  const isAsking = next.outcome === 'asking'
  return {
    delivery_id,
    user_id,
    from_private: fromPrivate || earlier?.from_private === true,
    kind: next.outcome === 'replied' ? null : next.kind,
    missing: isAsking ? next.missing : null,
    questions: isAsking ? (earlier?.questions ?? 0) + 1 : 0,
    texts: isAsking || isUnread(next) ? texts : [],
    people: [...new Set([...(earlier?.people ?? []), ...people])],
  }
}

/** The meaning of the texts; null when no model reads them, so that the person gets the form. */
async function readOrForm(
  ctx: ConversationContext,
  { earlier, texts }: { earlier: ConversationRow | undefined; texts: string[] },
): Promise<MessageReading | null> {
  if (!isShort(texts)) return null
  const { kind = null, missing = null } = earlier ?? {}
  try {
    return await ctx.reader.read(ctx, { texts, kind, missing })
  } catch (error) {
    const isWithoutAi =
      error instanceof AppError && ['ai_unavailable', 'ai_limit_reached'].includes(error.code)
    if (isWithoutAi) return null
    throw error
  }
}

type Step =
  | { outcome: 'asking'; kind: NewsKind; missing: 'what' | 'who'; reply: ReplyName }
  /** `isUnread`: the form contains what the person wrote, because no model has read it. */
  | { outcome: 'replied'; reply: ReplyName; goesOn: boolean; isUnread?: true }
  | { outcome: 'complete'; kind: NewsKind; text: string }

const others: Record<Exclude<Intent, NewsKind>, ReplyName> = {
  cancel: 'cancelled',
  help: 'form',
  mine: 'mine',
  next: 'next',
  status: 'status',
}

/** What the bot asks, by what is missing. A win or news without a name is complete. */
const questionsFor: Record<NewsKind, { what?: ReplyName; who?: ReplyName }> = {
  win: { what: 'win_what' },
  news: { what: 'news_what' },
  kudos: { what: 'kudos_what', who: 'kudos_who' },
  welcome: { who: 'welcome_who' },
}

const isShort = (texts: readonly string[]) => texts.join('\n').length <= maxCharacters

function nextStep(
  reading: MessageReading | null,
  earlier: ConversationRow | undefined,
  texts: readonly string[],
): Step {
  if (reading === null)
    return { outcome: 'replied', reply: 'form', goesOn: isShort(texts), isUnread: true }
  const { intent, missing, text } = reading
  if (!isNewsKind(intent))
    return { outcome: 'replied', reply: others[intent], goesOn: intent !== 'cancel' }
  const reply = missing === null ? undefined : questionsFor[intent][missing]
  if (missing === null || reply === undefined) return { outcome: 'complete', kind: intent, text }
  const isPatient = (earlier?.questions ?? 0) < maxQuestions
  return isPatient
    ? { outcome: 'asking', kind: intent, missing, reply }
    : { outcome: 'replied', reply: 'form', goesOn: false, isUnread: true }
}

const isNewsKind = (intent: Intent): intent is NewsKind =>
  (newsKinds as readonly string[]).includes(intent)

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

/** Who has to do with what a person has told the bot: the sender, and whom kudos thank. */
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

/** What a person has written to the bot last and no model has turned into a draft; null for nothing. */
export async function findUnreadText(
  { sql, actor }: ReadContext,
  person: { connectionId: string; userId: string },
): Promise<{ text: string; fromPrivate: boolean } | null> {
  const row = await withDeadline(selectNewest(sql, actor.teamId, person))
  if (!row || row.texts.length === 0) return null
  return { text: row.texts.join('\n'), fromPrivate: row.from_private }
}

/** Deletes conversations that nobody has continued for a day. */
export async function purgeConversations({ sql, now }: ServiceContext): Promise<void> {
  const before = new Date(now().getTime() - openMs)
  await withDeadline(deleteConversationsBefore(sql, before))
}
