import { createHash } from 'node:crypto'
import type { IdempotencyKey } from '../features/idempotency/index.ts'
import { invalidField } from '../lib/errors.ts'

/**
 * The request's Idempotency-Key (`X-Idempotency-Key` means the same) with the hash of its body, or
 * null without one. Throws `validation_failed` unless it is 1 to 255 visible ASCII characters.
 */
export function idempotencyKeyOf(request: Request, body: Uint8Array): IdempotencyKey | null {
  const key = request.headers.get('idempotency-key') ?? request.headers.get('x-idempotency-key')
  if (key === null) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters'
    throw invalidField('Idempotency-Key', message)
  }
  return { key, requestHash: createHash('sha256').update(body).digest('hex') }
}
