import type { Now } from '../../lib/clock.ts'
import { createBatcher, type Outcome } from '../../lib/concurrency/batch.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { measure, timed } from '../../lib/measurements.ts'
import type { Authenticate, AuthResult, Caller, Credential, MoreRequests } from './caller.ts'
import { expiredKey, invalidKey, revokedKey } from './caller.ts'
import {
  createKnownKeys,
  createRateLimitCache,
  type KnownKey,
  type KnownKeys,
  type RateLimitCache,
} from './key-cache.ts'
import {
  countRequests,
  countRequestsOfKey,
  type KeyCheck,
  type KeyCheckRow,
  type KeyDetails,
  selectActiveKeyIds,
} from './key-checks-sql.ts'
import { listWaits, rateLimitOf, rateLimitWindow } from './rate-limit.ts'
import { hashToken, isKeyToken } from './token.ts'

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

/** The check of one request, or of some of a bulk request. */
type RequestCheck = Pick<KeyCheck, 'tokenHash' | 'requests' | 'inUrl'>

/** The check of the requests of a batch that have the same key. */
interface CheckOfKey extends KeyCheck {
  /** The key with the versions of the check. */
  known: KnownKey | undefined
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
    run: (checks: readonly RequestCheck[]) => runChecks(sql, { overLimit, knownKeys }, checks),
  })
  const isActive = createBatcher({
    ...batches,
    run: (callers: readonly Caller[]) => readActive(sql, callers),
  })
  const count = async ({ token, inUrl }: Credential, requests: number) => {
    if (!isKeyToken(token)) throw invalidKey()
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
      if (!isKeyToken(token)) return undefined
      const tokenHash = hashToken(token).toString('hex')
      return overLimit.get(tokenHash) ? undefined : knownKeys.get(tokenHash)
    },
    async countMore(credential, requests) {
      const { caller, accepted, rateLimit } = await count(credential, requests)
      const refused = requests - accepted
      const ctx = { sql, actor: { teamId: caller.teamId } }
      const waitSeconds =
        refused > 0 ? await listWaits(ctx, { keyId: caller.keyId, requests: refused }) : []
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
  checks: readonly RequestCheck[],
): Promise<Outcome<AuthResult>[]> {
  const keys = sumByKey(checks, knownKeys)
  const rows = await timed(
    () => withDeadline(countAll(sql, keys)),
    (seconds) => measure('keyCheckBatch', { requests: checks.length, seconds }),
  )
  const checked = new Map<string, CheckedKey>()
  for (const row of rows) {
    const check = keys[row.position - 1]
    const key = check && keyOf(knownKeys, check, row)
    if (key) checked.set(check.tokenHash, { row, caller: key.caller, position: 0 })
  }
  return checks.map(({ tokenHash, requests }) => {
    const key = checked.get(tokenHash)
    if (!key) return { error: invalidKey() }
    const outcome = resultOf(key, requests)
    key.position += requests
    if ('value' in outcome && outcome.value.accepted === 0) {
      overLimit.set(tokenHash, outcome.value, key.row.reset_ms)
    }
    return outcome
  })
}

/** A key of a batch, and how many of its requests have their result. */
interface CheckedKey {
  row: KeyCheckRow
  caller: Caller
  position: number
}

/** The key of a row: as the process knew it when the statement was sent, or as the statement has found it. */
function keyOf(
  knownKeys: KnownKeys,
  { tokenHash, known }: CheckOfKey,
  { state, key }: KeyCheckRow,
): Pick<KnownKey, 'caller'> | undefined {
  if (!key) return known
  const { version, versions } = key
  const found = { caller: callerOf(key), version, versions }
  if (state === 'active') knownKeys.set(tokenHash, found)
  return found
}

async function countAll(sql: Sql, checks: readonly KeyCheck[]): Promise<readonly KeyCheckRow[]> {
  const [only] = checks
  if (only && checks.length === 1) {
    const row = await countRequestsOfKey(sql, only, rateLimitWindow)
    if (row) return [row]
  }
  return await countRequests(sql, checks, rateLimitWindow)
}

function sumByKey(checks: readonly RequestCheck[], knownKeys: KnownKeys): CheckOfKey[] {
  const byKey = new Map<string, CheckOfKey>()
  for (const { tokenHash, inUrl, requests } of checks) {
    const sum = byKey.get(tokenHash)
    if (sum) {
      sum.requests += requests
      sum.inUrl ||= inUrl
    } else {
      const known = knownKeys.get(tokenHash)
      byKey.set(tokenHash, { tokenHash, requests, inUrl, versions: known?.versions ?? '', known })
    }
  }
  return [...byKey.values()]
}

/** The result of the next requests of a key: the first ones of a batch are accepted. */
function resultOf({ row, caller, position }: CheckedKey, requests: number): Outcome<AuthResult> {
  if (row.state === 'revoked') return { error: revokedKey() }
  if (row.state === 'expired') return { error: expiredKey() }
  const accepted = Math.min(Math.max(row.accepted - position, 0), requests)
  const rateLimit = rateLimitOf(row, position, accepted)
  return { value: { caller, accepted, rateLimit } }
}

function callerOf(key: KeyDetails): Caller {
  return {
    keyId: key.id,
    firstKeyId: key.first_key_id,
    teamId: key.team_id,
    team: { slug: key.team_slug, name: key.team_name },
    keyName: key.name,
    scopes: key.scopes,
    ingestOnly: key.ingest_only,
    allowAutoReady: key.allow_auto_ready,
    provider: key.provider,
    expiresAt: key.expires_at === null ? null : new Date(key.expires_at),
  }
}

async function readActive(sql: Sql, callers: readonly Caller[]): Promise<Outcome<boolean>[]> {
  const active = await withDeadline(selectActiveKeyIds(sql, callers))
  return callers.map(({ keyId }) => ({ value: active.has(keyId) }))
}
