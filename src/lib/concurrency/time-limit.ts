import type { SsrfFetch } from '../outbound/ssrf-fetch.ts'

/**
 * Runs `work`, which calls a provider, for at most `timeoutMs`. Then its requests are aborted and
 * its result is ignored. Throws a `TimeoutError`.
 */
export async function withTimeLimit<T>(
  outbound: SsrfFetch,
  timeoutMs: number,
  work: (provider: { fetch: SsrfFetch }) => Promise<T>,
): Promise<T> {
  const abort = new AbortController()
  let timer: Timer | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = Math.round(timeoutMs / 1000)
      const error = new DOMException(`took longer than ${seconds} s`, 'TimeoutError')
      abort.abort(error)
      reject(error)
    }, timeoutMs)
  })
  const fetch: SsrfFetch = (url, init = {}) => {
    const signal = init.signal ? AbortSignal.any([init.signal, abort.signal]) : abort.signal
    return outbound(url, { ...init, signal })
  }
  try {
    return await Promise.race([work({ fetch }), timeout])
  } finally {
    clearTimeout(timer)
  }
}
