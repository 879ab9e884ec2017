import type { Now } from '../../lib/clock.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { toReason } from '../../lib/text/reason.ts'
import type { MessageJobData } from './send-jobs.ts'
import {
  type ChatMessageRow,
  endAttemptRow,
  type MessageReference,
  selectMessage,
  startAttemptRow,
} from './sql.ts'

/** A message to a person or a channel of a chat. */
export type ChatMessage = Omit<ChatMessageRow, 'team_id'>

/** How an attempt ended. After `waiting` and `sending`, another attempt follows. */
export type MessageOutcome =
  | { status: 'sent'; reference: MessageReference }
  /** It was certainly not sent. */
  | { status: 'waiting'; reason: string }
  /** It may be sent. */
  | { status: 'sending'; reason: string }
  | { status: 'skipped' | 'failed' | 'unknown'; reason: string }

/**
 * Starts an attempt at a message. `wasInterrupted` says that an earlier attempt may have sent it. Null when
 * the message is settled.
 */
export async function startMessageAttempt(
  { sql }: { sql: Sql },
  { teamId, messageId }: MessageJobData,
): Promise<{ message: ChatMessage; wasInterrupted: boolean } | null> {
  const message = await withDeadline(startAttemptRow(sql, teamId, messageId))
  return message ? { message, wasInterrupted: message.status === 'sending' } : null
}

/** Stores how an attempt ended. */
export async function endMessageAttempt(
  { sql, now }: { sql: Sql; now: Now },
  { teamId, messageId }: MessageJobData,
  outcome: MessageOutcome,
): Promise<void> {
  const isSettled = outcome.status !== 'waiting' && outcome.status !== 'sending'
  const row = {
    status: outcome.status,
    reason: 'reason' in outcome ? toReason(outcome.reason) : null,
    settled_at: isSettled ? now() : null,
    reference: 'reference' in outcome ? outcome.reference : null,
  }
  await withDeadline(endAttemptRow(sql, teamId, messageId, row))
}

/** A message with its reference, to be updated; `later` while it is being sent, null when it is not sent. */
export async function findSentMessage(
  { sql }: { sql: Sql },
  { teamId, messageId }: MessageJobData,
): Promise<(ChatMessage & { reference: MessageReference }) | 'later' | null> {
  const message = await withDeadline(selectMessage(sql, teamId, messageId))
  if (message?.status === 'sending') return 'later'
  if (message?.status !== 'sent' || message.reference === null) return null
  return { ...message, reference: message.reference }
}
