import { type Context as ElysiaContext, status } from 'elysia'
import { type Caller, withKeyTransaction } from '../features/api-keys/index.ts'
import {
  acquireIdempotencyKey,
  completeIdempotencyKey,
  type IdempotencyLock,
  type IdempotentRequest,
  lockIdempotencyKey,
  type Response,
  releaseIdempotencyKey,
  storeResponse,
} from '../features/idempotency/index.ts'
import {
  inTransaction,
  type KeyContext,
  keyContext,
  type LinkContext,
  type TxContext,
} from '../lib/context.ts'
import { withDeadline } from '../lib/database/db.ts'
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

// A process that died blocks its key for as long. A preparation can take longer, such as in the queue of images: then the
// same request sent again prepares too, and of the two only the one that has the lock stores its change.
const lockSeconds = 60

/**
 * A handler's `write` for a change that is prepared. Nothing is prepared for a request whose response is
 * stored; while the first request with an Idempotency-Key is still running, the others get `request_in_progress`.
 */
export async function writePrepared<Prepared, const Status extends number, Body>(
  deps: ApiDeps,
  { request, set }: Pick<ElysiaContext, 'request' | 'set'>,
  { prepare, work }: PreparedChange<Prepared, Status, Body>,
) {
  const { caller, idempotent } = apiRequestOf(request)
  if (!idempotent) {
    const prepared = await prepare()
    return await createWrite(deps, request, set)((ctx) => work(ctx, prepared))
  }
  const keyCtx = contextOfCaller(deps, caller)
  const lock = { ...idempotent, owner: crypto.randomUUID() }
  const earlier = await withKeyTransaction(keyCtx, (ctx) =>
    lockIdempotencyKey(ctx, { ...lock, seconds: lockSeconds }),
  )
  if (earlier) return replied(set, replayOf<Status, Body>(earlier))
  return await withLock(keyCtx, lock, async () => {
    const prepared = await prepare()
    const reply = await withKeyTransaction(keyCtx, async (ctx) => {
      const made = await work(ctx, prepared)
      await completeIdempotencyKey(ctx, { ...lock, response: responseOf(made) })
      return made
    })
    return replied(set, reply)
  })
}

/** Runs `work`; when it fails, the lock ends. When the database is unavailable too, the lock expires. */
async function withLock<Result>(
  ctx: KeyContext,
  lock: IdempotencyLock,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const released = inTransaction(ctx, (txCtx) => releaseIdempotencyKey(txCtx, lock))
    await withDeadline(released).catch(() => {})
    throw error
  }
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
  await storeResponse(ctx, { ...request, response: responseOf(reply) })
  return reply
}

/** What is stored of a reply. */
function responseOf({ status, body, headers }: ChangeResponse<number, unknown>): Response {
  const { location = null, etag = null } = headers ?? {}
  return { status, location, etag, response_body: body ?? null }
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
