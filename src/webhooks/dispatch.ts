import type { Logger } from 'pino'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import {
  createPublishedKeys,
  type PublishedKeys,
} from '../../integrations/kit/requests/published-keys.ts'
import type { FollowUp, Received, Reply } from '../../integrations/kit/requests/received.ts'
import type { AppCredentials } from '../contract/app-credentials.ts'
import {
  type ConnectionDeps,
  countRateLimitedRequest,
  countUnknownEvent,
  type DecryptedConnection,
  disconnectConnection,
  filterReason,
  storeProviderSettings,
} from '../features/connections/index.ts'
import type { MessageReader } from '../features/conversations/index.ts'
import {
  type DeliveryDeps,
  type ReceivedEvent,
  storeEvents,
  storeIgnored,
} from '../features/deliveries/index.ts'
import { createThrottle, type Throttle } from '../lib/concurrency/throttle.ts'
import { withTimeLimit } from '../lib/concurrency/time-limit.ts'
import { systemContext } from '../lib/context.ts'
import { AppError } from '../lib/errors.ts'
import type { SsrfFetch } from '../lib/outbound/ssrf-fetch.ts'

/** The dependencies of receiving webhook requests. */
export interface WebhookDeps extends ConnectionDeps, DeliveryDeps {
  adapters: ReadonlyMap<string, Adapter>
  log: Logger
  /** Calls to providers. */
  outbound: SsrfFetch
  /** The operator's apps, by the slug of their integration. */
  apps: ReadonlyMap<string, AppCredentials>
  /** Reads messages to bots. */
  messageReader: MessageReader
}

const followUpTimeoutMs = 10_000
// Generous, because many providers do not repeat a request that got 429.
const eventsPerMinute = 1_200

/** The dependencies, with the events that become deliveries to forward, by connection. */
export interface Dispatcher extends WebhookDeps {
  events: Throttle
  /** The keys with which providers sign their requests. */
  keys: PublishedKeys
}

/** The dependencies of storing what adapters have received. */
export const createDispatcher = (deps: WebhookDeps): Dispatcher => ({
  ...deps,
  events: createThrottle(deps.now, eventsPerMinute),
  keys: createPublishedKeys({ fetch: deps.outbound }),
})

/** Throws `rate_limited` unless the number of seconds to wait is 0. */
export function requireUnderLimit(retryAfterSeconds: number): void {
  if (retryAfterSeconds === 0) return
  throw new AppError('rate_limited', 'Too many requests. Try again later.', { retryAfterSeconds })
}

/** The members of a log line: names and ids, never a body or a header. */
export type RequestLog = Record<string, unknown>

/** What the log line says of the connections of one request: each value once. */
export function joinLogs(logs: readonly RequestLog[]): RequestLog {
  const known = logs.flatMap(Object.entries).filter(([, value]) => value !== undefined)
  const byName = Map.groupBy(known, ([name]) => name)
  return Object.fromEntries(
    [...byName].map(([name, members]) => [
      name,
      [...new Set(members.map(([, value]) => value))].join(' '),
    ]),
  )
}

interface Origin {
  adapter: Adapter
  connection: DecryptedConnection
  log: RequestLog
}

/** Stores what an adapter has received, and returns the reply. Throws `rate_limited` and `database_unavailable`. */
export async function dispatchResult(
  receiver: Dispatcher,
  { adapter, connection, log }: Origin,
  received: Received<unknown>,
): Promise<Reply> {
  if ('providerSettings' in received && received.providerSettings) {
    await storeProviderSettings(receiver, connection, adapter.settings, received.providerSettings)
  }
  switch (received.kind) {
    case 'event':
      return await storeAll(receiver, { connection, log }, [received], received.reply)
    case 'events':
      return await storeAll(receiver, { connection, log }, received.events)
    case 'immediateReply':
      if (received.after) runFollowUp(receiver, { connection, log }, received.after)
      return received.reply
    case 'disconnected': {
      const ctx = systemContext(receiver, connection.teamId)
      const { reason, at } = received
      const isStored = await disconnectConnection(ctx, { id: connection.id, reason, at })
      log['reason'] = isStored ? reason : 'disconnected before, or older than its token'
      return received.reply
    }
    case 'ignored': {
      const id = await storeIgnored(receiver, connection, received)
      if (id !== null) log['delivery'] = id
      log['reason'] = received.reason
      return received.reply ?? { body: { ok: true, ignored: received.reason } }
    }
    case 'unknown':
      await countUnknownEvent(receiver, connection)
      log['reason'] = received.eventName
      return { body: { ok: true, ignored: 'an event of an unknown kind' } }
    case 'rejected':
      log['reason'] = received.reason
      return { status: received.status, body: { error: 'The request was refused.' } }
  }
}

/** Stores events to be forwarded. Those that the connection filters out are listed as ignored. */
async function storeAll(
  receiver: Dispatcher,
  { connection, log }: Pick<Origin, 'connection' | 'log'>,
  received: readonly (ReceivedEvent & { eventName?: string })[],
  reply?: Reply,
): Promise<Reply> {
  const events = received.map(({ eventName, ...event }) => ({
    ...event,
    ignoredReason: filterReason(connection.common, eventName),
  }))
  const isIgnored = events.every(({ ignoredReason }) => ignoredReason !== undefined)
  if (!isIgnored) await countEvents(receiver, connection)
  const ids = await storeEvents(receiver, connection, events)
  if (ids.length > 0) log['delivery'] = ids.slice(0, 10).join(' ')
  if (isIgnored) {
    const reason = events[0]?.ignoredReason
    Object.assign(log, { outcome: 'ignored', reason })
    return { body: { ok: true, ignored: reason } }
  }
  const isDuplicate = ids.length === 0
  if (isDuplicate) log['outcome'] = 'duplicate'
  return reply ?? { body: { ok: true, ...(isDuplicate && { duplicate: true }) } }
}

/** Counts a request with events to forward. Ignored events do not count. Throws `rate_limited`. */
async function countEvents(receiver: Dispatcher, connection: DecryptedConnection): Promise<void> {
  const retryAfterSeconds = receiver.events.count(connection.id)
  if (retryAfterSeconds > 0) await countRateLimitedRequest(receiver, connection)
  requireUnderLimit(retryAfterSeconds)
}

/** Starts work for after the reply, such as opening a dialog, and stores the event that it returns. */
function runFollowUp(
  receiver: Dispatcher,
  { connection, log }: Pick<Origin, 'connection' | 'log'>,
  after: FollowUp,
): void {
  const run = async () => {
    const event = await withTimeLimit(receiver.outbound, followUpTimeoutMs, after)
    if (event) await storeEvents(receiver, connection, [event])
  }
  run().catch((error: unknown) =>
    receiver.log.warn({ ...log, err: error }, 'follow-up of a webhook request failed'),
  )
}
