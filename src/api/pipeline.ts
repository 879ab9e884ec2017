import type { Logger } from 'pino'
import {
  type RateLimitStatus,
  requestsPerWindow,
  windowSeconds,
} from '../features/api-keys/index.ts'
import { AppError, invalidField, notFound } from '../lib/errors.ts'
import { parseInput } from '../lib/parse.ts'
import { notModified } from './conditions.ts'
import { asAppError, problemResponse } from './errors.ts'
import { authorise, type Gate } from './gate.ts'
import { claimOf, performWrite } from './idempotency.ts'
import { readJson } from './input.ts'
import type { Answer, ApiDeps, Call, Operation } from './operation.ts'

/** What a request is about to meet: an operation, or the reason why there is none. */
export type Target = Operation | AppError

export interface Arrival {
  request: Request
  params: Record<string, string>
  /** The client's address. */
  address: string
}

export type Pipeline = (target: Target, arrival: Arrival) => Promise<Response>

interface Trace {
  keyId?: string
  teamId?: string
  rateLimit?: RateLimitStatus
}

/**
 * Carries a request through the checks of `api.md`, in their order: key (401), rate limit (429),
 * scope (403), existence (404), body (400, 413, 415, 422), then the work with its conflicts. Elysia
 * would read and validate a body before it asks for the scope, so it only routes here.
 */
export function createPipeline(deps: ApiDeps, gate: Gate, log: Logger): Pipeline {
  return async (target, arrival) => {
    const started = performance.now()
    const requestId = Bun.randomUUIDv7()
    const trace: Trace = {}
    let failure: AppError | undefined
    let response: Response
    try {
      response = toResponse(await carryOut(deps, gate, target, arrival, trace))
    } catch (error) {
      failure = asAppError(error)
      response = problemResponse(failure, requestId)
    }
    setCommonHeaders(response.headers, requestId, trace.rateLimit)
    log[response.status >= 500 ? 'error' : 'info'](
      {
        requestId,
        method: arrival.request.method,
        path: new URL(arrival.request.url).pathname,
        status: response.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
        ...(failure && { code: failure.code, err: failure.details.cause }),
        ...(trace.keyId && { keyId: trace.keyId, teamId: trace.teamId }),
      },
      'api request',
    )
    return response
  }
}

async function carryOut(
  deps: ApiDeps,
  gate: Gate,
  target: Target,
  { request, params, address }: Arrival,
  trace: Trace,
): Promise<Answer> {
  const { caller, allowed, rateLimit } = await gate(request, address)
  Object.assign(trace, { keyId: caller.keyId, teamId: caller.teamId, rateLimit })
  if (!allowed) throw rateLimited(rateLimit)
  if (target instanceof AppError) throw target
  authorise(caller, target)
  if (Object.values(params).some(holdsNul)) throw notFound('This path')
  await target.find?.(deps, { caller, params })
  const call: Call = { caller, params, request, ...(await readInput(request, target)) }
  return notModified(request, await perform(deps, target, call))
}

async function perform(deps: ApiDeps, target: Operation, call: Call): Promise<Answer> {
  const { work } = target
  if ('write' in work) return await performWrite(deps, work.write, call)
  if ('run' in work) return await work.run(deps, call)
  const answer = await work.read(deps, call)
  await deps.requireActiveKey(call.caller)
  return answer
}

async function readInput(
  request: Request,
  target: Operation,
): Promise<Pick<Call, 'query' | 'body' | 'idempotency'>> {
  const query = target.query && parseInput(target.query, queryOf(request), 'query')
  if (!target.body) return { query, body: undefined, idempotency: null }
  const { json, bytes } = await readJson(request)
  const body = parseInput(target.body, json)
  return { query, body, idempotency: request.method === 'POST' ? claimOf(request, bytes) : null }
}

/** The query's parameters, each with all its values; `api_key` is the gate's business alone. */
function queryOf(request: Request): Record<string, string[]> {
  const parameters = new URL(request.url).searchParams
  parameters.delete('api_key')
  const names = [...new Set(parameters.keys())]
  const unreadable = names.find((name) => parameters.getAll(name).some(holdsNul))
  if (unreadable !== undefined) throw invalidField('?', 'a parameter holds a NUL character')
  return Object.fromEntries(names.map((name) => [name, parameters.getAll(name)]))
}

/** PostgreSQL keeps no NUL, so nothing here can have one. */
const holdsNul = (text: string) => text.includes('\0')

function rateLimited({ resetSeconds }: RateLimitStatus): AppError {
  return new AppError(
    'rate_limited',
    `A key may make ${requestsPerWindow} requests in ${windowSeconds} seconds. Wait ${resetSeconds} s and go on.`,
    { retryAfterSeconds: resetSeconds },
  )
}

function toResponse({ status, body, html, headers }: Answer): Response {
  if (html !== undefined) {
    return new Response(html, {
      status,
      headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    })
  }
  return body === undefined
    ? new Response(null, { status, ...(headers && { headers }) })
    : Response.json(body, { status, ...(headers && { headers }) })
}

function setCommonHeaders(headers: Headers, requestId: string, rateLimit?: RateLimitStatus): void {
  headers.set('x-request-id', requestId)
  headers.set('cache-control', 'no-store')
  headers.set('referrer-policy', 'no-referrer')
  headers.set('x-content-type-options', 'nosniff')
  if (!rateLimit) return
  headers.set('ratelimit-policy', `"default";q=${requestsPerWindow};w=${windowSeconds}`)
  headers.set('ratelimit', `"default";r=${rateLimit.remaining};t=${rateLimit.resetSeconds}`)
}
