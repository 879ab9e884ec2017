export {
  type Authenticate,
  type Caller,
  type Credential,
  type KeyOwner,
  type RateLimitStatus,
  recentRequests,
  requestsPerWindow,
  requireActiveKeyLock,
  revokedKey,
  windowSeconds,
  withKeyTransaction,
} from './authenticate.ts'
export { createKeyChecks, type KeyChecks } from './key-checks.ts'
export {
  allowAutoReady,
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
  revokeKey,
  rotateKey,
} from './keys.ts'
