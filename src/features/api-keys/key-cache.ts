import type { Now } from '../../lib/clock.ts'
import type { AuthResult, Caller } from './caller.ts'
import { wholeSeconds } from './rate-limit.ts'

/** A key as a check has found it. A statement that relies on it compares the version. */
export interface KnownKey {
  caller: Caller
  /** Changes with each change of the key, as its revocation. */
  version: string
  /** Changes with each change of the key or of its team. */
  versions: string
  /** Waits for a write that counts a request of the key, as the next check of the key in this process does. */
  during<Result>(write: Promise<Result>): Promise<Result>
}

export interface KnownKeys {
  get(tokenHash: string): KnownKey | undefined
  set(tokenHash: string, key: Omit<KnownKey, 'during'>): void
  /**
   * The last write of a key, while it runs; it never rejects. It locks the usage of the key until its commit. A check
   * that waits for this lock in the database would delay the other checks of its batch.
   */
  findWrite(tokenHash: string): Promise<unknown> | undefined
}

/** How many keys a cache has at most. Above that, it is emptied, because the tokens come from requests. */
const maxKeys = 10_000

/** The keys that this process has found active, by the hash of their token. */
export function createKnownKeys(): KnownKeys {
  const known = new Map<string, KnownKey>()
  const writes = new Map<string, Promise<unknown>>()
  const during = async <Result>(tokenHash: string, write: Promise<Result>) => {
    const settled = Promise.allSettled([write])
    writes.set(tokenHash, settled)
    try {
      return await write
    } finally {
      if (writes.get(tokenHash) === settled) writes.delete(tokenHash)
    }
  }
  return {
    get: (tokenHash) => known.get(tokenHash),
    set(tokenHash, key) {
      if (known.size >= maxKeys && !known.has(tokenHash)) known.clear()
      known.set(tokenHash, { ...key, during: (write) => during(tokenHash, write) })
    },
    findWrite: (tokenHash) => writes.get(tokenHash),
  }
}

/** The responses to keys that are over their limit, by the hash of their token. */
export interface RateLimitCache {
  get(tokenHash: string): AuthResult | undefined
  set(tokenHash: string, result: AuthResult, resetMs: number): void
}

// Short, because a revoked key must change from 429 to 401 by itself; long enough to protect the
// database from many requests.
const cachedMs = 250

/** A key over its limit gets its response from memory until the window allows its next request. */
export function createRateLimitCache(now: Now): RateLimitCache {
  const cached = new Map<string, { result: AuthResult; resetAt: number; until: number }>()
  // Longer than responses are kept: the clock was set back.
  const isOver = (until: number, at: number) => at >= until || until - at > cachedMs
  return {
    get(tokenHash) {
      const known = cached.get(tokenHash)
      const at = now().getTime()
      if (!known || isOver(known.until, at)) return undefined
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
