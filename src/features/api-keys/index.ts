export {
  type Caller,
  type Credential,
  type MoreRequests,
  type RateLimitStatus,
  rateLimitWindow,
  recentRequests,
  requestsPerWindow,
  requireActiveKeyLock,
  revokedKey,
  windowSeconds,
  withKeyTransaction,
} from './caller.ts'
export {
  activeKey,
  activeKeys,
  type CountedRequests,
  countedRequests,
  countUsageOfKey,
  countUsageOfKeys,
  selectActiveKeyIds,
} from './check-sql.ts'
export type { KnownKey } from './key-cache.ts'
export {
  createKeyChecks,
  type KeyChecks,
  keyBatchSession,
  keyCheckSession,
  rateLimitOf,
} from './key-checks.ts'
export {
  allowAutoReady,
  createConnectionKey,
  createKey,
  createLimitedKey,
  creatorOfKey,
  findKey,
  type Key,
  keyState,
  listKeys,
  maxActiveKeys,
  NewKey,
  parseExpiry,
  revokeConnectionKey,
  revokeKey,
} from './keys.ts'
export { replaceToken, rotateKey } from './rotate.ts'
