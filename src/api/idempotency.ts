import { createHash } from 'node:crypto'
import { withKeyTransaction } from '../features/api-keys/index.ts'
import {
  acquireIdempotencyKey,
  type IdempotencyKey,
  storeResponse,
} from '../features/idempotency/index.ts'
import type { Tx } from '../lib/db.ts'
import { invalidField } from '../lib/errors.ts'
import type { Answer, ApiDeps, Call } from './operation.ts'

/**
 * What a request claims by its Idempotency-Key (`X-Idempotency-Key` means the same), or null. Throws
 * `validation_failed` for a key that is not 1 to 255 visible ASCII characters.
 */
export function claimOf(request: Request, body: Uint8Array): IdempotencyKey | null {
  const key = request.headers.get('idempotency-key') ?? request.headers.get('x-idempotency-key')
  if (key === null) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters'
    throw invalidField('Idempotency-Key', message)
  }
  return { key, requestHash: createHash('sha256').update(body).digest('hex') }
}

type Write = (deps: ApiDeps, call: Call, tx: Tx) => Promise<Answer>

/**
 * Carries out a write in one transaction that holds the caller's key and, where the request has an
 * Idempotency-Key, remembers the answer: a crash can neither lose nor double it. A failure is not
 * remembered, so it may be mended and sent again under the same key.
 */
export async function performWrite(deps: ApiDeps, write: Write, call: Call): Promise<Answer> {
  const { caller, idempotency: claim, request } = call
  return await withKeyTransaction(deps.sql, caller, async (tx) => {
    if (!claim) return await write(deps, call, tx)
    const scope = { keyId: caller.keyId, path: new URL(request.url).pathname }
    const earlier = await acquireIdempotencyKey(tx, scope, claim)
    if (earlier) return replayOf(earlier)
    const answer = await write(deps, call, tx)
    const location = answer.headers?.['location'] ?? null
    const remembered = { status: answer.status, location, answer: answer.body ?? null }
    await storeResponse(tx, scope, claim, remembered, deps.now())
    return answer
  })
}

function replayOf(earlier: { status: number; location: string | null; answer: unknown }): Answer {
  const headers = {
    'idempotent-replayed': 'true',
    ...(earlier.location !== null && { location: earlier.location }),
  }
  return { status: earlier.status, headers, body: earlier.answer ?? undefined }
}
