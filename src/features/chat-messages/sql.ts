import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** What a message is about. */
export type ChatMessageKind = 'published' | 'declined' | 'review' | 'prompt' | 'reminder' | 'reply'

/**
 * `waiting`: an attempt follows. `sending`: an attempt is under way, was interrupted, or was not
 * confirmed. `skipped`: it is not sent, for the stored reason. `unknown`: nobody knows whether it was sent.
 */
export type ChatMessageStatus = 'waiting' | 'sending' | 'sent' | 'skipped' | 'failed' | 'unknown'

/** Where a chat has put a message: the names and ids that the chat needs to find it again. */
export type MessageReference = Record<string, string>

export interface ChatMessageRow {
  id: string
  team_id: string
  connection_id: string
  kind: ChatMessageKind
  /** The id of a person or a channel in the chat. */
  recipient: string
  /** A newsletter, a block or a time. */
  subject: string
  data: Record<string, string>
  status: ChatMessageStatus
  reason: string | null
  attempts: number
  created_at: Date
  settled_at: Date | null
  reference: MessageReference | null
}

const columns = (sql: Sql | Tx) => sql`
  id, team_id, connection_id, kind, recipient, subject, data, status, reason, attempts, created_at,
  settled_at, reference`

export type NewChatMessageRow = Pick<
  ChatMessageRow,
  'id' | 'team_id' | 'connection_id' | 'kind' | 'recipient' | 'subject' | 'data' | 'created_at'
>

/** Stores waiting messages and returns the ids of those whose recipient has none about their subject. */
export async function insertMessages(
  tx: Tx,
  rows: readonly NewChatMessageRow[],
): Promise<{ id: string; connection_id: string }[]> {
  const values = rows.map(({ data, ...row }) => ({ ...row, data: tx.json(data) }))
  return await tx<{ id: string; connection_id: string }[]>`
    insert into chat_messages ${tx(values)}
    on conflict (team_id, connection_id, kind, recipient, subject) do nothing
    returning id, connection_id`
}

/** One message of a team. */
export async function selectMessage(
  sql: Sql | Tx,
  teamId: string,
  id: string,
): Promise<ChatMessageRow | undefined> {
  const [row] = await sql<ChatMessageRow[]>`
    select ${columns(sql)} from chat_messages where team_id = ${teamId} and id = ${id}`
  return row
}

/** Starts an attempt at a message that is not settled, and returns it with its status before. */
export async function startAttemptRow(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<ChatMessageRow | undefined> {
  const [row] = await sql<ChatMessageRow[]>`
    with before as (
      select status as status_before from chat_messages
      where team_id = ${teamId} and id = ${id} and status in ('waiting', 'sending') for update
    )
    update chat_messages set status = 'sending', attempts = attempts + 1 from before
    where team_id = ${teamId} and id = ${id}
    returning id, team_id, connection_id, kind, recipient, subject, data, status_before as status,
      reason, attempts, created_at, settled_at, reference`
  return row
}

/** Ends an attempt at a message. */
export async function endAttemptRow(
  sql: Sql,
  teamId: string,
  id: string,
  outcome: Pick<ChatMessageRow, 'status' | 'reason' | 'settled_at' | 'reference'>,
): Promise<void> {
  const reference = outcome.reference && sql.json(outcome.reference)
  await sql`
    update chat_messages set status = ${outcome.status}, reason = ${outcome.reason},
      settled_at = ${outcome.settled_at}, reference = coalesce(${reference}::jsonb, reference)
    where team_id = ${teamId} and id = ${id} and status = 'sending'`
}

/** Messages of a connection, newest first: `limit` of them, before the id `before`. */
export async function selectMessages(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<ChatMessageRow[]> {
  return await sql<ChatMessageRow[]>`
    select ${columns(sql)} from chat_messages
    where team_id = ${teamId} and connection_id = ${connectionId}
      ${before === null ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`
}

/** Makes a message that failed wait again; undefined when it is in another state. */
export async function reopenMessage(
  tx: Tx,
  teamId: string,
  id: string,
): Promise<ChatMessageRow | undefined> {
  const [row] = await tx<ChatMessageRow[]>`
    update chat_messages set status = 'waiting', reason = null, settled_at = null
    where team_id = ${teamId} and id = ${id} and status in ('failed', 'unknown')
    returning ${columns(tx)}`
  return row
}

/** Deletes the messages of all teams that were created before a moment. */
export async function deleteMessagesBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'chat_messages', sql`created_at < ${moment}`)
}
