import * as v from 'valibot'
import { NotReachedError, responseError, TokenRefusedError } from './provider-error.ts'
import type { ProviderApi } from './requests/provider-request.ts'
import { shortHash } from './text/plain-text.ts'

const timeoutMs = 10_000
const maxTokens = 500
/** A token is replaced so long before its end, because a request with it takes time. */
const reserveMs = 60_000

const TokenResponse = v.object({
  access_token: v.pipe(v.string(), v.nonEmpty()),
  expires_in: v.fallback(v.pipe(v.number(), v.minValue(0)), 0),
})

interface TokenRequest {
  provider: ProviderApi
  /** The address of the provider that exchanges credentials for tokens. */
  url: string
  /** The credentials, so that other credentials have another token. */
  credentials: string
  /** The fields of the request. */
  form: () => Promise<Record<string, string>>
  /** The name of the provider, and the settings to check when it refuses the credentials. */
  name: string
  check: string
}

interface KnownToken {
  token: string
  /** By `performance.now()`, because the provider gives a duration. */
  endsAtMs: number
}

// A token is valid for an hour. Requesting one for every message would be a request of its own each time.
const tokens = new Map<string, KnownToken>()

const keyOf = ({ url, credentials }: Pick<TokenRequest, 'url' | 'credentials'>) =>
  shortHash(`${url} ${credentials}`)

/** Returns an access token for an API (OAuth 2.0), from an earlier request while it is valid. Throws a `ProviderError`. */
export async function getAccessToken(request: TokenRequest): Promise<string> {
  const key = keyOf(request)
  const known = tokens.get(key)
  if (known && known.endsAtMs > performance.now()) return known.token
  const { access_token: token, expires_in } = await requestToken(request)
  if (tokens.size >= maxTokens) tokens.clear()
  tokens.set(key, { token, endsAtMs: performance.now() + expires_in * 1000 - reserveMs })
  return token
}

/** Removes the cached token of credentials, because the provider does not accept it any more. */
export function invalidateAccessToken(request: Pick<TokenRequest, 'url' | 'credentials'>): void {
  tokens.delete(keyOf(request))
}

async function requestToken({ provider, url, form, name, check }: TokenRequest) {
  const response = await fetchToken(provider, url, await form(), name)
  const { status } = response
  if (status === 400) {
    throw new TokenRefusedError(`${name} refused the credentials (400). Check ${check}.`)
  }
  if (status >= 500) throw new NotReachedError(`${name} answered ${status}.`)
  if (status !== 200) throw responseError(response, { name, check })
  const parsed = v.safeParse(TokenResponse, await response.json().catch(() => undefined))
  if (parsed.success) return parsed.output
  throw new NotReachedError(`${name} answered in a form that it does not document.`)
}

/** Nothing was sent to people yet, so an attempt that gets no token can always be repeated. */
async function fetchToken(
  provider: ProviderApi,
  url: string,
  form: Record<string, string>,
  name: string,
): Promise<Response> {
  try {
    return await provider.fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams(form),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch {
    throw new NotReachedError(`${name} could not be reached for an access token.`)
  }
}
