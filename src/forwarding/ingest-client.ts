import * as v from 'valibot'
import { ContentBlock } from '../contract/content-block.ts'
import type { IngestPayload } from '../contract/ingest.ts'
import { createKeyLimiters, type KeyLimiters } from './key-limiters.ts'

/** A connection's API key, under which its news is posted. */
interface IngestKey {
  id: string
  teamId: string
  value: string
}

/** A block as ingest answered it. */
interface IngestResult {
  id: string
  title: string
  externalId: string | null
  /** False when the very same news was there before. */
  created: boolean
}

/** Ingest says no and would say so again: a revoked key, a field it does not take. */
export class IngestRejectedError extends Error {
  override readonly name = 'IngestRefused'
}

/** Ingest cannot be reached or is not well; a later attempt may succeed. */
class IngestUnavailableError extends Error {
  override readonly name = 'IngestUnavailable'
}

export interface IngestClientOptions {
  /** Where Tidings answers, without a slash at the end. */
  baseUrl: string
  /** How long ago, in ms, each request of a key was accepted that still counts against it. */
  recentRequests(key: IngestKey): Promise<number[]>
  /** Requests a key may make in any window. */
  places?: number
  windowMs?: number
  fetch?: typeof globalThis.fetch
}

export interface IngestClient extends Omit<KeyLimiters, 'of'> {
  /**
   * Posts one item, once its key has a place in its 60 a minute. The same `idempotencyKey` may be
   * posted any number of times and makes one block. Throws `IngestRefused`, `IngestUnavailable`.
   */
  post(key: IngestKey, idempotencyKey: string, item: IngestPayload): Promise<IngestResult>
}

interface Answer {
  status: number
  replayed: boolean
  retryAfterMs: number
  body: unknown
}

const ingestPath = '/api/v1/webhooks/ingest'
const concurrentPosts = 5
const requestTimeoutMs = 10_000
const mostRefusals = 5

/** A client of ingest that keeps every key within its limit. */
export function createIngestClient(options: IngestClientOptions): IngestClient {
  const { recentRequests, places = 60, windowMs = 60_000 } = options
  const lanes = createKeyLimiters({ limit: places, windowMs, concurrent: concurrentPosts })
  const { keysAtLimit: exhausted, waiting, reset, stop } = lanes
  return {
    async post(key, idempotencyKey, item) {
      const lane = lanes.of(key.id, () => recentRequests(key))
      for (let refusals = 0; refusals < mostRefusals; refusals++) {
        const answer = await lane.run(() => send(options, key, idempotencyKey, item))
        if (answer.status !== 429) return readBlock(answer)
        await lane.pause(answer.retryAfterMs)
      }
      throw new IngestUnavailableError('ingest kept answering 429')
    },
    keysAtLimit: exhausted,
    waiting,
    reset,
    stop,
  }
}

async function send(
  { baseUrl, fetch = globalThis.fetch }: IngestClientOptions,
  key: IngestKey,
  idempotencyKey: string,
  item: IngestPayload,
): Promise<Answer> {
  try {
    const response = await fetch(baseUrl + ingestPath, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key.value}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(item),
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    const seconds = Number(response.headers.get('retry-after') ?? '')
    return {
      status: response.status,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      retryAfterMs: (seconds > 0 ? seconds : 1) * 1000,
      body: await response.json().catch(() => null),
    }
  } catch (error) {
    const kind = error instanceof Error ? error.name : 'failure'
    throw new IngestUnavailableError(`ingest could not be reached (${kind})`)
  }
}

const IngestAnswer = v.object({
  content_block: v.object({
    id: ContentBlock.entries.id,
    title: ContentBlock.entries.title,
    origin: ContentBlock.entries.origin,
  }),
  duplicate: v.boolean(),
})
const Problem = v.object({ detail: v.string() })

/** What of 4xx the sender is to blame for; the rest (404 of a wrong address, 409) may pass. */
const finalStatuses: readonly number[] = [400, 401, 403, 413, 415, 422]

function readBlock({ status, body, replayed }: Answer): IngestResult {
  if (finalStatuses.includes(status)) {
    const problem = v.safeParse(Problem, body)
    throw new IngestRejectedError(
      problem.success ? `${status}: ${problem.output.detail}` : `ingest answered ${status}`,
    )
  }
  const answer = v.safeParse(IngestAnswer, body)
  if ((status !== 200 && status !== 201) || !answer.success) {
    throw new IngestUnavailableError(`ingest answered ${status}`)
  }
  const { content_block: block, duplicate } = answer.output
  return {
    id: block.id,
    title: block.title,
    externalId: block.origin?.external_id ?? null,
    // A replayed answer is to our own earlier attempt, so the block is ours.
    created: !duplicate || replayed,
  }
}
