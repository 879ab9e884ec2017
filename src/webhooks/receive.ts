import type { Logger } from 'pino'
import type { Adapter, FollowUp, Received, Reply, TeamApi } from '../../integrations/kit/adapter.ts'
import {
  type ConnectionDeps,
  countUnknownEvent,
  filterReason,
  findByWebhookToken,
  type OpenConnection,
  readSettings,
  storeProviderSettings,
} from '../features/connections/index.ts'
import { type DeliveryDeps, storeEvent, storeIgnored } from '../features/deliveries/index.ts'
import { findEvents } from '../features/events/index.ts'
import { AppError } from '../lib/errors.ts'
import { readBytes } from '../lib/http/index.ts'
import type { SsrfFetch } from '../lib/ssrf-fetch.ts'
import { createThrottle, networkOf } from '../lib/throttle.ts'
import { withTimeLimit } from '../lib/time-limit.ts'
import { respondToDryRun } from './dry-run.ts'

/** What receiving works with; made once by the composition root. */
export interface WebhookDeps extends ConnectionDeps, DeliveryDeps {
  adapters: ReadonlyMap<string, Adapter>
  log: Logger
  /** Calls to providers. */
  outbound: SsrfFetch
}

export interface WebhookRequest {
  request: Request
  adapter: string
  webhookToken: string
  /** The client's address. */
  address: string
  /** Only tells what would come of it. */
  dryRun: boolean
}

/** What the log says of a request: names and ids, never a body or a header. */
export interface LogContext {
  adapter?: string
  connection?: string
  delivery?: string
  outcome?: string
  reason?: string | undefined
}

const maxBodyBytes = 1024 * 1024
const followUpMs = 10_000
// Generous: a provider that is refused mostly does not come again.
const eventsPerMinute = 1_200
const failedSignaturesPerMinute = 120

export type Receive = (request: WebhookRequest, trace: LogContext) => Promise<Reply>

/**
 * Takes a provider's request: verified by its adapter over the raw bytes, stored, then answered.
 * Throws `too_large`, `not_found`, `rate_limited` and `database_unavailable`.
 */
export function createWebhookReceiver(deps: WebhookDeps): Receive {
  const events = createThrottle(deps.now, eventsPerMinute)
  const forgeries = createThrottle(deps.now, failedSignaturesPerMinute)
  return async (arrival, trace) => {
    const { request } = arrival
    const body = await readBytes(request, maxBodyBytes)
    const adapter = deps.adapters.get(arrival.adapter)
    const connection =
      adapter && (await findByWebhookToken(deps, adapter.slug, arrival.webhookToken))
    if (!connection) throw new AppError('not_found', 'Nothing listens at this address.')
    Object.assign(trace, { adapter: adapter.slug, connection: connection.id })
    const forger = `${connection.id} ${networkOf(arrival.address)}`
    requireUnderLimit(forgeries.check(forger))
    const settings = readSettings(connection, adapter.settings)
    if (!settings) throw new Error('the settings of the connection are not right any more')
    const now = deps.now()
    const raw = { method: request.method, headers: request.headers, body }
    const team: TeamApi = {
      events: (search) => findEvents(deps.sql, connection.teamId, search),
    }
    const received = await adapter.receive(raw, { settings, now, team })
    if (received.kind === 'rejected') forgeries.count(forger)
    else requireUnderLimit(events.count(connection.id))
    trace.outcome = received.kind
    if (!arrival.dryRun || received.kind === 'rejected')
      return await dispatchResult(deps, adapter, connection, received, trace)
    trace.outcome = 'dry run'
    const { outbound } = deps
    return await respondToDryRun({ adapter, connection, settings, now, outbound }, received)
  }
}

function requireUnderLimit(retryAfterSeconds: number): void {
  if (retryAfterSeconds === 0) return
  throw new AppError('rate_limited', 'Too many requests. Try again later.', { retryAfterSeconds })
}

async function dispatchResult(
  deps: WebhookDeps,
  adapter: Adapter,
  connection: OpenConnection,
  received: Received<unknown>,
  trace: LogContext,
): Promise<Reply> {
  if ('learned' in received && received.learned) {
    await storeProviderSettings(deps, connection, adapter.settings, received.learned)
  }
  switch (received.kind) {
    case 'event':
      return await storeEvents(deps, connection, [received], trace, received.reply)
    case 'events':
      return await storeEvents(deps, connection, received.events, trace)
    case 'handshake':
      if (received.after) runFollowUp(deps, received.after, { ...trace })
      return received.reply
    case 'ignored': {
      const id = await storeIgnored(deps, connection, received)
      if (id !== null) trace.delivery = id
      trace.reason = received.reason
      return received.reply ?? { body: { ok: true, ignored: received.reason } }
    }
    case 'unknown':
      await countUnknownEvent(deps, connection)
      trace.reason = received.eventName
      return { body: { ok: true, ignored: 'an event of an unknown kind' } }
    case 'rejected':
      trace.reason = received.reason
      return { status: received.status, body: { error: 'The request was refused.' } }
  }
}

interface ReceivedEvent {
  deliveryId: string
  eventName?: string
  event: unknown
  transient?: unknown
}

/** Stores events and wakes the forwarder; those that the connection does not ask for are only listed. */
async function storeEvents(
  deps: WebhookDeps,
  connection: OpenConnection,
  events: readonly ReceivedEvent[],
  trace: LogContext,
  reply?: Reply,
): Promise<Reply> {
  const ids: string[] = []
  const reasons = events.map(({ eventName }) => filterReason(connection.common, eventName))
  // One after the other: should one fail, the provider sends all again, and these are known then.
  for (const [index, event] of events.entries()) {
    const reason = reasons[index]
    const id =
      reason === undefined
        ? await storeEvent(deps, connection, event)
        : await storeIgnored(deps, connection, { ...event, reason })
    if (id !== null) ids.push(id)
  }
  if (ids.length > 0) trace.delivery = ids.slice(0, 10).join(' ')
  if (reasons.every((reason) => reason !== undefined)) {
    trace.outcome = 'ignored'
    trace.reason = reasons[0]
    return { body: { ok: true, ignored: reasons[0] } }
  }
  const isDuplicate = ids.length === 0
  if (isDuplicate) trace.outcome = 'duplicate'
  return reply ?? { body: { ok: true, ...(isDuplicate && { duplicate: true }) } }
}

/** Work for after the answer; nobody waits for it. */
function runFollowUp({ outbound, log }: WebhookDeps, after: FollowUp, trace: LogContext): void {
  withTimeLimit(outbound, followUpMs, after).catch((error: unknown) =>
    log.warn({ ...trace, err: error }, 'hook follow-up failed'),
  )
}
