import type { Context } from 'elysia'
import type { AppError } from '../errors.ts'

/** Where an error reply sets its status and headers. */
export type ReplySettings = Context['set']

/** What an error reply may use of Elysia's context. */
export interface ErrorContext {
  request: Request
  set: ReplySettings
}

/** One of the parts that respond to requests: the API, the webhooks, the console. */
export interface RouteGroup {
  /** The `routeGroup` of its log lines. */
  name: string
  /** Its paths are this one and all below it; with a slash at the end, only those below. */
  prefix: string
  /** Headers of each of its responses; a handler can replace one through `set.headers`. */
  headers: Record<string, string>
  /** The path in its log lines is the route's pattern, because real paths contain secrets. */
  logsPattern?: boolean
  /** Turns an error into the value that Elysia sends: a body with `set` filled in, or a `Response`. */
  replyToError(error: AppError, context: ErrorContext): unknown
}
