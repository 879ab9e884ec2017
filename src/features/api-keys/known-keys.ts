import type { Caller } from './caller.ts'

/** A key as a check has found it. Whoever uses it compares the version in the statement that relies on it. */
export interface KnownKey {
  caller: Caller
  /** Changes with each change of the key, as its revocation. */
  version: string
}

interface KnownKeys {
  get(tokenHash: string): KnownKey | undefined
  set(tokenHash: string, key: KnownKey): void
}

const maxKeys = 10_000

/** The keys that this process has found active, by the hash of their token. */
export function createKnownKeys(): KnownKeys {
  const known = new Map<string, KnownKey>()
  return {
    get: (tokenHash) => known.get(tokenHash),
    set(tokenHash, key) {
      if (known.size >= maxKeys && !known.has(tokenHash)) known.clear()
      known.set(tokenHash, key)
    },
  }
}
