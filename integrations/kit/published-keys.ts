import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import type { ProviderApi } from './provider-request.ts'

/** Returns the public keys that a provider publishes at an address. They are fetched once and kept. */
export type PublishedKeys = (address: string) => JWTVerifyGetKey

const maxAddresses = 100
/** Chats wait only a few seconds for their response. */
const timeout_ms = 3_000
const maxAge_ms = 60 * 60_000

/**
 * Creates a store of published keys. Keys are fetched again when they are an hour old, or when a token was
 * signed with another one, at most every 30 seconds.
 */
export function createPublishedKeys(provider: ProviderApi): PublishedKeys {
  const sets = new Map<string, JWTVerifyGetKey>()
  return (address) => {
    const known = sets.get(address)
    if (known) return known
    // Addresses are settings, of which an admin can try many.
    if (sets.size >= maxAddresses) sets.clear()
    const fetchKeys = (url: string, init: RequestInit) => provider.fetch(url, init)
    const set = createRemoteJWKSet(new URL(address), {
      [customFetch]: fetchKeys,
      timeoutDuration: timeout_ms,
      cacheMaxAge: maxAge_ms,
    })
    sets.set(address, set)
    return set
  }
}
