import { Elysia } from 'elysia'
import type { Reply } from '../../integrations/kit/adapter.ts'
import { AppError, type ErrorCode, notFound } from '../lib/errors.ts'
import {
  createWebhookReceiver,
  type LogContext,
  type Receive,
  type WebhookDeps,
  type WebhookRequest,
} from './receive.ts'

export { dryRunSample } from './dry-run-sample.ts'
export { loadIntegrationCatalog } from './integration-catalog.ts'
export type { WebhookDeps } from './receive.ts'

export interface WebhookOptions {
  deps: WebhookDeps
  /** The client's address, as far as the operator trusts what names it. */
  addressOf(request: Request): string
}

const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
const wrongMethod = new AppError('method_not_allowed', 'Only POST works here.', {
  headers: { allow: 'POST' },
})

const path = '/hooks/:adapter/:connection_id'

/**
 * Mounts the one address every provider calls, `POST /hooks/:adapter/:connection_id`. With
 * `?dry_run=true` it only answers what would come of the request.
 */
export function createWebhooks({ deps, addressOf }: WebhookOptions) {
  const receive = createWebhookReceiver(deps)
  const app = new Elysia()
  app.route(
    'POST',
    path,
    async ({ request, params }) => {
      const { adapter, connection_id: hookId } = params
      const dryRun = new URL(request.url).searchParams.get('dry_run') === 'true'
      const address = addressOf(request)
      return await answer(deps, receive, {
        request,
        adapter,
        webhookToken: hookId,
        address,
        dryRun,
      })
    },
    { parse: 'none' },
  )
  const refuse = (methods: string, where: string, error: AppError) =>
    app.route(methods, where, () => failureResponse(error), { parse: 'none' })
  refuse('ALL', path, wrongMethod)
  refuse('ALL', '/hooks/*', notFound('This address'))
  return app
}

async function answer(
  { log }: WebhookDeps,
  receive: Receive,
  arrival: WebhookRequest,
): Promise<Response> {
  const started = performance.now()
  const trace: LogContext = {}
  let response: Response
  let cause: unknown
  try {
    response = toResponse(await receive(arrival, trace))
  } catch (error) {
    response = failureResponse(error)
    cause = error instanceof AppError ? error.details.cause : error
  }
  const { status } = response
  log[status >= 500 ? 'error' : 'info'](
    {
      ...trace,
      status,
      ms: Math.round((performance.now() - started) * 10) / 10,
      ...(cause !== undefined && { err: cause }),
    },
    'hook',
  )
  return response
}

function toResponse({ status = 200, body }: Reply): Response {
  const headers = new Headers(commonHeaders)
  if (typeof body === 'object') return Response.json(body, { status, headers })
  if (body !== undefined) headers.set('content-type', 'text/plain; charset=utf-8')
  return new Response(body ?? null, { status, headers })
}

const statuses: Partial<Record<ErrorCode, number>> = {
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  rate_limited: 429,
  database_unavailable: 503,
}

/** A refusal in a provider's own terms, small and without internals. */
function failureResponse(error: unknown): Response {
  const known = error instanceof AppError ? error : undefined
  const status = (known && statuses[known.code]) ?? 500
  const message = known && status !== 500 ? known.message : 'Something went wrong on our side.'
  const headers = new Headers({ ...commonHeaders, ...known?.details.headers })
  const { retryAfterSeconds } = known?.details ?? {}
  if (retryAfterSeconds) headers.set('retry-after', String(retryAfterSeconds))
  return Response.json({ error: message }, { status, headers })
}
