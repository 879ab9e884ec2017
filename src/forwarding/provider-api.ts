import type { ProviderApi } from '../../integrations/kit/adapter.ts'
import type { SsrfFetch } from '../lib/ssrf-fetch.ts'

/**
 * Lets an adapter work with its provider's API for at most `timeoutMs`. Its calls are cut off then,
 * and whatever it is still waiting for is left behind. Throws a `TimeoutError`.
 */
export async function withProvider<T>(
  outbound: SsrfFetch,
  timeoutMs: number,
  work: (provider: ProviderApi) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  let timer: Timer | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = Math.round(timeoutMs / 1000)
      const late = new DOMException(`took longer than ${seconds} s`, 'TimeoutError')
      over.abort(late)
      reject(late)
    }, timeoutMs)
  })
  const provider: ProviderApi = {
    fetch: (url, init = {}) => {
      const signal = init.signal ? AbortSignal.any([init.signal, over.signal]) : over.signal
      return outbound(url, { ...init, signal })
    },
  }
  try {
    return await Promise.race([work(provider), deadline])
  } finally {
    clearTimeout(timer)
  }
}
