import { type Context, status } from 'elysia'
import { withKeyTransaction } from '../features/api-keys/index.ts'
import {
  acquireIdempotencyKey,
  type IdempotencyKey,
  storeResponse,
} from '../features/idempotency/index.ts'
import type { Tx } from '../lib/db.ts'
import { contextOf } from '../lib/http/index.ts'
import { apiRequestOf } from './authentication.ts'
import type { ApiDeps } from './deps.ts'

/** What a change responds with. */
export interface Reply<Status extends number, Body> {
  status: Status
  body: Body
  headers?: Record<string, string>
}

/**
 * Makes a handler's `write`: it runs a change in one transaction that locks the caller's key, and
 * stores the response under the request's Idempotency-Key in the same transaction, so that a crash
 * can neither lose nor duplicate the change. An error is not stored: the client can correct the
 * request and send it again with the same key.
 */
export function createWrite(deps: ApiDeps, request: Request, set: Context['set']) {
  return async <const Status extends number, Body>(
    work: (tx: Tx) => Promise<Reply<Status, Body>>,
  ) => {
    const { caller, idempotency } = apiRequestOf(request)
    const reply = await withKeyTransaction(deps.sql, caller, (tx) =>
      idempotency
        ? runOnce(
            deps,
            tx,
            { keyId: caller.keyId, path: contextOf(request).path },
            idempotency,
            work,
          )
        : work(tx),
    )
    Object.assign(set.headers, reply.headers)
    return status(reply.status, reply.body)
  }
}

async function runOnce<Status extends number, Body>(
  { now }: ApiDeps,
  tx: Tx,
  scope: { keyId: string; path: string },
  claim: IdempotencyKey,
  work: (tx: Tx) => Promise<Reply<Status, Body>>,
): Promise<Reply<Status, Body>> {
  const earlier = await acquireIdempotencyKey(tx, scope, claim)
  if (earlier) return replayOf(earlier)
  const reply = await work(tx)
  const location = reply.headers?.['location'] ?? null
  const answer = reply.body ?? null
  await storeResponse(tx, scope, claim, { status: reply.status, location, answer }, now())
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
