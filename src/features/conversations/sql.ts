import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** What people submit. */
export const newsKinds = ['win', 'news', 'kudos', 'welcome'] as const
export type NewsKind = (typeof newsKinds)[number]

/** What is missing before something can be published. */
export type MissingPart = 'what' | 'who'

/** The image of a message, as its adapter can fetch it, and what it shows. */
export interface MessageImage {
  file: string
  file_alt?: string
}

/** What belongs to a text: the ids of the people whom it mentions, and its image. */
export interface TextDetails extends Partial<MessageImage> {
  people: readonly string[]
  /** The delivery of the message. A process of an earlier version stores none. */
  delivery?: string
  /** No model has read it. */
  unread?: true
}

/** What a person has written to the bot so far. */
export interface ConversationRow {
  /** The delivery with the newest message. */
  delivery_id: string
  user_id: string
  from_private: boolean
  kind: NewsKind | null
  /** What the person was asked for; null when the conversation is over: then all its texts are unread. */
  missing: MissingPart | null
  /** How often the person was asked. */
  questions: number
  texts: string[]
  /** In the order of the texts. A process of an earlier version stores none. */
  details: TextDetails[]
  /** The ids of the people whom the messages mention; of a conversation that is complete, those whom its text mentions. */
  people: string[]
}

/** Identifies a conversation within a team. */
export interface ConversationKey {
  connectionId: string
  conversation: string
}

const columns = (sql: Sql | Tx) =>
  sql`delivery_id, user_id, from_private, kind, missing, questions, texts, details, people`

/** A conversation that was continued after `since`; undefined when there is none. */
export async function selectConversation(
  sql: Sql | Tx,
  teamId: string,
  { connectionId, conversation }: ConversationKey,
  since: Date,
): Promise<ConversationRow | undefined> {
  const [row] = await sql<ConversationRow[]>`
    select ${columns(sql)} from chat_conversations
    where team_id = ${teamId} and connection_id = ${connectionId} and conversation = ${conversation}
      and updated_at > ${since}`
  return row
}

/** A conversation as it was read: the delivery of its newest message, null for none, and how many texts it had. */
interface ExpectedConversation {
  deliveryId: string | null
  texts: number
}

/** Stores a conversation. False when it has gone on, or its text was saved with a form, since it was read. */
export async function upsertConversation(
  tx: Tx,
  teamId: string,
  { connectionId, conversation }: ConversationKey,
  row: ConversationRow & { expected: ExpectedConversation; at: Date; since: Date },
): Promise<boolean> {
  const stored = await tx`
    insert into chat_conversations (team_id, connection_id, conversation, delivery_id, user_id,
      from_private, kind, missing, questions, texts, details, people, updated_at)
    values (${teamId}, ${connectionId}, ${conversation}, ${row.delivery_id}, ${row.user_id},
      ${row.from_private}, ${row.kind}, ${row.missing}, ${row.questions}, ${row.texts},
      ${JSON.stringify(row.details)}::text::jsonb, ${row.people}, ${row.at})
    on conflict (team_id, connection_id, conversation) do update set
      delivery_id = excluded.delivery_id, user_id = excluded.user_id,
      from_private = excluded.from_private, kind = excluded.kind, missing = excluded.missing,
      questions = excluded.questions, texts = excluded.texts, details = excluded.details, people = excluded.people,
      updated_at = excluded.updated_at
    where (chat_conversations.delivery_id = ${row.expected.deliveryId}::text
        and cardinality(chat_conversations.texts) = ${row.expected.texts})
      or chat_conversations.updated_at <= ${row.since}
    returning 1`
  return stored.length > 0
}

/** The conversation that ended with a delivery; undefined when none did. */
export async function selectEndedConversation(
  sql: Sql | Tx,
  teamId: string,
  deliveryId: string,
): Promise<ConversationRow | undefined> {
  const [row] = await sql<ConversationRow[]>`
    select ${columns(sql)} from chat_conversations
    where team_id = ${teamId} and delivery_id = ${deliveryId} and missing is null`
  return row
}

/** The conversation with texts that a person has continued last; undefined when there is none. */
export async function selectNewestText(
  sql: Sql | Tx,
  teamId: string,
  { connectionId, userId }: { connectionId: string; userId: string },
): Promise<ConversationRow | undefined> {
  const [row] = await sql<ConversationRow[]>`
    select ${columns(sql)} from chat_conversations
    where team_id = ${teamId} and connection_id = ${connectionId} and user_id = ${userId}
      and cardinality(texts) > 0
    order by updated_at desc
    limit 1`
  return row
}

/** The conversation of a person with the message of a delivery, locked; undefined when there is none. */
export async function lockConversationOf(
  tx: Tx,
  teamId: string,
  {
    connectionId,
    userId,
    deliveryId,
  }: { connectionId: string; userId: string; deliveryId: string },
): Promise<ConversationRow | undefined> {
  const [row] = await tx<ConversationRow[]>`
    select ${columns(tx)} from chat_conversations
    where team_id = ${teamId} and connection_id = ${connectionId} and user_id = ${userId}
      and (delivery_id = ${deliveryId}
        or details @> ${JSON.stringify([{ delivery: deliveryId }])}::text::jsonb)
    for update`
  return row
}

/** Ends a conversation that has not gone on since a delivery. Of its texts, those that are unread can stay. */
export async function endConversation(
  tx: Tx,
  teamId: string,
  {
    userId,
    deliveryId,
    left,
  }: {
    userId: string
    deliveryId: string
    left: Pick<ConversationRow, 'texts' | 'details'>
  },
): Promise<void> {
  await tx`
    update chat_conversations set kind = null, missing = null, questions = 0, texts = ${left.texts},
      details = ${JSON.stringify(left.details)}::text::jsonb, people = '{}'
    where team_id = ${teamId} and delivery_id = ${deliveryId} and user_id = ${userId}`
}

/** Deletes the conversations of all teams that were not continued since a moment. */
export async function deleteConversationsBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'chat_conversations', sql`updated_at < ${moment}`)
}
