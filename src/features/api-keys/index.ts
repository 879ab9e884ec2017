export { type Caller, type Credential, type MoreRequests, revokedKey } from './caller.ts'
export type { KnownKey } from './key-cache.ts'
export {
  createKeyChecks,
  type KeyChecks,
  keyBatchSession,
  keyCheckSession,
} from './key-checks.ts'
export { activeKeys, selectActiveKeyIds } from './key-checks-sql.ts'
export { requireActiveKeyLock, withKeyTransaction } from './key-lock.ts'
export {
  allowAutoReady,
  createConnectionKey,
  createKey,
  createLimitedKey,
  findKey,
  findKeyCreator,
  type Key,
  keyState,
  listKeys,
  maxActiveKeys,
  NewKey,
  parseExpiry,
  revokeConnectionKey,
  revokeKey,
} from './keys.ts'
export {
  type CountedRequests,
  countedRequests,
  countUsageOfKey,
  countUsageOfKeys,
  listRequestAges,
  type RateLimitStatus,
  rateLimitOf,
  rateLimitWindow,
  requestsPerWindow,
  windowSeconds,
} from './rate-limit.ts'
export { listRotatedKeyIds, replaceToken, rotateKey } from './rotate.ts'
