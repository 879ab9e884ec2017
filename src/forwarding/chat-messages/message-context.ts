import Bottleneck from 'bottleneck'
import type { Messaging, MessagingContext } from '../../../integrations/kit/chat/messaging.ts'
import type { ChatMessage } from '../../features/chat-messages/index.ts'
import { withTimeLimit } from '../../lib/concurrency/time-limit.ts'
import { systemContext } from '../../lib/context.ts'
import type { ForwardingDeps } from '../deps.ts'
import { loadConnection } from '../load-connection.ts'

export type MessagingDeps = Omit<ForwardingDeps, 'client'>

/** The limiter of a connection, which starts one message per interval. */
export type LimiterOf = (connectionId: string, intervalMs: number) => Bottleneck

const callTimeoutMs = 20_000

/** Creates the limiters of this process. The chat enforces its limits over all processes. */
export function createLimiters(): LimiterOf {
  const groups = new Map<number, Bottleneck.Group>()
  return (connectionId, minTime) => {
    const group = groups.get(minTime) ?? new Bottleneck.Group({ maxConcurrent: 1, minTime })
    groups.set(minTime, group)
    return group.key(connectionId)
  }
}

/** What an attempt at a message works with. */
export interface MessageAttempt {
  deps: MessagingDeps
  teamId: string
  message: ChatMessage
  messaging: Messaging<object>
  context: Omit<MessagingContext<object>, 'provider'>
  limiter: Bottleneck
}

/** Loads what an attempt needs; null when the connection or its settings do not allow it any more. */
export async function loadMessageAttempt(
  deps: MessagingDeps,
  { teamId, message, limiterOf }: { teamId: string; message: ChatMessage; limiterOf: LimiterOf },
): Promise<MessageAttempt | null> {
  const { connection_id: connectionId } = message
  const loaded = await loadConnection(deps, { teamId, connectionId })
  if (typeof loaded === 'string') return null
  const { connection, adapter, settings } = loaded
  const { messaging } = adapter
  if (!messaging || connection.isDisconnected) return null
  const limiter = limiterOf(connectionId, messaging.intervalMs)
  const context = { settings, language: connection.language }
  return { deps, teamId, message, messaging, limiter, context }
}

/** Calls the chat for at most 20 seconds. */
export const callChat = <Result>(
  { deps, context }: MessageAttempt,
  work: (context: MessagingContext<object>) => Promise<Result>,
): Promise<Result> =>
  withTimeLimit(deps.outbound, callTimeoutMs, (provider) => work({ ...context, provider }))

/** The context in which the content of a message is read. */
export const contentContext = ({ deps: { sql, now, baseUrl }, teamId }: MessageAttempt) =>
  systemContext({ sql, now, baseUrl }, teamId)
