/**
 * What every route group (API, webhooks, console) needs of HTTP, implemented once. The composition root
 * uses the plugin before all others and lists the route groups:
 *
 *     new Elysia(routing).use(http({ log, routeGroups: [api, webhooks, console] })).use(…)
 *
 * A route group then only throws: an `AppError` becomes its `replyToError`. It adds to the log line with
 * `contextOf(request).log`, sets headers with `set.headers`, and reads bodies with `readBytes`.
 */
import { Elysia } from 'elysia'
import type { Logger } from 'pino'
import { AppError } from '../errors.ts'
import { toAppError } from './app-error.ts'
import { replyWithProblem } from './problem.ts'
import {
  clientAddress,
  findContext,
  hasOneValidHost,
  type RequestContext,
  saveContext,
  splitAddress,
} from './request.ts'
import type { ReplySettings, RouteGroup } from './route-group.ts'

export { toAppError } from './app-error.ts'
export { defaultHeaders } from './default-headers.ts'
export { methodNotAllowed, methodsIn, replyGetOnly } from './method-not-allowed.ts'
export { errorTitle, problemOf, replyWithProblem } from './problem.ts'
export { contextOf, findContext, type HigherLimit, isUnreadable, readBytes } from './request.ts'
export { toBody } from './response-body.ts'
export type { RouteGroup } from './route-group.ts'
export { statusOf } from './status.ts'

/**
 * How the root app finds routes: by the whole path and by nothing else. Elysia's default skips the
 * first characters of a short host name, and Bun's own router decodes paths before it compares them.
 */
export const routing = { handler: { standardHostname: false }, systemRouter: false } as const

/** Whether the process is about to stop, so that proxies send it no new requests. */
export interface Drain {
  readonly isStarted: boolean
  /** Aborted when the process begins to stop; connections that stay open are closed then. */
  readonly started: AbortSignal
  start(): void
}

/** A drain that has not started. */
export function createDrain(): Drain {
  const controller = new AbortController()
  return {
    get isStarted() {
      return controller.signal.aborted
    },
    started: controller.signal,
    start: () => controller.abort(),
  }
}

interface HttpOptions {
  log: Logger
  /** The first whose prefix matches responds to a request; the plugin does nothing for other requests. */
  routeGroups: readonly RouteGroup[]
  /** Paths for which the plugin does nothing, such as health checks; with a slash at the end, all paths below. */
  ignored?: readonly string[]
  /** While the process drains, each response asks its client to close the connection and to open one elsewhere. */
  drain?: Drain
  /** How many proxies in front of the service add an address to `X-Forwarded-For`. */
  trustedProxies?: number
}

/** Gives each request its id, headers, error reply and log line. Use it once, before all routes. */
export function http({ log, routeGroups, ignored = [], drain, trustedProxies = 0 }: HttpOptions) {
  return (
    new Elysia({ name: 'http' })
      .onRequest(({ request, server, set }) => {
        if (drain?.isStarted) set.headers.connection = 'close'
        const isWellFormed = hasOneValidHost(request)
        const address = () => clientAddress(request, server, trustedProxies)
        const context = createContext(request, { routeGroups, ignored, isWellFormed, address })
        if (!context) return
        Object.assign(set.headers, context.routeGroup.headers)
        set.headers['x-request-id'] = context.id
        if (!isWellFormed) throw malformedHost()
      })
      // A hook that takes the whole context makes Elysia read headers, cookies and query of every request.
      .onError({ as: 'global' }, async ({ request, set, error }) => {
        const context = findContext(request)
        if (!context) return
        context.error = toAppError(error)
        const reply = await context.routeGroup.replyToError(context.error, { request, set })
        // Elysia reports the value of the handler as the response, also when a later hook throws.
        context.errorStatus = statusSent(reply, set)
        return reply
      })
      .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
        const context = findContext(request)
        if (!context) return
        const status = context.errorStatus ?? statusSent(responseValue, set)
        writeLogLine(log, context, { method: request.method, route, status })
      })
  )
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method of a request for metrics and traces; `other` for one that clients have made up. */
export const methodLabel = ({ method }: Request): string =>
  knownMethods.has(method) ? method : 'other'

/** The status of the response to a request, or undefined when the request belongs to no route group. */
export function sentStatus(
  request: Request,
  set: ReplySettings,
  responseValue: unknown,
): number | undefined {
  const context = findContext(request)
  return context && (context.errorStatus ?? statusSent(responseValue, set))
}

const statusSent = (reply: unknown, set: ReplySettings): number =>
  reply instanceof Response ? reply.status : Number(set.status)

/** Replies to malformed requests outside all route groups. */
const anyRouteGroup: RouteGroup = {
  name: 'none',
  prefix: '/',
  headers: {},
  replyToError: replyWithProblem,
}

interface ContextOptions {
  routeGroups: readonly RouteGroup[]
  ignored: readonly string[]
  /** False: the request belongs to its route group, or to none, and only gets an error. */
  isWellFormed: boolean
  /** Finds the address of the client. */
  address(): string
}

/** Gives a request its context; undefined when it belongs to no route group. */
function createContext(
  request: Request,
  { routeGroups, ignored, isWellFormed, address }: ContextOptions,
): RequestContext | undefined {
  const { path, query } = splitAddress(request.url)
  const isIgnored = ignored.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one))
  const found = isIgnored ? undefined : routeGroups.find(({ prefix }) => isBelow(path, prefix))
  const routeGroup = isWellFormed
    ? found
    : { ...anyRouteGroup, ...found, replyToError: replyWithProblem }
  if (!routeGroup) return
  const id = Bun.randomUUIDv7()
  const context: RequestContext = {
    id,
    path,
    query,
    get address() {
      return address()
    },
    startedAtMs: performance.now(),
    routeGroup,
    log: {},
    error: null,
  }
  saveContext(request, context)
  return context
}

const isBelow = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) &&
  (path.length === prefix.length || prefix.endsWith('/') || path[prefix.length] === '/')

/** The 400 of RFC 9112, section 3.2. */
const malformedHost = () =>
  new AppError(
    'malformed_request',
    'The Host header is missing or malformed. Send one host name, with a port if there is one.',
  )

interface Handled {
  method: string
  route: string
  status: number
}

function writeLogLine(log: Logger, context: RequestContext, { method, route, status }: Handled) {
  const { id, routeGroup, path, startedAtMs, error } = context
  const line = {
    requestId: id,
    routeGroup: routeGroup.name,
    method,
    path: routeGroup.logsPattern ? route : path,
    status,
    ms: Math.round((performance.now() - startedAtMs) * 10) / 10,
    code: error?.code,
    err: error?.details.cause,
  }
  log[status >= 500 ? 'error' : 'info'](Object.assign(line, context.log), 'request')
}
