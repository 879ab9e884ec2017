import { Worker } from 'node:worker_threads'
import type { ReceivedBody, StoredBody } from '../features/content-blocks/index.ts'
import { createThread } from '../lib/concurrency/thread.ts'
import { AppError, type ErrorCode, type ErrorDetails } from '../lib/errors.ts'

/** What the thread returns for a body; null for an error that is not about the body. */
export type Conversion =
  | { value: StoredBody }
  | { error: { code: ErrorCode; message: string; details: ErrorDetails } }
  | null

/** The maximum number of bodies that wait for the thread, about 4 MB. */
const maxWaiting = 64

/**
 * Converts long bodies in a thread of its own, so that they delay no other request. Returns undefined
 * when the thread cannot. Throws `validation_failed`.
 */
export function createLongBodies(): (body: ReceivedBody) => Promise<StoredBody | undefined> {
  const convert = createThread<ReceivedBody, Conversion>(
    () => new Worker(new URL('./long-bodies-thread.ts', import.meta.url)),
    maxWaiting,
  )
  return async (body) => {
    const conversion = await convert(body)
    if (!conversion) return undefined
    if ('value' in conversion) return conversion.value
    const { code, message, details } = conversion.error
    throw new AppError(code, message, details)
  }
}
