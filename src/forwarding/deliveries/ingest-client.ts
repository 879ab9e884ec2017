import Bottleneck from 'bottleneck'
import * as v from 'valibot'
import { ContentBlock } from '../../contract/blocks/content-block.ts'
import type { IngestPayload } from '../../contract/blocks/ingest.ts'

/** The API key of a connection. */
interface IngestKey {
  id: string
  value: string
}

/** A content block as ingest returned it. */
interface IngestResult {
  id: string
  title: string
  externalId: string | null
  /** False when the same item was in the library before. */
  created: boolean
}

/** Ingest rejected the item and would reject it again: a revoked key, an invalid field. */
export class IngestRejectedError extends Error {
  override readonly name = 'IngestRejectedError'
}

/** Ingest cannot be reached or has a problem. A later attempt can succeed. */
class IngestUnavailableError extends Error {
  override readonly name = 'IngestUnavailableError'
}

/** The key is over its rate limit for `retryAfterMs`. */
class RateLimitedError extends Error {
  override readonly name = 'RateLimitedError'
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('ingest kept responding 429')
    this.retryAfterMs = retryAfterMs
  }
}

export interface IngestClientOptions {
  /** The base URL of Tidings, without a slash at the end. */
  baseUrl: string
  fetch?: typeof globalThis.fetch
}

export interface IngestClient {
  /**
   * Posts one item. After a 429 the request is repeated when `Retry-After` has passed. The same
   * `idempotencyKey` can be posted any number of times and creates one block. Throws
   * `IngestRejectedError` and `IngestUnavailableError`.
   */
  post(key: IngestKey, idempotencyKey: string, item: IngestPayload): Promise<IngestResult>
}

const ingestPath = '/api/v1/webhooks/ingest'
const requestTimeoutMs = 10_000
const requestsPerKey = 2
const maxRetries = 10

/**
 * Creates a client with one Bottleneck limiter per API key, so that a key over its limit delays no
 * other key. The server enforces the limit; the limiter only obeys its 429.
 */
export function createIngestClient({ baseUrl, fetch = globalThis.fetch }: IngestClientOptions) {
  const limiters = new Bottleneck.Group({ maxConcurrent: requestsPerKey })
  limiters.on('created', (limiter: Bottleneck) => {
    limiter.on('failed', (error, { retryCount }) =>
      error instanceof RateLimitedError && retryCount < maxRetries ? error.retryAfterMs : undefined,
    )
  })
  const client: IngestClient = {
    post: (key, idempotencyKey, item) =>
      limiters.key(key.id).schedule(async () => {
        const request = { url: baseUrl + ingestPath, key, idempotencyKey, item }
        return readResponse(await send(fetch, request))
      }),
  }
  return client
}

interface IngestRequest {
  url: string
  key: IngestKey
  idempotencyKey: string
  item: IngestPayload
}

interface IngestResponse {
  status: number
  headers: Headers
  body: unknown
}

async function send(
  fetch: typeof globalThis.fetch,
  { url, key, idempotencyKey, item }: IngestRequest,
): Promise<IngestResponse> {
  try {
    const response = await fetch(url, {
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
    const { status, headers } = response
    return { status, headers, body: await response.json().catch(() => null) }
  } catch (error) {
    const kind = error instanceof Error ? error.name : 'failure'
    throw new IngestUnavailableError(`ingest could not be reached (${kind})`)
  }
}

const IngestBody = v.object({
  content_block: v.object({
    id: ContentBlock.entries.id,
    title: ContentBlock.entries.title,
    origin: ContentBlock.entries.origin,
  }),
  duplicate: v.boolean(),
})
const Problem = v.object({ detail: v.string() })

/**
 * The 4xx statuses that a repetition does not change. Others (404 of a wrong address, 409) can
 * pass.
 */
const finalStatuses: readonly number[] = [400, 401, 403, 413, 415, 422]

function readResponse({ status, headers, body }: IngestResponse): IngestResult {
  if (status === 429) throw new RateLimitedError(retryAfterMs(headers))
  if (finalStatuses.includes(status)) {
    const problem = v.safeParse(Problem, body)
    throw new IngestRejectedError(
      problem.success ? `${status}: ${problem.output.detail}` : `ingest responded ${status}`,
    )
  }
  const result = v.safeParse(IngestBody, body)
  if ((status !== 200 && status !== 201) || !result.success) {
    throw new IngestUnavailableError(`ingest responded ${status}`)
  }
  const { content_block: block, duplicate } = result.output
  // A replayed response belongs to our own earlier attempt, so this delivery created the block.
  const replayed = headers.get('idempotent-replayed') === 'true'
  return {
    id: block.id,
    title: block.title,
    externalId: block.origin?.external_id ?? null,
    created: !duplicate || replayed,
  }
}

/** `Retry-After` in whole seconds (RFC 9110, section 10.2.3), as milliseconds. */
function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? '')
  return (seconds > 0 ? seconds : 1) * 1000
}
