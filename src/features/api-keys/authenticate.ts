import type { Scope } from '../../contract/vocabulary.ts'
import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { AppError } from '../../lib/errors.ts'
import {
  type AuthRow,
  authenticateAndCount,
  isActive,
  lockActiveKey,
  selectRecentRequests,
} from './sql.ts'
import { hashToken, isToken } from './token.ts'

export const requestsPerWindow = 60
export const windowSeconds = 60

/** Who calls: a key that was alive when the request arrived, and what it may do. */
export interface Caller {
  keyId: string
  teamId: string
  keyName: string
  scopes: readonly Scope[]
  ingestOnly: boolean
  allowAutoReady: boolean
  /** The adapter whose connection owns the key, else null. */
  provider: string | null
  expiresAt: Date | null
}

/** Where a caller stands in its 60 requests per 60 seconds. */
export interface RateLimitStatus {
  remaining: number
  /** Seconds until the next place is free, at least 1. */
  resetSeconds: number
}

export interface AuthResult {
  caller: Caller
  allowed: boolean
  rateLimit: RateLimitStatus
}

export interface Credential {
  token: string
  /** The key came as `?api_key=`, which the team is warned of. */
  inUrl: boolean
}

export type Authenticate = (credential: Credential) => Promise<AuthResult>

/**
 * The check at the door: who is it, and is a place left in the window. Throws `invalid_key`,
 * `revoked_key` or `expired_key`. `sql` should not wait for the disk (`synchronous_commit` off): the
 * window lives 60 seconds.
 */
export function createAuthenticate(sql: Sql, now: Now): Authenticate {
  const overLimit = createRateLimitCache()
  return async ({ token, inUrl }) => {
    if (!isToken(token)) throw invalidKey()
    const hash = hashToken(token)
    const remembered = overLimit.recall(hash, now())
    if (remembered) return remembered
    const row = await withDeadline(
      authenticateAndCount(sql, hash, requestsPerWindow, windowSeconds, inUrl),
    )
    if (!row) throw invalidKey()
    const result = toAuthResult(row)
    if (!result.allowed) overLimit.remember(hash, result, row.free_in_ms ?? 0, now())
    return result
  }
}

// How long an over-limit key is answered from memory. Short, since a revoked key must turn from 429
// to 401 by itself; long enough to keep a flood away from the database.
const rememberMs = 250
const rememberedKeys = 10_000

function createRateLimitCache() {
  const visits = new Map<string, { visit: AuthResult; freeAt: number; until: number }>()
  return {
    recall(hash: Buffer, at: Date): AuthResult | undefined {
      const known = visits.get(hash.toString('base64'))
      if (!known || at.getTime() >= known.until) return undefined
      const resetSeconds = wholeSeconds(known.freeAt - at.getTime())
      return { ...known.visit, rateLimit: { remaining: 0, resetSeconds } }
    },
    remember(hash: Buffer, visit: AuthResult, freeInMs: number, at: Date): void {
      if (visits.size >= rememberedKeys) visits.clear()
      const until = at.getTime() + Math.min(rememberMs, freeInMs)
      visits.set(hash.toString('base64'), { visit, freeAt: at.getTime() + freeInMs, until })
    },
  }
}

function toAuthResult(row: AuthRow): AuthResult {
  if (row.state === 'revoked') throw revokedKey()
  if (row.state === 'expired') {
    throw new AppError('expired_key', 'The API key has expired. Make a new one in team settings.')
  }
  return {
    caller: {
      keyId: row.id,
      teamId: row.team_id,
      keyName: row.name,
      scopes: row.scopes,
      ingestOnly: row.ingest_only,
      allowAutoReady: row.allow_auto_ready,
      provider: row.provider,
      expiresAt: row.expires_at,
    },
    allowed: row.accepted === true,
    rateLimit: {
      remaining: Math.max(requestsPerWindow - (row.used ?? 0), 0),
      resetSeconds: wholeSeconds(row.free_in_ms ?? 0),
    },
  }
}

const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

function invalidKey(): AppError {
  return new AppError('invalid_key', 'The API key is not valid. Check it for typing errors.')
}

/** The 401 for a key that was revoked, also when that happened after the request had arrived. */
export function revokedKey(): AppError {
  return new AppError('revoked_key', 'The API key was revoked. Make a new one in team settings.')
}

/** On whose behalf something is written: a key's, or none's for a person who is signed in. */
export interface KeyOwner {
  teamId: string
  keyId: string | null
}

/**
 * Runs a write as the caller: the key's row is held until the transaction ends, so a revoke either
 * waits for it or stops it. Throws `revoked_key`.
 */
export async function withKeyTransaction<T>(
  sql: Sql,
  { teamId, keyId }: KeyOwner,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const result = await withDeadline(
    sql.begin(async (tx) => {
      if (keyId !== null) await requireActiveKeyLock(tx, { teamId, keyId })
      return { value: await work(tx) }
    }),
  )
  return result.value
}

/** Holds the key's row until the transaction ends. Throws `revoked_key` unless it lives. */
export async function requireActiveKeyLock(
  tx: Tx,
  key: Pick<Caller, 'teamId' | 'keyId'>,
): Promise<void> {
  if (!(await lockActiveKey(tx, key.teamId, key.keyId))) throw revokedKey()
}

/** Checks again before an answer leaves: a key revoked meanwhile gets no success. Throws `revoked_key`. */
export async function requireActiveKey(sql: Sql, caller: Caller): Promise<void> {
  if (!(await withDeadline(isActive(sql, caller.teamId, caller.keyId)))) throw revokedKey()
}

/** How long ago, in ms, each request was accepted that still counts against the key, oldest first. */
export async function recentRequests(sql: Sql, teamId: string, keyId: string): Promise<number[]> {
  const rows = await selectRecentRequests(sql, teamId, keyId, windowSeconds)
  return rows.map(({ age_ms }) => age_ms)
}
