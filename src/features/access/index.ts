export {
  type Allowance,
  type Authenticate,
  type Caller,
  type Credential,
  createAuthenticate,
  recentRequests,
  requestsPerWindow,
  requireLive,
  revokedKey,
  type Visit,
  windowSeconds,
  writeAs,
} from './access.ts'
export {
  createKey,
  creatorOfKey,
  type Key,
  listKeys,
  NewKey,
  parseExpiry,
  revokeKey,
} from './keys.ts'
