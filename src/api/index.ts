import { Elysia } from 'elysia'
import { notFound } from '../lib/errors.ts'
import {
  contextOf,
  defaultHeaders,
  methodNotAllowed,
  methodsIn,
  type RouteGroup,
  replyWithProblem,
} from '../lib/http/index.ts'
import { authentication, routeGroupName } from './authentication.ts'
import type { ApiDeps } from './deps.ts'
import { replyToApiError } from './errors/reply.ts'
import { v1 } from './v1/index.ts'
import { ingestBody } from './v1/webhooks.ts'

export type { ApiDeps } from './deps.ts'

/** The API as `lib/http` serves it: errors are problem documents. */
export const apiRouteGroup = (deps: ApiDeps): RouteGroup => ({
  name: routeGroupName,
  prefix: '/api/v1',
  headers: defaultHeaders(deps.baseUrl),
  replyToError: replyToApiError(deps),
})

/** Other paths below `/api`, such as another version: an error for programs, not a page. */
export const otherApiRouteGroup = (baseUrl: string): RouteGroup => ({
  name: 'none',
  prefix: '/api',
  headers: defaultHeaders(baseUrl),
  replyToError: replyWithProblem,
})

const readAhead = new Map([['/api/v1/webhooks/ingest', ingestBody]])

/** `/api/v1`: the key and rate limit check, the routes, and an authenticated response for other paths. */
export function createApi(deps: ApiDeps) {
  const routes = v1(deps)
  const methodsOf = methodsIn(routes.routes)
  const unknownPath = ({ request }: { request: Request }) => {
    const methods = methodsOf(contextOf(request).path)
    throw methods.length > 0 ? methodNotAllowed(methods) : notFound('This path')
  }
  return new Elysia()
    .use(authentication({ ...deps, readAhead }))
    .use(routes)
    .all('/api/v1', unknownPath, { parse: 'none', detail: { hide: true } })
    .all('/api/v1/*', unknownPath, { parse: 'none', detail: { hide: true } })
}

/** The type that Eden's client takes: `treaty<Api>(baseUrl)`. */
export type Api = ReturnType<typeof createApi>
