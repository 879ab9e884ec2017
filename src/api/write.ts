import { type Context as ElysiaContext, status } from 'elysia'
import { type Caller, withKeyTransaction } from '../features/api-keys/index.ts'
import {
  acquireIdempotencyKey,
  type IdempotentRequest,
  storeResponse,
} from '../features/idempotency/index.ts'
import type { KeyContext, LinkContext, TxContext } from '../lib/context.ts'
import { contextOf } from '../lib/http/index.ts'
import { apiRequestOf } from './authentication.ts'
import type { ApiDeps } from './deps.ts'

/** What a change responds with. */
export interface Reply<Status extends number, Body> {
  status: Status
  body: Body
  headers?: Record<string, string>
}

/** The context for feature functions in which the caller's key is the actor. */
export const keyContext = (
  { sql, now, baseUrl }: ApiDeps,
  { teamId, keyId, keyName }: Caller,
): KeyContext & LinkContext => ({
  ...{ sql, now, baseUrl },
  actor: { kind: 'key', teamId, keyId, name: keyName },
})

/**
 * Makes a handler's `write`: it runs a change in one transaction that locks the caller's key, and
 * stores the response under the request's Idempotency-Key in the same transaction, so that a crash
 * can neither lose nor duplicate the change. An error is not stored: the client can correct the
 * request and send it again with the same key.
 */
export function createWrite(deps: ApiDeps, request: Request, set: ElysiaContext['set']) {
  return async <const Status extends number, Body>(
    work: (ctx: TxContext<LinkContext>) => Promise<Reply<Status, Body>>,
  ) => {
    const { caller, idempotency } = apiRequestOf(request)
    const scope = { keyId: caller.keyId, path: contextOf(request).path }
    const reply = await withKeyTransaction(keyContext(deps, caller), async (ctx) =>
      idempotency ? await runOnce(ctx, { scope, claim: idempotency }, work) : await work(ctx),
    )
    Object.assign(set.headers, reply.headers)
    return status(reply.status, reply.body)
  }
}

async function runOnce<Status extends number, Body>(
  ctx: TxContext<LinkContext>,
  request: IdempotentRequest,
  work: (ctx: TxContext<LinkContext>) => Promise<Reply<Status, Body>>,
): Promise<Reply<Status, Body>> {
  const earlier = await acquireIdempotencyKey(ctx, request)
  if (earlier) return replayOf(earlier)
  const reply = await work(ctx)
  const location = reply.headers?.['location'] ?? null
  const answer = reply.body ?? null
  await storeResponse(ctx, { ...request, response: { status: reply.status, location, answer } })
  return reply
}

/** Sound because the key's scope includes the path: the same route stored this response. */
function replayOf<Status extends number, Body>(earlier: {
  status: number
  location: string | null
  answer: unknown
}): Reply<Status, Body> {
  return {
    status: earlier.status as Status,
    body: (earlier.answer ?? undefined) as Body,
    headers: {
      'idempotent-replayed': 'true',
      ...(earlier.location !== null && { location: earlier.location }),
    },
  }
}
