import { Elysia } from 'elysia'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import { ProviderError } from '../../integrations/kit/provider-error.ts'
import type { RawRequest, Reply } from '../../integrations/kit/requests/received.ts'
import {
  countRefusedRequest,
  type DecryptedConnection,
  findByWebhookToken,
  readSettings,
  routedConnection,
} from '../features/connections/index.ts'
import { createThrottle, networkOf, type Throttle } from '../lib/concurrency/throttle.ts'
import { AppError, notFound } from '../lib/errors.ts'
import { contextOf, readBytes } from '../lib/http/index.ts'
import { measure } from '../lib/measurements.ts'
import { type AppReply, appAddress, connectionsOfApp, type Recipients } from './app-requests.ts'
import {
  createDispatcher,
  type Dispatcher,
  dispatchResult,
  joinLogs,
  type RequestLog,
  requireUnderLimit,
  type WebhookDeps,
} from './dispatch.ts'
import { respondToDryRun } from './dry-run.ts'
import { teamApiOf } from './team-api.ts'

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
const failedSignaturesPerMinute = 120

interface Receiver extends Dispatcher {
  /** Requests that an adapter refused, by connection and network. */
  failedSignatures: Throttle
}

interface WebhookOptions {
  deps: WebhookDeps
  /** How providers reach the service, without a slash at the end. */
  baseUrl: string
}

/**
 * The route that every provider calls, `/hooks/:adapter/:token`. The adapter decides which methods
 * it accepts. With `?dry_run=true` the response says what the request would become.
 */
export function createWebhooks({ deps, baseUrl }: WebhookOptions) {
  const receiver: Receiver = {
    ...createDispatcher(deps),
    failedSignatures: createThrottle(deps.now, failedSignaturesPerMinute),
  }
  return new Elysia({ name: 'webhooks' })
    .all(
      '/hooks/:adapter/:token',
      async ({ request, params: { adapter, token }, query }) => {
        const { path, query: search } = contextOf(request)
        const url = new URL(`${baseUrl}${path}${search && `?${search}`}`)
        const dryRun = query['dry_run'] === 'true'
        const called = { request, url, adapter, webhookToken: token, dryRun }
        return toResponse(await receive(receiver, called))
      },
      { parse: 'none', detail: { hide: true } },
    )
    .all(
      '/hooks/*',
      () => {
        throw notFound('This address')
      },
      { parse: 'none', detail: { hide: true } },
    )
}

function toResponse({ status = 200, headers = {}, body }: Reply): Response {
  if (typeof body === 'object') return Response.json(body, { status, headers })
  const type = body === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' }
  return new Response(body ?? null, { status, headers: { ...type, ...headers } })
}

/**
 * Handles a provider's request: the adapter verifies the raw bytes, the events are stored, then the provider
 * gets its reply. Throws `method_not_allowed`, `too_large`, `not_found`, `rate_limited` and
 * `database_unavailable`.
 */
async function receive(
  receiver: Receiver,
  { request, url, webhookToken, dryRun, adapter: slug }: WebhookRequest,
): Promise<Reply> {
  const { address, log } = contextOf(request)
  const adapter = receiver.adapters.get(slug)
  requireMethod(adapter, request.method)
  const body = await readBytes(request, maxBodyBytes)
  // A source that is read on a schedule sends nothing.
  if (!adapter || adapter.polling) throw noWebhook()
  const raw = { method: request.method, url, headers: request.headers, body }
  const addressed = await connectionsOf(receiver, { adapter, webhookToken, raw })
  if ('reply' in addressed) {
    log['outcome'] = addressed.outcome
    return addressed.reply
  }
  const { connections, workspaceIds } = addressed
  const logs = connections.map(({ id }): RequestLog => ({ adapter: adapter.slug, connection: id }))
  // Each connection gets the request at the same time, whatever becomes of it in the others.
  const outcomes = await Promise.allSettled(
    connections.map((connection, index) => {
      const given = { address, raw, adapter, connection, workspaceIds, dryRun }
      return receiveFor(receiver, { ...given, log: logs[index] ?? {} })
    }),
  )
  Object.assign(log, joinLogs(logs))
  const failed = outcomes.find(({ status }) => status === 'rejected')
  const [first] = outcomes
  if (failed?.status === 'rejected') throw failed.reason
  return first?.status === 'fulfilled' ? first.value : {}
}

interface ConnectionRequest extends Pick<WebhookRequest, 'dryRun'> {
  /** The network address of the sender. */
  address: string
  raw: RawRequest
  adapter: Adapter
  connection: DecryptedConnection
  workspaceIds: Recipients['workspaceIds'] | undefined
  /** What the log line says of this connection. */
  log: RequestLog
}

/** Handles a request for one connection. */
async function receiveFor(
  receiver: Receiver,
  { address, raw, adapter, connection, workspaceIds, dryRun, log }: ConnectionRequest,
): Promise<Reply> {
  const { now, outbound, sql, failedSignatures, keys } = receiver
  const sender = `${connection.id} ${networkOf(address)}`
  requireUnderLimit(failedSignatures.check(sender))
  const settings = readSettings(connection, adapter.settings)
  if (!settings) throw new Error('the settings of the connection are not valid any more')
  const readsMessages = receiver.messageReader.available
  const team = teamApiOf({ sql, now, baseUrl: raw.url.origin, readsMessages }, connection)
  const provider = { fetch: outbound }
  const { language } = connection
  const given = { settings, now: now(), team, language, keys, provider }
  const context = { ...given, ...(workspaceIds && { workspaceIds }) }
  const received = await receiveOrUnavailable(() => adapter.receive(raw, context))
  if (received instanceof ProviderError) {
    log['outcome'] = received.message
    return { status: 503, body: { error: received.message } }
  }
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

/** The error when the provider did not provide the keys with which requests are verified. */
async function receiveOrUnavailable<Result>(
  work: () => Promise<Result>,
): Promise<Result | ProviderError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderError) return error
    throw error
  }
}

/**
 * The connections of an address, or those to which they route the source of the request; the reply to a request that belongs
 * to none.
 */
async function connectionsOf(
  receiver: Receiver,
  { adapter, webhookToken, raw }: { adapter: Adapter; webhookToken: string; raw: RawRequest },
): Promise<Recipients | AppReply> {
  const found =
    webhookToken === appAddress
      ? await connectionsOfApp(receiver, { adapter, raw })
      : await findByWebhookToken(receiver, adapter.slug, webhookToken)
  if (!found) throw noWebhook()
  if ('reply' in found) return found
  const recipients = 'connections' in found ? found : { connections: [found] }
  const connections: DecryptedConnection[] = []
  for (const connection of recipients.connections) {
    const source = connection.hasRoutes ? adapter.sourceOf?.(raw) : undefined
    const isRouted = source !== undefined
    connections.push(isRouted ? await routedConnection(receiver, connection, source) : connection)
  }
  return { ...recipients, connections }
}

const noWebhook = () => new AppError('not_found', 'There is no webhook at this address.')

function requireMethod(adapter: Adapter | undefined, method: string): void {
  const methods: readonly string[] = adapter?.methods ?? ['POST']
  if (methods.includes(method)) return
  const allow = methods.join(', ')
  throw new AppError('method_not_allowed', `This address allows ${allow}.`, { headers: { allow } })
}
