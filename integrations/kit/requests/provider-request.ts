import * as v from 'valibot'
import { ProviderError, responseError } from '../provider-error.ts'

/** The provider's API, called over https at public addresses only, without redirects. */
export interface ProviderApi {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
}

/** The same API with requests that end `ms` from now, where a person or a provider waits for the response. */
export function withRequestDeadline(provider: ProviderApi, ms: number): ProviderApi {
  const deadline = AbortSignal.timeout(ms)
  return {
    fetch: async (url, init) => {
      const signal = init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline
      return await provider.fetch(url, { ...init, signal })
    },
  }
}

/** The API of a provider with the credentials of one connection. */
interface ReadBack {
  provider: ProviderApi
  /** The name of the provider, for people. */
  name: string
  headers: Record<string, string>
  /** The settings to check when the provider refuses the request: names, never values. */
  check: string
  /** The body of a POST, for providers that read with one. Without it, the request is a GET. */
  json?: object
}

/**
 * Requests a resource from a provider: returns what `schema` picks of its JSON, or `undefined` for
 * a 404. Throws a `ProviderError` for any other response. Its message repeats nothing of the
 * response.
 */
export async function requestProvider<Schema extends v.GenericSchema>(
  { provider, name, headers, check, json }: ReadBack,
  url: URL,
  schema: Schema,
): Promise<v.InferOutput<Schema> | undefined> {
  const sent = json && { method: 'POST', body: JSON.stringify(json) }
  const type = json && { 'content-type': 'application/json' }
  const response = await provider.fetch(url, {
    ...sent,
    headers: { accept: 'application/json', ...type, ...headers },
  })
  const { status } = response
  if (status === 404) return undefined
  if (status !== 200) throw responseError(response, { name, check })
  const body: unknown = await response.json().catch(() => undefined)
  const { success, output } = v.safeParse(schema, body)
  // The messages of the parser and the validator are not used: both repeat what they could not
  // read.
  if (!success)
    throw new ProviderError('unavailable', `${name} answered in a form that it does not document.`)
  return output
}

/**
 * The URL of `path` in an API. A base with a path of its own is used as it is; `root`, such as
 * `/v1`, is added to a base without a path.
 */
export function apiUrl(base: string, root: string, path: string): URL {
  const url = new URL(base)
  url.search = ''
  url.hash = ''
  url.pathname = (url.pathname.replace(/\/+$/, '') || root) + path
  return url
}
