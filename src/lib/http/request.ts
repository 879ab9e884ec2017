import type { Context as ElysiaContext } from 'elysia'
import { AppError } from '../errors.ts'
import type { RouteGroup } from './route-group.ts'

/** What is known of a request from its first moment on; it lives as long as the request object. */
export interface RequestContext {
  /** A UUIDv7. The client gets it as `X-Request-Id`, and the log line contains it. */
  id: string
  /** The path of the request's address, without its query. */
  path: string
  /** The query of the request's address without its `?`, or an empty string. */
  query: string
  /** The client's network address, according to the proxies that the operator trusts; empty when it is not known. */
  readonly address: string
  /** `performance.now()` when the request came in. */
  startedAtMs: number
  routeGroup: RouteGroup
  /** More members of the request's log line: ids and names, never a body, a header or a secret. */
  log: Record<string, unknown>
  /** The error that the response reports. */
  error: AppError | null
  /** The status that it was reported with. */
  errorStatus?: number
}

const contexts = new WeakMap<Request, RequestContext>()

/** The context of a request. Throws when the `http` plugin has not seen the request. */
export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request)
  if (!context) throw new Error('This request did not pass the http plugin.')
  return context
}

/** The context of a request, or undefined when the request belongs to no route group. */
export const findContext = (request: Request): RequestContext | undefined => contexts.get(request)

/**
 * The path and query of an address. Bun returns the path alone when the Host header is malformed, so
 * that the path is the same whatever the Host header says.
 */
export function splitAddress(url: string): { path: string; query: string } {
  const start = url.startsWith('http://') ? url.indexOf('/', 'http://'.length) : 0
  const end = url.indexOf('#', start)
  const target = url.slice(start, end === -1 ? undefined : end)
  const mark = target.indexOf('?')
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/**
 * Bun returns no host in `url` when the Host header is missing or malformed, and does not check its port or
 * address; two are joined by a comma.
 */
export const hasOneValidHost = ({ url, headers }: Request): boolean =>
  url.startsWith('http://') && URL.canParse(url) && !headers.get('host')?.includes(',')

/**
 * The peer's address, or what the operator's own proxies, counted from the right, say it is. Without a
 * server, as in a test that calls `handle`, there is no peer.
 */
export function clientAddress(
  request: Request,
  server: ElysiaContext['server'],
  trustedProxies: number,
): string {
  const peer = server?.requestIP(request)?.address ?? ''
  if (trustedProxies === 0) return peer
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return withoutPort(hops.at(-trustedProxies) ?? '') || peer
}

/** An address without the port that some proxies add: of `192.0.2.1:1234`, `[2001:db8::1]:1234` and `[2001:db8::1]`. */
const withoutPort = (hop: string): string =>
  /^(?:\[([^[\]]+)\]|([\d.]+))(?::\d+)?$/.exec(hop)?.slice(1).find(Boolean) ?? hop

/** Stores the context of a request for as long as the request exists. */
export function saveContext(request: Request, context: RequestContext): void {
  contexts.set(request, context)
}

/** A higher limit for bodies whose beginning, which is at least as large as the lower limit, allows it. */
export interface HigherLimit {
  limit: number
  appliesTo(start: Buffer): boolean
}

/**
 * The bytes of a request's body, read no further than the limit. Throws `too_large`, and `malformed_request` when
 * the client ends the connection before its body is complete.
 */
export async function readBytes(
  request: Request,
  lowerLimit: number,
  higher?: HigherLimit,
): Promise<Uint8Array> {
  try {
    return await readUpTo(request, lowerLimit, higher)
  } catch (error) {
    if (error instanceof AppError || !request.signal.aborted) throw error
    throw new AppError('malformed_request', 'The connection ended before the body was complete.')
  }
}

async function readUpTo(
  request: Request,
  lowerLimit: number,
  higher?: HigherLimit,
): Promise<Uint8Array> {
  let limit = lowerLimit
  const tooLarge = () =>
    new AppError('too_large', `The body is larger than ${Math.floor(limit / 1024)} KiB.`, {
      headers: { connection: 'close' },
    })
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > (higher?.limit ?? limit)) throw tooLarge()
  // The server reads no more than the declared length, and much faster than a stream.
  if (declared <= limit) return await request.bytes()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    chunks.push(chunk)
    if (length > limit && higher?.appliesTo(Buffer.concat(chunks))) {
      limit = higher.limit
      higher = undefined
    }
    if (length > limit) throw tooLarge()
  }
  return Buffer.concat(chunks)
}

/** Whether a part of an address cannot be read: Elysia returns null for an invalid percent-encoding, and PostgreSQL cannot store NUL. */
export const isUnreadable = (text: string | null): boolean => text === null || text.includes('\0')
