import * as v from 'valibot'
import type { ProviderApi } from './adapter.ts'
import { ProviderError, responseError } from './provider-error.ts'

/** A provider's API as one connection calls it. */
interface ReadBack {
  provider: ProviderApi
  /** The provider's name, for people. */
  name: string
  headers: Record<string, string>
  /** What to check when the provider refuses the call: names of settings, never their values. */
  check: string
}

/**
 * Asks a provider for one thing: what `schema` picks of its JSON, or `undefined` when it is not there
 * (404). Throws a `ProviderError` when the provider answers anything else. Its message repeats nothing
 * of the answer.
 */
export async function requestProvider<Schema extends v.GenericSchema>(
  { provider, name, headers, check }: ReadBack,
  url: URL,
  schema: Schema,
): Promise<v.InferOutput<Schema> | undefined> {
  const response = await provider.fetch(url, {
    headers: { accept: 'application/json', ...headers },
  })
  const { status } = response
  if (status === 404) return undefined
  if (status !== 200) throw responseError(response, { name, check })
  const answer: unknown = await response.json().catch(() => undefined)
  const { success, output } = v.safeParse(schema, answer)
  // Neither the parser's message nor the validator's: both repeat what they could not read.
  if (!success)
    throw new ProviderError('unavailable', `${name} answered in a form that it does not document.`)
  return output
}

/**
 * The address of `path` under an API. A base with a path of its own stands for all that comes before;
 * to a bare host `root` is added, such as `/v1`.
 */
export function apiUrl(base: string, root: string, path: string): URL {
  const url = new URL(base)
  url.search = ''
  url.hash = ''
  url.pathname = (url.pathname.replace(/\/+$/, '') || root) + path
  return url
}
