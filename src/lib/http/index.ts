/**
 * What every surface (API, webhooks, console) needs of HTTP, implemented once. The composition root
 * uses the plugin before all others and lists the surfaces:
 *
 *     new Elysia(routing).use(http({ log, surfaces: [api, webhooks, console] })).use(…)
 *
 * A surface then only throws: an `AppError` becomes its `replyToError`. It adds to the log line with
 * `contextOf(request).log`, sets headers with `set.headers`, and reads bodies with `readBytes`.
 */
import { Elysia } from 'elysia'
import type { Logger } from 'pino'
import { AppError } from '../errors.ts'
import { toAppError } from './app-error.ts'
import { findContext, type RequestContext, saveContext } from './context.ts'
import { replyWithProblem } from './problem.ts'
import type { ReplySettings, Surface } from './surface.ts'

export { toAppError } from './app-error.ts'
export { readBytes } from './body.ts'
export { contextOf, findContext } from './context.ts'
export { errorTitle, problemOf, replyWithProblem } from './problem.ts'
export { securityHeaders } from './security-headers.ts'
export { statusOf } from './status.ts'
export type { Surface } from './surface.ts'

/**
 * How the root app finds routes: by the whole path and by nothing else. Elysia's default skips the
 * first characters of a short host name, and Bun's own router decodes paths before it compares them.
 */
export const routing = { handler: { standardHostname: false }, systemRouter: false } as const

interface HttpOptions {
  log: Logger
  /** The first whose prefix matches responds to a request; the plugin does nothing for other requests. */
  surfaces: readonly Surface[]
  /** Paths for which the plugin does nothing, such as health checks; with a slash at the end, all paths below. */
  ignored?: readonly string[]
}

/** Gives each request its id, headers, error reply and log line. Use it once, before all routes. */
export function http({ log, surfaces, ignored = [] }: HttpOptions) {
  return new Elysia({ name: 'http' })
    .onRequest(({ request, set }) => {
      const isWellFormed = hasOneValidHost(request)
      const context = createContext(request, { surfaces, ignored, isWellFormed })
      if (!context) return
      saveContext(request, context)
      Object.assign(set.headers, context.surface.headers)
      set.headers['x-request-id'] = context.id
      if (!isWellFormed) throw malformedHost()
    })
    .onError({ as: 'global' }, async (elysia) => {
      const context = findContext(elysia.request)
      if (!context) return
      context.error = toAppError(elysia.error)
      const reply = await context.surface.replyToError(context.error, elysia)
      // Elysia reports the value of the handler as the response, also when a later hook throws.
      context.errorStatus = statusSent(reply, elysia.set)
      return reply
    })
    .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
      const context = findContext(request)
      if (!context) return
      const status = context.errorStatus ?? statusSent(responseValue, set)
      writeLogLine(log, context, { method: request.method, route, status })
    })
}

const statusSent = (reply: unknown, set: ReplySettings): number =>
  reply instanceof Response ? reply.status : Number(set.status)

/** Replies to malformed requests outside all surfaces. */
const anySurface: Surface = {
  name: 'none',
  prefix: '/',
  headers: {},
  replyToError: replyWithProblem,
}

interface SurfaceChoice {
  surfaces: readonly Surface[]
  ignored: readonly string[]
  isWellFormed: boolean
}

function createContext(
  request: Request,
  { surfaces, ignored, isWellFormed }: SurfaceChoice,
): RequestContext | undefined {
  const { path, query } = splitAddress(request.url)
  const isIgnored = ignored.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one))
  const found = isIgnored ? undefined : surfaces.find(({ prefix }) => isBelow(path, prefix))
  const surface = isWellFormed ? found : { ...anySurface, ...found, replyToError: replyWithProblem }
  if (!surface) return
  const id = Bun.randomUUIDv7()
  return { id, path, query, startedAtMs: performance.now(), surface, log: {}, error: null }
}

const isBelow = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) &&
  (path.length === prefix.length || prefix.endsWith('/') || path[prefix.length] === '/')

/**
 * The path and query of an address. Bun returns the path alone when the Host header is malformed, so
 * that the path is the same whatever the Host header says.
 */
function splitAddress(url: string): { path: string; query: string } {
  const start = url.startsWith('http://') ? url.indexOf('/', 'http://'.length) : 0
  const end = url.indexOf('#', start)
  const target = url.slice(start, end === -1 ? undefined : end)
  const mark = target.indexOf('?')
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** Bun returns no host in `url` when the Host header is missing or malformed; two are joined by a comma. */
const hasOneValidHost = ({ url, headers }: Request): boolean =>
  url.startsWith('http://') && !headers.get('host')?.includes(',')

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
  const { id, surface, path, startedAtMs, error } = context
  log[status >= 500 ? 'error' : 'info'](
    {
      requestId: id,
      surface: surface.name,
      method,
      path: surface.logsPattern ? route : path,
      status,
      ms: Math.round((performance.now() - startedAtMs) * 10) / 10,
      ...(error && { code: error.code, err: error.details.cause }),
      ...context.log,
    },
    'request',
  )
}
