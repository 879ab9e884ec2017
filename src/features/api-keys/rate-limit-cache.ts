import type { Now } from '../../lib/clock.ts'
import type { AuthResult } from './authenticate.ts'

/** The responses to keys that are over their limit, by the hash of their token. */
export interface RateLimitCache {
  get(tokenHash: string): AuthResult | undefined
  set(tokenHash: string, result: AuthResult, resetMs: number): void
}

// Short, because a revoked key must change from 429 to 401 by itself; long enough to protect the
// database from many requests.
const cachedMs = 250
const maxKeys = 10_000

/** A key over its limit gets its response from memory until the window allows its next request. */
export function createRateLimitCache(now: Now): RateLimitCache {
  const cached = new Map<string, { result: AuthResult; resetAt: number; until: number }>()
  return {
    get(tokenHash) {
      const known = cached.get(tokenHash)
      const at = now().getTime()
      if (!known || at >= known.until) return undefined
      const rateLimit = { remaining: 0, resetSeconds: wholeSeconds(known.resetAt - at) }
      return { ...known.result, rateLimit }
    },
    set(tokenHash, result, resetMs) {
      if (cached.size >= maxKeys) cached.clear()
      const at = now().getTime()
      const until = at + Math.min(cachedMs, resetMs)
      cached.set(tokenHash, { result, resetAt: at + resetMs, until })
    },
  }
}

/** Milliseconds as the whole seconds of a `Retry-After`, at least 1. */
export const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))
