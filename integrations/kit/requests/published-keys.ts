import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import * as v from 'valibot'
import type { ProviderApi } from './provider-request.ts'

/**
 * Returns the public keys that a provider publishes at an address. They are fetched once and kept. With `endorsedFor`, only
 * keys that the provider has published for this purpose count.
 */
export type PublishedKeys = (address: string, endorsedFor?: string) => JWTVerifyGetKey

const Endorsed = v.object({
  keys: v.array(v.looseObject({ endorsements: v.optional(v.array(v.string()), []) })),
})

const maxAddresses = 100
/** Chats wait only a few seconds for their response. */
const timeoutMs = 3_000
const maxAgeMs = 60 * 60_000

/**
 * Creates a store of published keys. Keys are fetched again when they are an hour old, or when a token was
 * signed with another one, at most every 30 seconds.
 */
export function createPublishedKeys(provider: ProviderApi): PublishedKeys {
  const sets = new Map<string, JWTVerifyGetKey>()
  return (address, endorsedFor) => {
    const key = `${endorsedFor ?? ''} ${address}`
    const known = sets.get(key)
    if (known) return known
    // Addresses are settings, of which an admin can try many.
    if (sets.size >= maxAddresses) sets.clear()
    const fetchKeys = async (url: string, init: RequestInit) => {
      const response = await provider.fetch(url, init)
      return endorsedFor === undefined ? response : await onlyEndorsed(response, endorsedFor)
    }
    const set = createRemoteJWKSet(new URL(address), {
      [customFetch]: fetchKeys,
      timeoutDuration: timeoutMs,
      cacheMaxAge: maxAgeMs,
    })
    sets.set(key, set)
    return set
  }
}

async function onlyEndorsed(response: Response, purpose: string): Promise<Response> {
  if (!response.ok) return response
  const { keys } = v.parse(Endorsed, await response.json())
  return Response.json({ keys: keys.filter(({ endorsements }) => endorsements.includes(purpose)) })
}
