import { createBatcher, type Outcome } from '../../lib/batch.ts'
import type { Now } from '../../lib/clock.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import type { Authenticate, AuthResult, Caller } from './authenticate.ts'
import {
  expiredKey,
  invalidKey,
  requestsPerWindow,
  revokedKey,
  windowSeconds,
} from './authenticate.ts'
import { countRequests, type KeyCheck, type KeyCheckRow, selectActiveKeyIds } from './check-sql.ts'
import { createRateLimitCache, type RateLimitCache, wholeSeconds } from './rate-limit-cache.ts'
import { hashToken, isToken } from './token.ts'

export interface KeyChecks {
  authenticate: Authenticate
  /** Checks again before a response is sent. Throws `revoked_key` for a key that is no longer active. */
  requireActiveKey(caller: Caller): Promise<void>
}

interface Check {
  tokenHash: string
  inUrl: boolean
}

// Two statements at a time keep PostgreSQL busy while the rows of the other are read.
const batches = { maxItems: 200, maxConcurrent: 2 }

/**
 * The key and rate limit checks of all requests. Requests that wait at the same moment share one
 * statement, and each gets its own result. `sql` should not wait for the disk (`synchronous_commit`
 * off): the window lives 60 seconds.
 */
export function createKeyChecks(sql: Sql, now: Now): KeyChecks {
  const overLimit = createRateLimitCache(now)
  const check = createBatcher({
    ...batches,
    run: (checks: readonly Check[]) => runChecks(sql, overLimit, checks),
  })
  const isActive = createBatcher({
    ...batches,
    run: (callers: readonly Caller[]) => readActive(sql, callers),
  })
  return {
    async authenticate({ token, inUrl }) {
      if (!isToken(token)) throw invalidKey()
      const tokenHash = hashToken(token).toString('hex')
      return overLimit.get(tokenHash) ?? (await withDeadline(check({ tokenHash, inUrl })))
    },
    async requireActiveKey(caller) {
      if (!(await withDeadline(isActive(caller)))) throw revokedKey()
    },
  }
}

async function runChecks(
  sql: Sql,
  overLimit: RateLimitCache,
  checks: readonly Check[],
): Promise<Outcome<AuthResult>[]> {
  const rows = await withDeadline(
    countRequests(sql, sumByKey(checks), requestsPerWindow, windowSeconds),
  )
  const byHash = new Map(rows.map((row) => [row.token_hash, { row, position: 0 }]))
  return checks.map(({ tokenHash }) => {
    const known = byHash.get(tokenHash)
    if (!known) return { error: invalidKey() }
    const outcome = outcomeOf(known.row, known.position++)
    if ('value' in outcome && !outcome.value.allowed) {
      overLimit.set(tokenHash, outcome.value, known.row.reset_ms)
    }
    return outcome
  })
}

function sumByKey(checks: readonly Check[]): KeyCheck[] {
  const byKey = new Map<string, KeyCheck>()
  for (const { tokenHash, inUrl } of checks) {
    const sum = byKey.get(tokenHash) ?? { tokenHash, requests: 0, inUrl: false }
    sum.requests++
    sum.inUrl ||= inUrl
    byKey.set(tokenHash, sum)
  }
  return [...byKey.values()]
}

/** The result of a key's request at a position of the batch, from 0: the first ones are accepted. */
function outcomeOf(row: KeyCheckRow, position: number): Outcome<AuthResult> {
  if (row.state === 'revoked') return { error: revokedKey() }
  if (row.state === 'expired') return { error: expiredKey() }
  const allowed = position < row.accepted
  const remaining = allowed ? requestsPerWindow - row.used - position - 1 : 0
  const rateLimit = { remaining, resetSeconds: wholeSeconds(row.reset_ms) }
  return { value: { caller: callerOf(row), allowed, rateLimit } }
}

function callerOf(row: KeyCheckRow): Caller {
  return {
    keyId: row.id,
    teamId: row.team_id,
    team: { slug: row.team_slug, name: row.team_name },
    keyName: row.name,
    scopes: row.scopes,
    ingestOnly: row.ingest_only,
    allowAutoReady: row.allow_auto_ready,
    provider: row.provider,
    expiresAt: row.expires_at,
  }
}

async function readActive(sql: Sql, callers: readonly Caller[]): Promise<Outcome<boolean>[]> {
  const active = await withDeadline(selectActiveKeyIds(sql, callers))
  return callers.map(({ keyId }) => ({ value: active.has(keyId) }))
}
