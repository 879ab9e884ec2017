import { Elysia } from 'elysia'
import type { Reply } from '../../integrations/kit/received.ts'
import { notFound } from '../lib/errors.ts'
import { contextOf, type RouteGroup, replyWithProblem, securityHeaders } from '../lib/http/index.ts'
import type { WebhookDeps } from './dispatch.ts'
import { createWebhookReceiver } from './receive.ts'

export type { WebhookDeps } from './dispatch.ts'
export { dryRunSample } from './dry-run-sample.ts'
export { loadIntegrationCatalog } from './integration-catalog.ts'
export { pollingJobs, schedulePolls, startPolling } from './poll-sources.ts'
export { startSockets } from './sockets.ts'
export { teamApiOf } from './team-api.ts'

/**
 * The webhooks as a route group of `lib/http`. Errors are short, because people read them in the log of
 * a provider.
 */
export const webhookRouteGroup = (baseUrl: string): RouteGroup => ({
  name: 'webhooks',
  prefix: '/hooks/',
  headers: securityHeaders(baseUrl),
  // Paths contain the token of the connection.
  logsPattern: true,
  replyToError(error, context) {
    const { detail } = replyWithProblem(error, context)
    context.set.headers['content-type'] = 'application/json'
    return { error: detail }
  },
})

export interface WebhookOptions {
  deps: WebhookDeps
  /** How providers reach the service, without a slash at the end. */
  baseUrl: string
}

/**
 * The route that every provider calls, `/hooks/:adapter/:token`. The adapter decides which methods
 * it accepts. With `?dry_run=true` the response says what the request would become.
 */
export function createWebhooks({ deps, baseUrl }: WebhookOptions) {
  const receive = createWebhookReceiver(deps)
  return new Elysia({ name: 'webhooks' })
    .all(
      '/hooks/:adapter/:token',
      async ({ request, params: { adapter, token }, query }) => {
        const { path, query: search } = contextOf(request)
        const url = new URL(`${baseUrl}${path}${search && `?${search}`}`)
        const dryRun = query['dry_run'] === 'true'
        return toResponse(await receive({ request, url, adapter, webhookToken: token, dryRun }))
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
