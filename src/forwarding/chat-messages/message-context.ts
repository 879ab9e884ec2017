import Bottleneck from 'bottleneck'
import type {
  Messaging,
  MessagingContext,
} from '../../../integrations/kit/chat/messages/messaging.ts'
import { ProviderError } from '../../../integrations/kit/provider-error.ts'
import type { TeamApi } from '../../../integrations/kit/team-api.ts'
import type { ChatMessage } from '../../features/chat-messages/index.ts'
import { webhookUrl } from '../../features/connections/index.ts'
import { withTimeLimit } from '../../lib/concurrency/time-limit.ts'
import { systemContext } from '../../lib/context.ts'
import { RetryAfterError } from '../../lib/queue/index.ts'
import type { ForwardingDeps } from '../deps.ts'
import { loadConnection } from '../load-connection.ts'

export type MessagingDeps = Omit<ForwardingDeps, 'client'>

/** Starts one message per interval, and none while the chat limits requests. */
interface MessageLimiter {
  schedule<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * The limiter of a connection: of its messages, or of its replies, of which a person waits for each and which are
 * sent to different people.
 */
export type LimiterOf = (
  connectionId: string,
  intervalMs: number,
  kind?: 'message' | 'reply',
) => MessageLimiter

const callTimeoutMs = 20_000
/** The replies that are sent at once; afterwards there is one per interval. */
const replyBurst = 5
/** Bottleneck adds to a reservoir at multiples of this time. */
const heartbeatMs = 250

/** Creates the limiters of this process. The chat enforces its limits over all processes. */
export function createLimiters(): LimiterOf {
  const groups = new Map<string, Bottleneck.Group>()
  const pauseOf = createPauses()
  return (connectionId, intervalMs, kind = 'message') => {
    const name = `${kind} ${intervalMs}`
    const group = groups.get(name) ?? new Bottleneck.Group(limitsOf(intervalMs, kind))
    groups.set(name, group)
    const limiter = group.key(connectionId)
    return { schedule: (work) => limiter.schedule(() => pauseOf(connectionId, work)) }
  }
}

function limitsOf(intervalMs: number, kind: 'message' | 'reply'): Bottleneck.ConstructorOptions {
  if (kind === 'message') return { maxConcurrent: 1, minTime: intervalMs }
  return {
    maxConcurrent: 1,
    reservoir: replyBurst,
    reservoirIncreaseAmount: 1,
    reservoirIncreaseInterval: Math.max(Math.ceil(intervalMs / heartbeatMs), 1) * heartbeatMs,
    reservoirIncreaseMaximum: replyBurst,
  }
}

/**
 * After a 429, a connection makes no request until its `Retry-After` has passed, because chats block apps that go
 * on: work is refused with a `RetryAfterError`.
 */
function createPauses() {
  const pausedUntil = new Map<string, number>()
  const pauseAfter = (connectionId: string, error: unknown) => {
    const seconds = error instanceof ProviderError ? error.retryAfterSeconds : undefined
    if (seconds) pausedUntil.set(connectionId, performance.now() + seconds * 1000)
  }
  return async <Result>(connectionId: string, work: () => Promise<Result>): Promise<Result> => {
    const waitMs = (pausedUntil.get(connectionId) ?? 0) - performance.now()
    if (waitMs > 0) throw new RetryAfterError(Math.ceil(waitMs / 1000), new Error(limited))
    pausedUntil.delete(connectionId)
    try {
      return await work()
    } catch (error) {
      pauseAfter(connectionId, error)
      throw error
    }
  }
}

const limited = 'The chat limits our requests. The message is sent as soon as it accepts them.'

/** What an attempt at a message works with. */
export interface MessageAttempt {
  deps: MessagingDeps
  teamId: string
  message: ChatMessage
  team: TeamApi
  messaging: Messaging<object>
  context: Omit<MessagingContext<object>, 'provider'>
  limiter: MessageLimiter
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
  const url = webhookUrl(deps.baseUrl, adapter.slug, connection.webhookToken)
  const context = { settings, language: connection.language, webhookUrl: url }
  const team = deps.teamOf(connection)
  return { deps, teamId, message, team, messaging, limiter, context }
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
