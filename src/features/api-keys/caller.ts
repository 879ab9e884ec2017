import type { Scope } from '../../contract/vocabulary.ts'
import { AppError } from '../../lib/errors.ts'
import type { RateLimitStatus } from './rate-limit.ts'

/** A key that was active when the request was received, and its permissions. */
export interface Caller {
  keyId: string
  /** The first of the keys that replaced each other, or the key itself: ingested items belong to it. */
  firstKeyId: string
  teamId: string
  team: { slug: string; name: string }
  keyName: string
  scopes: readonly Scope[]
  ingestOnly: boolean
  allowAutoReady: boolean
  /** The adapter whose connection owns the key, else null. */
  provider: string | null
  expiresAt: Date | null
}

/** Who sends requests, and how many of them the limit of the key accepts. */
export interface AuthResult {
  caller: Caller
  accepted: number
  rateLimit: RateLimitStatus
}

/** How many more requests of a key are accepted, as the items of a bulk request. */
export interface MoreRequests {
  accepted: number
  rateLimit: RateLimitStatus
  /** For each request that is not accepted: seconds until the window has room for it. */
  waitSeconds: readonly number[]
}

export interface Credential {
  token: string
  /** The key was sent as `?api_key=`; the team is warned of it. */
  inUrl: boolean
}

/**
 * Finds the key and counts the request against its window. Throws `invalid_key`, `revoked_key` or
 * `expired_key`.
 */
export type Authenticate = (credential: Credential) => Promise<AuthResult>

/** The 401 for a key that does not exist. */
export function invalidKey(): AppError {
  return new AppError('invalid_key', 'The API key is not valid. Check it for typing errors.')
}

/** The 401 for a key that has expired. */
export function expiredKey(): AppError {
  return new AppError(
    'expired_key',
    'The API key has expired. Create a new one under Settings, API keys.',
  )
}

/** The 401 for a key that was revoked, also when that happened after the request had arrived. */
export function revokedKey(): AppError {
  return new AppError(
    'revoked_key',
    'The API key was revoked. Create a new one under Settings, API keys.',
  )
}
