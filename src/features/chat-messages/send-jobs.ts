import * as v from 'valibot'
import type { TxContext } from '../../lib/context.ts'
import { newId } from '../../lib/ids.ts'
import type { JobQueue, JobType } from '../../lib/queue/index.ts'
import { type ChatMessageKind, insertMessages } from './sql.ts'

/** How jobs are retried that send something to a chat: they outlast its outages. */
export const chatRetries = {
  heartbeatSeconds: 10,
  retryLimit: 60,
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 120,
} as const

/** Sends one message: retried for about nine hours. */
export const sendMessageJob: JobType = { name: 'send-chat-message', ...chatRetries }

/** Updates one message that was sent. It says what is true when the job runs. */
export const updateMessageJob: JobType = { name: 'update-chat-message', ...chatRetries }

/** The data of a {@link sendMessageJob} and an {@link updateMessageJob}. */
export const MessageJobData = v.object({ teamId: v.string(), messageId: v.string() })
export type MessageJobData = v.InferOutput<typeof MessageJobData>

/** A context whose changes add jobs in their transaction. */
export type QueueContext = TxContext & { queue: JobQueue }

/** A message to a person or a channel of a chat. */
interface NewChatMessage {
  connectionId: string
  kind: ChatMessageKind
  /** The id of a person or a channel in the chat. */
  recipient: string
  /** A newsletter, a block or a time: the recipient gets one message of the kind about it. */
  subject: string
  /** What cannot be read from the database any more when the message is sent. */
  data?: Record<string, string>
}

/**
 * Stores messages and the jobs that send them. A message whose recipient has one of its kind about its
 * subject is left out. Returns the ids of the new ones.
 */
export async function sendMessages(
  { sql, now, actor: { teamId }, queue }: QueueContext,
  messages: readonly NewChatMessage[],
): Promise<string[]> {
  if (messages.length === 0) return []
  const at = now()
  const rows = messages.map(({ connectionId, kind, recipient, subject, data = {} }) => ({
    id: newId('cm', at),
    team_id: teamId,
    connection_id: connectionId,
    kind,
    recipient,
    subject,
    data,
    created_at: at,
  }))
  const stored = await insertMessages(sql, rows)
  const jobs = stored.map(({ id, connection_id }) => ({
    data: jobData(teamId, id),
    group: connection_id,
  }))
  await queue.addAll(sql, sendMessageJob, jobs)
  return stored.map(({ id }) => id)
}

/** Adds the job that updates a message. */
export async function updateMessage(
  { sql, actor: { teamId }, queue }: QueueContext,
  { messageId, connectionId }: { messageId: string; connectionId: string },
): Promise<void> {
  await queue.add(sql, updateMessageJob, jobData(teamId, messageId), connectionId)
}

const jobData = (teamId: string, messageId: string): MessageJobData => ({ teamId, messageId })
