import type { Logger } from 'pino'
import type { Adapter, TeamApi } from '../../integrations/kit/adapter.ts'
import type { FollowUp, RawRequest, Received, Reply } from '../../integrations/kit/received.ts'
import type { AppCredentials } from '../contract/app-credentials.ts'
import { disconnectAt } from '../features/app-installations/index.ts'
import {
  type ConnectionDeps,
  countRateLimitedRequest,
  countRefusedRequest,
  countUnknownEvent,
  filterReason,
  findByWebhookToken,
  type OpenConnection,
  readSettings,
  routedConnection,
  storeProviderSettings,
} from '../features/connections/index.ts'
import {
  type DeliveryDeps,
  type ReceivedEvent,
  storeEvents,
  storeIgnored,
} from '../features/deliveries/index.ts'
import { findEvents } from '../features/events/index.ts'
import { nextNewsletter } from '../features/newsletters/index.ts'
import { systemContext } from '../lib/context.ts'
import { AppError } from '../lib/errors.ts'
import { contextOf, readBytes } from '../lib/http/index.ts'
import { measure } from '../lib/measurements.ts'
import type { SsrfFetch } from '../lib/ssrf-fetch.ts'
import { createThrottle, networkOf, type Throttle } from '../lib/throttle.ts'
import { withTimeLimit } from '../lib/time-limit.ts'
import { type AppReply, appAddress, connectionOfApp } from './app-requests.ts'
import { respondToDryRun } from './dry-run.ts'
import { countsOf, draftsFor, submissionsOf } from './team-api.ts'

/** The dependencies of receiving webhook requests. */
export interface WebhookDeps extends ConnectionDeps, DeliveryDeps {
  adapters: ReadonlyMap<string, Adapter>
  log: Logger
  /** Calls to providers. */
  outbound: SsrfFetch
  /** The operator's apps, by the slug of their integration. */
  apps: ReadonlyMap<string, AppCredentials>
}

interface WebhookRequest {
  request: Request
  /** The URL that the provider called, with the public base address. */
  url: URL
  adapter: string
  webhookToken: string
  /** Whether the request is a dry run, which only reports its result. */
  dryRun: boolean
}

const maxBodyBytes = 1024 * 1024
const followUpTimeoutMs = 10_000
// Generous, because many providers do not repeat a request that got 429.
const eventsPerMinute = 1_200
const failedSignaturesPerMinute = 120

/** The connection of a request, or the reply to one that belongs to none. */
type Addressed = { connection: OpenConnection } | AppReply

interface Receiver extends WebhookDeps {
  /** Events that become deliveries to forward, by connection. */
  events: Throttle
  /** Requests that an adapter refused, by connection and network. */
  failedSignatures: Throttle
}

/**
 * Creates the function that handles a provider's request: the adapter verifies the raw bytes, the
 * events are stored, then the provider gets its reply. It throws `method_not_allowed`, `too_large`,
 * `not_found`, `rate_limited` and `database_unavailable`.
 */
export function createWebhookReceiver(deps: WebhookDeps) {
  const receiver: Receiver = {
    ...deps,
    events: createThrottle(deps.now, eventsPerMinute),
    failedSignatures: createThrottle(deps.now, failedSignaturesPerMinute),
  }
  return (request: WebhookRequest) => receive(receiver, request)
}

async function receive(
  receiver: Receiver,
  { request, url, webhookToken, dryRun, ...asked }: WebhookRequest,
): Promise<Reply> {
  const { address, log } = contextOf(request)
  const { adapters, now, outbound, sql, failedSignatures } = receiver
  const adapter = adapters.get(asked.adapter)
  requireMethod(adapter, request.method)
  const body = await readBytes(request, maxBodyBytes)
  if (!adapter) throw noWebhook()
  const raw = { method: request.method, url, headers: request.headers, body }
  const addressed = await connectionOf(receiver, { adapter, webhookToken, raw })
  if ('reply' in addressed) {
    log['outcome'] = addressed.outcome
    return addressed.reply
  }
  const { connection } = addressed
  Object.assign(log, { adapter: adapter.slug, connection: connection.id })
  const sender = `${connection.id} ${networkOf(address)}`
  requireUnderLimit(failedSignatures.check(sender))
  const settings = readSettings(connection, adapter.settings)
  if (!settings) throw new Error('the settings of the connection are not valid any more')
  const ctx = systemContext({ sql, now }, connection.teamId)
  const question = { ctx: { ...ctx, baseUrl: url.origin }, connection }
  const team: TeamApi = {
    events: (search) => findEvents(ctx, search),
    submissions: (user) => submissionsOf(question, user),
    nextNewsletter: () => nextNewsletter(ctx),
    counts: () => countsOf(question),
    draftsFor: (person) => draftsFor(question, person),
  }
  const context = { settings, now: now(), team, language: connection.language }
  const received = await adapter.receive(raw, context)
  log['outcome'] = received.kind
  if (received.kind === 'rejected') {
    failedSignatures.count(sender)
    if (received.status === 401) await countRefusedRequest(receiver, connection)
  } else if (dryRun) {
    log['outcome'] = 'dry run'
    return await respondToDryRun({ adapter, connection, outbound, ...context }, received)
  }
  const reply = await dispatchResult(receiver, { adapter, connection, log }, received)
  measure('webhookRequest', { adapter: adapter.slug, outcome: String(log['outcome']) })
  return reply
}

/** The connection of an address, or the one to which it routes the source of the request. */
async function connectionOf(
  receiver: Receiver,
  { adapter, webhookToken, raw }: { adapter: Adapter; webhookToken: string; raw: RawRequest },
): Promise<Addressed> {
  const found =
    webhookToken === appAddress
      ? await connectionOfApp(receiver, { adapter, raw })
      : await findByWebhookToken(receiver, adapter.slug, webhookToken)
  if (!found) throw noWebhook()
  if ('reply' in found) return found
  const source = found.hasRoutes ? adapter.sourceOf?.(raw) : undefined
  const isRouted = source !== undefined
  return { connection: isRouted ? await routedConnection(receiver, found, source) : found }
}

const noWebhook = () => new AppError('not_found', 'There is no webhook at this address.')

function requireMethod(adapter: Adapter | undefined, method: string): void {
  const methods: readonly string[] = adapter?.methods ?? ['POST']
  if (methods.includes(method)) return
  const allow = methods.join(', ')
  throw new AppError('method_not_allowed', `This address allows ${allow}.`, { headers: { allow } })
}

function requireUnderLimit(retryAfterSeconds: number): void {
  if (retryAfterSeconds === 0) return
  throw new AppError('rate_limited', 'Too many requests. Try again later.', { retryAfterSeconds })
}

type RequestLog = ReturnType<typeof contextOf>['log']

interface Origin {
  adapter: Adapter
  connection: OpenConnection
  /** The fields of the request's log line: names and ids, never a body or a header. */
  log: RequestLog
}

async function dispatchResult(
  receiver: Receiver,
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
      if (received.after) runFollowUp(receiver, received.after, log)
      return received.reply
    case 'disconnected': {
      const isStored = await disconnectAt(receiver, connection, received)
      log['reason'] = isStored ? received.reason : 'older than the last installation'
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
  receiver: Receiver,
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
async function countEvents(receiver: Receiver, connection: OpenConnection): Promise<void> {
  const retryAfterSeconds = receiver.events.count(connection.id)
  if (retryAfterSeconds > 0) await countRateLimitedRequest(receiver, connection)
  requireUnderLimit(retryAfterSeconds)
}

/** Starts work for after the reply, such as opening a dialog. */
function runFollowUp({ outbound, log }: WebhookDeps, after: FollowUp, context: RequestLog): void {
  withTimeLimit(outbound, followUpTimeoutMs, after).catch((error: unknown) =>
    log.warn({ ...context, err: error }, 'follow-up of a webhook request failed'),
  )
}
