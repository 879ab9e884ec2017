import type { AppError } from '../errors.ts'
import type { Surface } from './surface.ts'

/** What is known of a request from its first moment on; it lives as long as the request object. */
export interface RequestContext {
  /** A UUIDv7. The client gets it as `X-Request-Id`, and the log line contains it. */
  id: string
  /** The path of the request's address, without its query. */
  path: string
  /** The query of the request's address without its `?`, or an empty string. */
  query: string
  /** `performance.now()` when the request came in. */
  startedAtMs: number
  surface: Surface
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

/** The context of a request, or undefined when the request belongs to no surface. */
export const findContext = (request: Request): RequestContext | undefined => contexts.get(request)

export function saveContext(request: Request, context: RequestContext): void {
  contexts.set(request, context)
}
