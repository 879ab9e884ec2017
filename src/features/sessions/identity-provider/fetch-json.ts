import * as v from 'valibot'

const responseTimeoutMs = 5_000
const maxResponseBytes = 512 * 1024

/** Why a provider could not be used. The message is for people; it contains no URL and no secret. */
export class IdentityProviderError extends Error {
  /** `unavailable`: it did not respond as expected; `invalid`: its response proves nothing. */
  readonly kind: 'unavailable' | 'invalid'

  constructor(message: string, kind: 'unavailable' | 'invalid' = 'unavailable') {
    super(message)
    this.name = 'IdentityProviderError'
    this.kind = kind
  }
}

/**
 * Sends a request to a provider and returns the JSON of its response. Follows no redirect, waits 5 s at
 * most and reads 512 KiB at most. Throws `IdentityProviderError`.
 */
export async function fetchJson<Schema extends v.GenericSchema>(
  url: string,
  schema: Schema,
  init: RequestInit = {},
): Promise<v.InferOutput<Schema>> {
  const text = await fetchText(url, init)
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const field = v.getDotPath(issue)
  throw new IdentityProviderError(
    field === null ? 'its response is not the expected JSON' : `its response has no valid ${field}`,
  )
}

async function fetchText(url: string, init: RequestInit): Promise<string> {
  try {
    const signal = AbortSignal.timeout(responseTimeoutMs)
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    if (!response.ok) {
      await response.body?.cancel()
      throw new IdentityProviderError(`it responds with status ${response.status}`)
    }
    return await readLimited(response)
  } catch (error) {
    throw asFailure(error)
  }
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > maxResponseBytes) throw new IdentityProviderError('its response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

// The runtime's own message can contain the whole URL.
function asFailure(error: unknown): IdentityProviderError {
  if (error instanceof IdentityProviderError) return error
  const isTimeout = error instanceof Error && error.name === 'TimeoutError'
  return new IdentityProviderError(
    isTimeout ? 'it does not respond within 5 seconds' : 'it cannot be reached',
  )
}
