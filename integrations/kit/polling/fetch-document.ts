import * as v from 'valibot'
import { ProviderError, retryAfterSeconds } from '../provider-error.ts'
import type { ProviderApi } from '../requests/provider-request.ts'
import type { Json } from '../requests/received.ts'
import type { SourceDocument } from './polling.ts'

interface DocumentRequest {
  provider: ProviderApi
  /** The setting with its address. */
  setting: string
  address: string
  accept: string
  /** The state of the last poll; null to fetch the document in any case. */
  state: Json
}

export interface FetchedDocument {
  document: SourceDocument
  /** Passed to the next request, so that the server sends only a document that has changed. */
  state: Validators
}

const Validators = v.object({
  etag: v.optional(v.string(), ''),
  modified: v.optional(v.string(), ''),
})
type Validators = v.InferOutput<typeof Validators>

const maxRedirects = 5
const maxValidatorCharacters = 500

/**
 * Fetches a document with a conditional request (RFC 9110, section 13). Follows redirects, each to a public https address only.
 * Throws a `ProviderError`.
 */
export async function fetchDocument(
  request: DocumentRequest,
): Promise<FetchedDocument | 'unchanged' | 'ended'> {
  const { provider, setting, address, accept, state } = request
  const conditions = conditionsOf(state)
  const headers = new Headers({ accept, 'user-agent': 'Tidings', ...conditions })
  let url = URL.parse(address)
  for (let count = 0; url !== null && count <= maxRedirects; count += 1) {
    const response = await provider.fetch(url, { headers, redirect: 'manual' })
    const { status } = response
    // Without a condition, it says nothing about what was read before.
    if (status === 304 && Object.keys(conditions).length > 0) return 'unchanged'
    if (status === 410) return 'ended'
    if (status === 200) return await documentOf(response, url)
    if (!redirects.has(status)) throw problemOf(response, request)
    url = locationOf(response, url, request)
  }
  throw new ProviderError(
    'refused',
    `The redirects of this address lead nowhere. Check ${setting}.`,
  )
}

const redirects = new Set([301, 302, 303, 307, 308])
const webProtocols = new Set(['http:', 'https:'])

/** Where a redirect leads; null when it says nothing. Throws a `ProviderError` for an address that is not on the web. */
function locationOf({ headers }: Response, from: URL, { setting }: DocumentRequest): URL | null {
  const to = URL.parse(headers.get('location') ?? '', from.href)
  if (to === null || webProtocols.has(to.protocol)) return to
  // The rest of such an address can be a path of the server.
  const message = `The server redirects to something that is not on the web (${to.protocol}). Check ${setting}.`
  throw new ProviderError('refused', message)
}

function conditionsOf(state: Json): Record<string, string> {
  const { success, output } = v.safeParse(Validators, state)
  if (!success) return {}
  return {
    ...(output.etag && { 'if-none-match': output.etag }),
    ...(output.modified && { 'if-modified-since': output.modified }),
  }
}

async function documentOf(response: Response, url: URL): Promise<FetchedDocument> {
  const { headers } = response
  const short = (value: string | null) =>
    value && value.length <= maxValidatorCharacters ? value : ''
  return {
    document: {
      bytes: await response.bytes(),
      contentType: headers.get('content-type') ?? '',
      address: url.href,
    },
    state: { etag: short(headers.get('etag')), modified: short(headers.get('last-modified')) },
  }
}

function problemOf({ status, headers }: Response, { setting }: DocumentRequest): ProviderError {
  if (status === 404) {
    const message = `There is no document at this address (404). Check ${setting}.`
    return new ProviderError('refused', message)
  }
  if (status === 401 || status === 403) {
    const message = `This address must not be read without signing in (${status}). Enter an address that needs no sign-in as ${setting}.`
    return new ProviderError('refused', message)
  }
  const problem = status === 429 ? 'rate_limited' : 'unavailable'
  return new ProviderError(problem, `The server answered ${status}.`, retryAfterSeconds(headers))
}
