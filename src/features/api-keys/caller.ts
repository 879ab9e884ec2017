import { randomInt } from 'node:crypto'
import type { Scope } from '../../contract/vocabulary.ts'
import { type Context, inTransaction, type ReadContext, type TxContext } from '../../lib/context.ts'
import type { Tx } from '../../lib/database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { lockActiveKey, selectRecentRequests } from './check-sql.ts'

export const requestsPerWindow = 60
export const windowSeconds = 60
export const rateLimitWindow = { requests: requestsPerWindow, seconds: windowSeconds }

/** A key that was active when the request was received, and its permissions. */
export interface Caller {
  keyId: string
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

/** How many of its 60 requests per 60 seconds a key has left. */
export interface RateLimitStatus {
  remaining: number
  /** Seconds until the oldest request leaves the window, at least 1. */
  resetSeconds: number
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

/**
 * Runs `work` in one transaction. When the actor is a key, its row is locked until the transaction ends,
 * so that a revocation either waits for the change or stops it. Throws `revoked_key`.
 */
export async function withKeyTransaction<Base extends Context, Result>(
  ctx: Base,
  work: (ctx: TxContext<Base>) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(ctx, async (txCtx) => {
    if (txCtx.actor.kind === 'key') await requireActiveKeyLock(txCtx.sql, txCtx.actor)
    return await work(txCtx)
  })
}

/** Locks the key's row until the transaction ends. Throws `revoked_key` unless the key is active. */
export async function requireActiveKeyLock(
  tx: Tx,
  key: Pick<Caller, 'teamId' | 'keyId'>,
): Promise<void> {
  if (!(await lockActiveKey(tx, key.teamId, key.keyId))) throw revokedKey()
}

/** How long ago, in ms, each request was accepted that still counts against the key, oldest first. */
export async function recentRequests(
  { sql, actor }: ReadContext,
  keyId: string,
): Promise<number[]> {
  const rows = await selectRecentRequests(sql, actor.teamId, keyId, windowSeconds)
  return rows.map(({ age_ms }) => age_ms)
}

const prefix = 'tidings_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/**
 * The CRC-32 of `text` in six base62 digits. It distinguishes a mistyped key from an unknown one.
 */
function checksum(text: string): string {
  let rest = Bun.hash.crc32(text)
  let digits = ''
  for (let digit = 0; digit < checksumLength; digit++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

/** A new key value: `tidings_`, 32 random base62 characters, and a checksum over both. */
export function newToken(randomDigit: (max: number) => number = randomInt): string {
  const digits = Array.from({ length: randomLength }, () =>
    alphabet.charAt(randomDigit(alphabet.length)),
  )
  const value = prefix + digits.join('')
  return value + checksum(value)
}

/** True when a value has the form of a key and its checksum is correct; it need not exist. */
export function isToken(value: string): boolean {
  return (
    shape.test(value) && checksum(value.slice(0, -checksumLength)) === value.slice(-checksumLength)
  )
}

/** The SHA-256 of a key value: nothing else of it is stored. */
export function hashToken(value: string): Buffer {
  return Bun.CryptoHasher.hash('sha256', value)
}

/** The part of a key that people may see, to recognize it: `tidings_` and six characters. */
export function prefixOf(value: string): string {
  return value.slice(0, prefix.length + 6)
}
