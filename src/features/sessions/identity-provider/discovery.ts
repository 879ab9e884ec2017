import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import * as v from 'valibot'
import type { Now } from '../../../lib/clock.ts'
import { fetchJson, IdentityProviderError } from './fetch-json.ts'
import type { IdentityProvider } from './provider.ts'

/** What a provider says about itself (OpenID Connect Discovery 1.0, section 3). */
export interface ProviderMetadata {
  /** As in its tokens. */
  issuer: string
  authorizationUrl: string
  tokenUrl: string
  userInfoUrl: string | null
  /** How the client secret is sent: in the header `Authorization`, or in the body. */
  authentication: 'basic' | 'post'
  /** The callback contains the issuer (RFC 9207). */
  sendsIssuer: boolean
  /** The keys with which the provider signs its tokens. */
  keys: JWTVerifyGetKey
}

/** The metadata of a provider, read again every hour. Throws `IdentityProviderError`. */
export type Discovery = () => Promise<ProviderMetadata>

const validMs = 3_600_000

/** Reads the metadata of a provider when they are needed; requests at the same moment share one response. */
export function createDiscovery(provider: IdentityProvider, now: Now): Discovery {
  let known: { until: number; metadata: Promise<ProviderMetadata> } | undefined
  return () => {
    const at = now().getTime()
    if (known && at < known.until) return known.metadata
    const current = { until: at + validMs, metadata: discover(provider) }
    known = current
    current.metadata.catch(() => {
      if (known === current) known = undefined
    })
    return current.metadata
  }
}

/** Reads the metadata of a provider. Throws `IdentityProviderError`. */
async function discover({ issuer }: IdentityProvider): Promise<ProviderMetadata> {
  const found = await fetchJson(`${trimmed(issuer)}/.well-known/openid-configuration`, Metadata)
  if (trimmed(found.issuer) !== trimmed(issuer)) {
    throw new IdentityProviderError('it describes another issuer than the configured one')
  }
  const methods = found.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return {
    issuer: found.issuer,
    authorizationUrl: found.authorization_endpoint,
    tokenUrl: found.token_endpoint,
    userInfoUrl: found.userinfo_endpoint ?? null,
    authentication: methods.includes('client_secret_basic') ? 'basic' : 'post',
    sendsIssuer: found.authorization_response_iss_parameter_supported === true,
    keys: createRemoteJWKSet(new URL(found.jwks_uri), { [customFetch]: fetchKeys }),
  }
}

/** Why a provider cannot be used, or null: reads its metadata. */
export async function identityProviderProblem(provider: IdentityProvider): Promise<string | null> {
  try {
    await discover(provider)
    return null
  } catch (error) {
    if (error instanceof IdentityProviderError) return error.message
    throw error
  }
}

const trimmed = (issuer: string) => issuer.replace(/\/+$/, '')

const fetchKeys = async (url: string): Promise<Response> =>
  Response.json(await fetchJson(url, v.looseObject({ keys: v.array(v.looseObject({})) })))

const endpoint = v.pipe(v.string(), v.check(isProtectedUrl, 'must be an https URL'))

const Metadata = v.looseObject({
  issuer: endpoint,
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: v.optional(endpoint),
  token_endpoint_auth_methods_supported: v.optional(v.array(v.string())),
  authorization_response_iss_parameter_supported: v.optional(v.boolean()),
})

/** True for an https URL, and for an http URL of this machine: nobody can read or change what it sends. */
export function isProtectedUrl(address: string): boolean {
  const url = URL.parse(address)
  if (!url || url.username + url.password !== '') return false
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
}
