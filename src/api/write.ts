import { type Context as ElysiaContext, status } from 'elysia'
import { type Caller, withKeyTransaction } from '../features/api-keys/index.ts'
import {
  acquireIdempotencyKey,
  type IdempotentRequest,
  type Response,
  storeResponse,
} from '../features/idempotency/index.ts'
import { type KeyContext, keyContext, type LinkContext, type TxContext } from '../lib/context.ts'
import { apiRequestOf } from './authentication.ts'
import type { ApiDeps } from './deps.ts'

/** What a change responds with. */
export interface ChangeResponse<Status extends number, Body> {
  status: Status
  body: Body
  headers?: Record<string, string>
}

/** The context for feature functions in which the caller's key is the actor. */
export const contextOfCaller = (
  { sql, now, baseUrl }: ApiDeps,
  { teamId, keyId, keyName: name }: Caller,
): KeyContext & LinkContext => keyContext({ sql, now, baseUrl }, { teamId, keyId, name })

/**
 * Makes a handler's `write`: it runs a change in one transaction that locks the caller's key, and
 * stores the response under the request's Idempotency-Key in the same transaction, so that a crash
 * can neither lose nor duplicate the change. `errors/reply.ts` stores an error.
 */
export function createWrite(deps: ApiDeps, request: Request, set: ElysiaContext['set']) {
  return async <const Status extends number, Body>(
    work: (ctx: TxContext<LinkContext>) => Promise<ChangeResponse<Status, Body>>,
  ) => {
    const { caller, idempotent } = apiRequestOf(request)
    const reply = await withKeyTransaction(contextOfCaller(deps, caller), async (ctx) =>
      idempotent ? await runOnce(ctx, idempotent, work) : await work(ctx),
    )
    return replied(set, reply)
  }
}

/** A change that begins with work outside of its transaction, such as a request to another server. */
interface PreparedChange<Prepared, Status extends number, Body> {
  prepare(): Promise<Prepared>
  work(ctx: TxContext<LinkContext>, prepared: Prepared): Promise<ChangeResponse<Status, Body>>
}

/** A handler's `write` for a change that is prepared: nothing is prepared for a request whose response is stored. */
export async function writePrepared<Prepared, const Status extends number, Body>(
  deps: ApiDeps,
  { request, set }: Pick<ElysiaContext, 'request' | 'set'>,
  { prepare, work }: PreparedChange<Prepared, Status, Body>,
) {
  const { caller, idempotent } = apiRequestOf(request)
  if (idempotent) {
    const earlier = await withKeyTransaction(contextOfCaller(deps, caller), (ctx) =>
      acquireIdempotencyKey(ctx, idempotent),
    )
    if (earlier) return replied(set, replayOf<Status, Body>(earlier))
  }
  const prepared = await prepare()
  return await createWrite(deps, request, set)((ctx) => work(ctx, prepared))
}

function replied<const Status extends number, Body>(
  set: ElysiaContext['set'],
  { headers, body, ...reply }: ChangeResponse<Status, Body>,
) {
  Object.assign(set.headers, headers)
  return status(reply.status, body)
}

async function runOnce<Status extends number, Body>(
  ctx: TxContext<LinkContext>,
  request: IdempotentRequest,
  work: (ctx: TxContext<LinkContext>) => Promise<ChangeResponse<Status, Body>>,
): Promise<ChangeResponse<Status, Body>> {
  const earlier = await acquireIdempotencyKey(ctx, request)
  if (earlier) return replayOf(earlier)
  const reply = await work(ctx)
  const { location = null, etag = null } = reply.headers ?? {}
  const response = { status: reply.status, location, etag, response_body: reply.body ?? null }
  await storeResponse(ctx, { ...request, response })
  return reply
}

/** Sound because the key's scope includes the path: the same route stored this response. */
function replayOf<Status extends number, Body>(earlier: Response): ChangeResponse<Status, Body> {
  return {
    status: earlier.status as Status,
    body: (earlier.response_body ?? undefined) as Body,
    headers: {
      'idempotent-replayed': 'true',
      ...(earlier.location !== null && { location: earlier.location }),
      ...(earlier.etag !== null && { etag: earlier.etag }),
    },
  }
}
