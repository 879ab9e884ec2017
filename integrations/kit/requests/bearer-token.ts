import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { ProviderError } from '../provider-error.ts'

interface BearerToken {
  /** The header of the request. */
  authorization: string | null
  /** The keys that the provider publishes. */
  keys: JWTVerifyGetKey
  issuer: string | string[]
  audience: string
  now: Date
  /** The difference between our clock and that of the provider that is accepted. */
  toleranceSeconds: number
  /** The name of the provider, for people. */
  name: string
}

/**
 * Returns the claims of the JSON Web Token in an `Authorization` header, and undefined for one that is missing or not
 * valid. Throws a `ProviderError` when the keys of the provider cannot be fetched.
 */
export async function verifyBearerToken({
  authorization,
  keys,
  issuer,
  audience,
  now,
  toleranceSeconds,
  name,
}: BearerToken): Promise<JWTPayload | undefined> {
  const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '') ?? []
  if (token === undefined) return undefined
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ['RS256'],
      issuer,
      audience,
      currentDate: now,
      clockTolerance: toleranceSeconds,
      requiredClaims: ['exp'],
    })
    return payload
  } catch (error) {
    if (isRefused(error)) return undefined
    throw new ProviderError('unavailable', `The keys of ${name} could not be fetched.`)
  }
}

/** Whether an error is about the token. The others are about the request for the keys. */
const isRefused = (error: unknown): boolean =>
  [
    errors.JWTExpired,
    errors.JWTClaimValidationFailed,
    errors.JWTInvalid,
    errors.JWSInvalid,
    errors.JWSSignatureVerificationFailed,
    errors.JOSEAlgNotAllowed,
    errors.JOSENotSupported,
    errors.JWKSNoMatchingKey,
    errors.JWKSMultipleMatchingKeys,
  ].some((kind) => error instanceof kind)
