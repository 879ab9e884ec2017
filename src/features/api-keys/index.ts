export {
  type Caller,
  type Credential,
  type MoreRequests,
  type RateLimitStatus,
  recentRequests,
  requestsPerWindow,
  requireActiveKeyLock,
  revokedKey,
  windowSeconds,
  withKeyTransaction,
} from './caller.ts'
export { activeKey, activeKeys, selectActiveKeyIds } from './check-sql.ts'
export { createKeyChecks, type KeyChecks, keyCheckSession } from './key-checks.ts'
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
