import { errors, jwtVerify } from 'jose'
import * as v from 'valibot'
import { emailAddress, singleLineText } from '../../../contract/text.ts'
import type { Now } from '../../../lib/clock.ts'
import type { ProviderMetadata } from './discovery.ts'
import { fetchJson, IdentityProviderError } from './fetch-json.ts'
import type { IdentityProvider } from './provider.ts'

/** A person, as an identity provider knows them. */
export interface Identity {
  /** The issuer and the subject: the only values that never change (OpenID Connect Core 1.0, section 5.7). */
  id: string
  /** In lower case; null when the provider sends none. */
  email: string | null
  /** The provider guarantees that the address is the person's. */
  emailVerified: boolean
  name: string | null
}

/** The response of a token endpoint. */
export const Tokens = v.looseObject({ id_token: v.string(), access_token: v.string() })

interface TokenRequest {
  provider: IdentityProvider
  metadata: ProviderMetadata
  tokens: v.InferOutput<typeof Tokens>
  /** The value that the sign-in was started with. */
  nonce: string
  now: Now
}

// Signatures with a key pair only: with `HS256`, the client secret would sign.
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** What is read of the claims; an address or a name that Tidings could not store counts as none. */
const Claims = v.looseObject({
  sub: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
  nonce: v.optional(v.string()),
  azp: v.optional(v.string()),
  email: v.fallback(v.optional(emailAddress), undefined),
  email_verified: v.optional(v.unknown()),
  xms_edov: v.optional(v.unknown()),
  hd: v.optional(v.unknown()),
  name: v.fallback(v.optional(singleLineText(100)), undefined),
})
type Claims = v.InferOutput<typeof Claims>

/**
 * The person of a sign-in. Verifies signature, issuer, audience, time and nonce of the id token (OpenID
 * Connect Core 1.0, section 3.1.3.7). Throws `IdentityProviderError`.
 */
export async function readIdentity(request: TokenRequest): Promise<Identity> {
  const { provider, metadata } = request
  const claims = await verifyIdToken(request)
  // Some providers put the address into the response of another endpoint only.
  const person = claims.email === undefined ? await withUserInfo(request, claims) : claims
  return {
    id: `${metadata.issuer} ${claims.sub}`,
    email: person.email ?? null,
    emailVerified: person.email !== undefined && isVerified(provider, person, claims),
    name: person.name ?? null,
  }
}

async function verifyIdToken(request: TokenRequest): Promise<Claims> {
  const { provider, metadata, tokens, nonce, now } = request
  const { payload } = await jwtVerify(tokens.id_token, metadata.keys, {
    issuer: metadata.issuer,
    audience: provider.clientId,
    algorithms,
    currentDate: now(),
    clockTolerance: 60,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
  }).catch((error: unknown) => {
    throw asFailure(error)
  })
  const claims = v.safeParse(Claims, payload)
  if (!claims.success)
    throw new IdentityProviderError('its id token has no valid claims', 'invalid')
  const { azp } = claims.output
  const isForSeveral = Array.isArray(payload.aud) && payload.aud.length > 1
  if (azp === undefined ? isForSeveral : azp !== provider.clientId) {
    throw new IdentityProviderError('its id token is for another application', 'invalid')
  }
  if (claims.output.nonce !== nonce) {
    throw new IdentityProviderError('its id token is from another sign-in', 'invalid')
  }
  return claims.output
}

// The messages of the library name the claim, such as `unexpected "aud" claim value`.
function asFailure(error: unknown): IdentityProviderError {
  if (error instanceof IdentityProviderError) return error
  const reason = error instanceof errors.JOSEError ? error.message : 'it cannot be read'
  return new IdentityProviderError(`its id token is not valid: ${reason}`, 'invalid')
}

async function withUserInfo({ metadata, tokens }: TokenRequest, claims: Claims): Promise<Claims> {
  if (metadata.userInfoUrl === null) return claims
  const found = await fetchJson(metadata.userInfoUrl, Claims, {
    headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json' },
  })
  // A response about another person would sign that person in (section 5.3.2).
  if (found.sub !== claims.sub)
    throw new IdentityProviderError('it describes another person', 'invalid')
  return { ...found, name: found.name ?? claims.name }
}

const isTrue = (value: unknown) =>
  value === true || value === 1 || value === 'true' || value === '1'

/** Whether the provider guarantees the address. */
function isVerified({ id }: IdentityProvider, person: Claims, idToken: Claims): boolean {
  // Entra has a claim of its own, and lets every admin of a tenant type any address.
  if (id === 'entra') return isTrue(idToken.email_verified) || isTrue(idToken.xms_edov)
  if (!isTrue(person.email_verified)) return false
  if (id !== 'google') return true
  // Google guarantees only the addresses of its own customers for good.
  return typeof person.hd === 'string' || /@(?:gmail|googlemail)\.com$/.test(person.email ?? '')
}
