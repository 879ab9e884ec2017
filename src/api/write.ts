import { type Context as ElysiaContext, status } from 'elysia'
import { type Caller, requireActiveKeyLock } from '../features/api-keys/index.ts'
import {
  acquireIdempotencyKey,
  type IdempotencyKey,
  storeResponse,
} from '../features/idempotency/index.ts'
import { type Context, inTransaction, type TxContext } from '../lib/context.ts'
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
const keyContext = ({ sql, now }: ApiDeps, { teamId, keyId, keyName }: Caller): Context => ({
  ...{ sql, now },
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
    work: (ctx: TxContext) => Promise<Reply<Status, Body>>,
  ) => {
    const { caller, idempotency } = apiRequestOf(request)
    const scope = { keyId: caller.keyId, path: contextOf(request).path }
    const reply = await inTransaction(keyContext(deps, caller), async (ctx) => {
      await requireActiveKeyLock(ctx.sql, caller)
      return idempotency ? await runOnce(ctx, { scope, claim: idempotency }, work) : await work(ctx)
    })
    Object.assign(set.headers, reply.headers)
    return status(reply.status, reply.body)
  }
}

async function runOnce<Status extends number, Body>(
  ctx: TxContext,
  { scope, claim }: { scope: { keyId: string; path: string }; claim: IdempotencyKey },
  work: (ctx: TxContext) => Promise<Reply<Status, Body>>,
): Promise<Reply<Status, Body>> {
  const earlier = await acquireIdempotencyKey(ctx.sql, scope, claim)
  if (earlier) return replayOf(earlier)
  const reply = await work(ctx)
  const location = reply.headers?.['location'] ?? null
  const answer = reply.body ?? null
  await storeResponse(ctx.sql, scope, claim, { status: reply.status, location, answer }, ctx.now())
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
