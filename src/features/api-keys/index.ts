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
export { activeKey, activeKeys, selectActiveKeyIds } from './check-sql.ts'
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
export type { KnownKey } from './known-keys.ts'
export { replaceToken, rotateKey } from './rotate.ts'
export {
  type CountedRequests,
  countedRequests,
  countUsageOfKey,
  countUsageOfKeys,
} from './usage-sql.ts'
