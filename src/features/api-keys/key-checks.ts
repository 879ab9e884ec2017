import type { Now } from '../../lib/clock.ts'
import { createBatcher, type Outcome } from '../../lib/concurrency/batch.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { measure, timed } from '../../lib/measurements.ts'
import type {
  Authenticate,
  AuthResult,
  Caller,
  Credential,
  MoreRequests,
  RateLimitStatus,
} from './caller.ts'
import {
  expiredKey,
  hashToken,
  invalidKey,
  isToken,
  rateLimitWindow,
  recentRequests,
  requestsPerWindow,
  revokedKey,
  windowSeconds,
} from './caller.ts'
import {
  type CountedRequests,
  countRequests,
  countRequestsOfKey,
  type KeyCheck,
  type KeyCheckRow,
  selectActiveKeyIds,
} from './check-sql.ts'
import {
  createKnownKeys,
  createRateLimitCache,
  type KnownKey,
  type KnownKeys,
  type RateLimitCache,
  wholeSeconds,
} from './key-cache.ts'

export interface KeyChecks {
  authenticate: Authenticate
  /**
   * The key of a request as it was found last, for a statement that checks it again and counts the
   * request; undefined when `authenticate` has to do this.
   */
  findKnownKey(credential: Credential): KnownKey | undefined
  /**
   * Counts more requests with the key of a request, in the same exact window; some of them can be
   * accepted and the rest not. Throws as `authenticate` does.
   */
  countMore(credential: Credential, requests: number): Promise<MoreRequests>
  /** Checks again before a response is sent. Throws `revoked_key` for a key that is no longer active. */
  requireActiveKey(caller: Caller): Promise<void>
}

// Two statements at a time keep PostgreSQL busy while the rows of the other are read. Each costs about
// as much as ten of its rows, so a second one waits for enough of them.
const batches = {
  maxItems: 200,
  maxConcurrent: 2,
  furtherBatch: { items: 24, orAfterMs: 20 },
}

/**
 * The settings of sessions whose statements check keys and store what was requested. PostgreSQL would plan
 * such a statement anew for each batch, which takes three times as long as its execution; the plan that is
 * kept finds every row by its index, however small the tables were.
 */
export const keyBatchSession = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
}

/** The settings of sessions that only check keys. The window lives 60 seconds, so a check need not wait for the disk. */
export const keyCheckSession = { ...keyBatchSession, synchronous_commit: 'off' }

/**
 * The key and rate limit checks of all requests. Requests that wait at the same moment share one
 * statement, and each gets its own result. The sessions of `sql` have the
 * settings of {@link keyCheckSession}.
 */
export function createKeyChecks(sql: Sql, now: Now): KeyChecks {
  const overLimit = createRateLimitCache(now)
  const knownKeys = createKnownKeys()
  const check = createBatcher({
    ...batches,
    run: (checks: readonly KeyCheck[]) => runChecks(sql, { overLimit, knownKeys }, checks),
  })
  const isActive = createBatcher({
    ...batches,
    run: (callers: readonly Caller[]) => readActive(sql, callers),
  })
  const count = async ({ token, inUrl }: Credential, requests: number) => {
    if (!isToken(token)) throw invalidKey()
    const tokenHash = hashToken(token).toString('hex')
    const refused = overLimit.get(tokenHash)
    if (refused) return refused
    const write = knownKeys.findWrite(tokenHash)
    if (write !== undefined) await write
    return await withDeadline(check({ tokenHash, inUrl, requests }))
  }
  return {
    authenticate: (credential) => count(credential, 1),
    findKnownKey({ token }) {
      if (!isToken(token)) return undefined
      const tokenHash = hashToken(token).toString('hex')
      return overLimit.get(tokenHash) ? undefined : knownKeys.get(tokenHash)
    },
    async countMore(credential, requests) {
      const { caller, accepted, rateLimit } = await count(credential, requests)
      const refused = requests - accepted
      const waitSeconds = refused > 0 ? await waitsOf(sql, caller, refused) : []
      return { accepted, rateLimit, waitSeconds }
    },
    async requireActiveKey(caller) {
      if (!(await withDeadline(isActive(caller)))) throw revokedKey()
    },
  }
}

async function runChecks(
  sql: Sql,
  { overLimit, knownKeys }: { overLimit: RateLimitCache; knownKeys: KnownKeys },
  checks: readonly KeyCheck[],
): Promise<Outcome<AuthResult>[]> {
  const rows = await timed(
    () => withDeadline(countAll(sql, sumByKey(checks))),
    (seconds) => measure('keyCheckBatch', { requests: checks.length, seconds }),
  )
  for (const row of rows) {
    if (row.state === 'active') {
      knownKeys.set(row.token_hash, { caller: callerOf(row), version: row.version })
    }
  }
  const byHash = new Map(rows.map((row) => [row.token_hash, { row, position: 0 }]))
  return checks.map(({ tokenHash, requests }) => {
    const known = byHash.get(tokenHash)
    if (!known) return { error: invalidKey() }
    const outcome = resultOf(known.row, known.position, requests)
    known.position += requests
    if ('value' in outcome && outcome.value.accepted === 0) {
      overLimit.set(tokenHash, outcome.value, known.row.reset_ms)
    }
    return outcome
  })
}

async function countAll(sql: Sql, checks: readonly KeyCheck[]): Promise<readonly KeyCheckRow[]> {
  const [only] = checks
  if (only && checks.length === 1) {
    const row = await countRequestsOfKey(sql, only, rateLimitWindow)
    if (row) return [row]
  }
  return await countRequests(sql, checks, rateLimitWindow)
}

function sumByKey(checks: readonly KeyCheck[]): KeyCheck[] {
  const byKey = new Map<string, KeyCheck>()
  for (const { tokenHash, inUrl, requests } of checks) {
    const sum = byKey.get(tokenHash) ?? { tokenHash, requests: 0, inUrl: false }
    sum.requests += requests
    sum.inUrl ||= inUrl
    byKey.set(tokenHash, sum)
  }
  return [...byKey.values()]
}

/** The result of a key's requests from a position of the batch on, from 0: the first ones are accepted. */
function resultOf(row: KeyCheckRow, position: number, requests: number): Outcome<AuthResult> {
  if (row.state === 'revoked') return { error: revokedKey() }
  if (row.state === 'expired') return { error: expiredKey() }
  const accepted = Math.min(Math.max(row.accepted - position, 0), requests)
  const rateLimit = rateLimitOf(row, position, accepted)
  return { value: { caller: callerOf(row), accepted, rateLimit } }
}

/** The limit of a key after requests at a position of a statement, of which so many are accepted. */
export const rateLimitOf = (
  row: CountedRequests,
  position: number,
  accepted: number,
): RateLimitStatus => ({
  remaining: accepted > 0 ? requestsPerWindow - row.used - position - accepted : 0,
  resetSeconds: wholeSeconds(row.reset_ms),
})

/** When each of the next requests of a key has room, if all that come before it are sent. */
async function waitsOf(
  sql: Sql,
  { teamId, keyId }: Caller,
  requests: number,
): Promise<readonly number[]> {
  const agesMs = await withDeadline(recentRequests({ sql, actor: { teamId } }, keyId))
  const windowMs = windowSeconds * 1000
  return Array.from({ length: requests }, (_, index) => {
    const leaving = agesMs[index % requestsPerWindow] ?? windowMs
    const rounds = Math.floor(index / requestsPerWindow)
    return wholeSeconds(windowMs - leaving + rounds * windowMs)
  })
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
