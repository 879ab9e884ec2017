import type { Caller } from './caller.ts'

/** A key as a check has found it. Whoever uses it compares the version in the statement that relies on it. */
export interface KnownKey {
  caller: Caller
  /** Changes with each change of the key, as its revocation. */
  version: string
  /** Waits for a write that counts a request of the key, as the next check of the key in this process does. */
  during<Result>(write: Promise<Result>): Promise<Result>
}

interface KnownKeys {
  get(tokenHash: string): KnownKey | undefined
  set(tokenHash: string, key: Omit<KnownKey, 'during'>): void
  /**
   * The last write of a key, while it runs; it never rejects. It holds the count of the key until its commit, and a check that
   * waits for it in the database would stop the other checks of its batch.
   */
  findWrite(tokenHash: string): Promise<unknown> | undefined
}

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
