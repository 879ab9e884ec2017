import { Elysia, status } from 'elysia'
import { Problem } from '../contract/problem.ts'
import type { Scope } from '../contract/vocabulary.ts'
import type { Caller } from '../features/api-keys/index.ts'
import type { Context, KeyContext } from '../lib/context.ts'
import { AppError, type FieldError, notFound } from '../lib/errors.ts'
import { contextOf, isUnreadable, toBody } from '../lib/http/index.ts'
import { apiRequestOf } from './authentication.ts'
import type { ApiDeps } from './deps.ts'
import {
  idempotencyKeyOf,
  parseQuery,
  type ReadBody,
  readJson,
  withParameterWarnings,
} from './input.ts'
import { documentAccess } from './openapi/operation.ts'
import { responses } from './response.ts'
import { contextOfCaller, createWrite } from './write.ts'

type Params = Readonly<Record<string, string>>

/** What a route requires before its input is looked at. */
export interface Access {
  /** `any` for every valid key. */
  scope: Scope | 'any'
  /** Keys that are restricted to ingest may use the route. */
  allowIngestOnly?: boolean
  /** Throws `not_found` unless what the path names exists, so that 404 comes before a fault of the body. */
  requireResource?(ctx: Context, params: Params): Promise<unknown>
  /** Reads a body that is not only JSON of the usual size. */
  readBody?: ReadBody
  /**
   * The path under which responses are stored for an Idempotency-Key, if not that of the request;
   * null where the response is not stored as a whole.
   */
  idempotencyPath?: string | null
  /** The route has the parameter `dry_run`: with it, no response is stored for an Idempotency-Key. */
  hasDryRun?: boolean
  /**
   * Errors of the body that its schema cannot find. They are looked for when the body has other
   * errors, so that one response reports all.
   */
  findErrors?(
    ctx: KeyContext,
    input: Readonly<Record<string, unknown>>,
    params: Params,
  ): Promise<FieldError[]>
}

/** What every route can respond with instead of its success; Eden's client has these types. */
const problemResponses = responses({
  400: Problem,
  401: Problem,
  403: Problem,
  404: Problem,
  409: Problem,
  412: Problem,
  413: Problem,
  415: Problem,
  422: Problem,
  429: Problem,
  500: Problem,
  503: Problem,
})

/** Gives routes the caller, `ctx` for reads, `write` for changes, and the `access` macro. */
export function access(deps: ApiDeps) {
  return new Elysia()
    .derive({ as: 'scoped' }, ({ request, set }) => {
      const { caller } = apiRequestOf(request)
      return { caller, ctx: contextOfCaller(deps, caller), write: createWrite(deps, request, set) }
    })
    .macro({
      /**
       * 403, then 404, then the body (400, 413, 415), all before Elysia validates. Routes without a
       * body are not parsed, so that `transform` does the same for them.
       */
      access(required: Access) {
        const { scope, allowIngestOnly = false, requireResource } = required
        const authorize = async (request: Request, params: Params) => {
          const known = apiRequestOf(request)
          if (known.isAuthorized) return
          known.isAuthorized = true
          known.requireScope = () => requireScope(known.caller, scope, allowIngestOnly)
          known.requireScope()
          if (Object.values(params).some(isUnreadable)) throw notFound('This path')
          await requireResource?.(contextOfCaller(deps, known.caller), params)
        }
        return {
          detail: documentAccess({ scope, allowIngestOnly }),
          response: problemResponses,
          async parse({ request, params }: { request: Request; params?: Params }) {
            await authorize(request, params ?? {})
            return request.method === 'DELETE'
              ? {}
              : await parseBody(deps, request, { ...required, params: params ?? {} })
          },
          async transform(context: { request: Request; params?: Params; query?: unknown }) {
            await authorize(context.request, context.params ?? {})
            // Elysia's parser splits values at commas.
            context.query = parseQuery(contextOf(context.request).query)
          },
          async afterHandle({
            request,
            responseValue,
          }: {
            request: Request
            responseValue?: unknown
          }) {
            const { caller, isNotModified, isKeyActive } = apiRequestOf(request)
            // Without a scope, the response contains only what the key check has just read.
            const isRead = request.method === 'GET' || request.method === 'HEAD'
            if (isRead && scope !== 'any' && !isKeyActive) await deps.requireActiveKey(caller)
            return isNotModified ? status(304) : withParameterWarnings(request, responseValue)
          },
          mapResponse({ request, responseValue }: { request: Request; responseValue?: unknown }) {
            // An error has the type of a problem document already.
            const isRead = request.method === 'GET' && contextOf(request).error === null
            return isRead && isPlainObject(responseValue) ? jsonResponse(responseValue) : undefined
          },
        }
      },
    })
}

/** False for responses and for what `status` returns. */
const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** What was read can be large, as the pages of lists are. */
const jsonResponse = (value: object) =>
  new Response(toBody(JSON.stringify(value)), {
    headers: { 'content-type': 'application/json;charset=utf-8' },
  })

async function parseBody(
  deps: ApiDeps,
  request: Request,
  required: Access & { params: Params },
): Promise<unknown> {
  const { readBody = readJson, idempotencyPath, hasDryRun, findErrors, params } = required
  const { json, bytes } = await readBody(request)
  const known = apiRequestOf(request)
  const idempotencyKey = request.method === 'POST' ? idempotencyKeyOf(request, bytes) : null
  known.idempotencyKey = idempotencyKey
  const path = idempotencyPath === undefined ? pathOf(request) : idempotencyPath
  if (idempotencyKey && path !== null && !(hasDryRun && isDryRun(request))) {
    known.idempotent = { scope: { keyId: known.caller.keyId, path }, idempotencyKey }
  }
  if (findErrors && isRecord(json)) {
    known.findErrors = () => findErrors(contextOfCaller(deps, known.caller), json, params)
  }
  return json
}

const pathOf = (request: Request) => contextOf(request).path.replace(/\/$/, '')

/** Nothing of a dry run is stored, also not its response. */
const isDryRun = (request: Request) => parseQuery(contextOf(request).query)['dry_run'] === 'true'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Throws `insufficient_scope` unless the key may do this. */
function requireScope(caller: Caller, scope: Scope | 'any', allowIngestOnly: boolean): void {
  if (caller.ingestOnly && !allowIngestOnly) {
    throw new AppError('insufficient_scope', 'This key may only call the ingest webhook.', {
      extra: { required_scope: scope, required_option: 'ingest_only: false' },
    })
  }
  if (scope !== 'any' && !caller.scopes.includes(scope)) {
    throw new AppError('insufficient_scope', `This needs a key with the scope "${scope}".`, {
      extra: { required_scope: scope },
    })
  }
}

/** Throws `insufficient_scope` when a key that may not make blocks ready asks for it. */
export function requireAutoReadyPermission(caller: Caller, status: string | undefined): void {
  if (status !== 'ready' || caller.allowAutoReady) return
  throw new AppError(
    'insufficient_scope',
    'This key may not mark blocks ready; leave them draft.',
    { extra: { required_scope: 'write', required_option: 'allow_auto_ready' } },
  )
}
