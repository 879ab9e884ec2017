import { Elysia } from 'elysia'
import {
  type Caller,
  type Credential,
  type KeyChecks,
  type KnownKey,
  type MoreRequests,
  type RateLimitStatus,
  requestsPerWindow,
  windowSeconds,
} from '../features/api-keys/index.ts'
import type { IdempotencyKey, IdempotentRequest } from '../features/idempotency/index.ts'
import type { Now } from '../lib/clock.ts'
import { createThrottle, networkOf, type Throttle } from '../lib/concurrency/throttle.ts'
import { AppError, type FieldError } from '../lib/errors.ts'
import { findContext } from '../lib/http/index.ts'

/** The name of the API among the route groups of `lib/http`. */
export const routeGroupName = 'api'

const failuresPerMinute = 120
const rateLimitPolicy = `"default";q=${requestsPerWindow};w=${windowSeconds}`

/** A request, without parameters and Idempotency-Key, whose key is checked by the statement that stores its item. */
interface UncheckedRequest {
  /** The key as it was found last. */
  key: KnownKey
  /** Reports the rate limit after this statement. */
  accept(rateLimit: RateLimitStatus): void
  /** Checks the key and counts the request after all. Throws 401 and 429. */
  check(): Promise<void>
}

/** What the API knows of a request after the key and rate limit check. */
export interface ApiRequest {
  caller: Caller
  /** Until it is null, only the handler of the route may respond; see `requireCheck`. */
  unchecked: UncheckedRequest | null
  /** Throws `insufficient_scope` unless the caller may use the route; null before this was checked. */
  requireScope: (() => void) | null
  /** Counts more requests against the limit of the key, and updates the headers that report it. */
  countMore(requests: number): Promise<MoreRequests>
  /** The `access` macro has authorized the request. */
  isAuthorized: boolean
  /** The request's Idempotency-Key with the hash of its body, or null; known once the body is read. */
  idempotencyKey: IdempotencyKey | null
  /** The same with its scope, when the response is stored: not of a dry run. */
  idempotent: IdempotentRequest | null
  /** Finds errors of the body that the schema of the route cannot find. */
  findErrors: (() => Promise<FieldError[]>) | null
  /** The route has reported unknown parameters of the query. */
  areParametersChecked: boolean
  /** The client's version of the resource is the current one. */
  isNotModified: boolean
  /** The statement that read the response has found the key active. */
  isKeyActive: boolean
}

const requests = new WeakMap<Request, ApiRequest>()

/** What the API knows of a request, or undefined when it did not pass the key and rate limit check. */
export const findApiRequest = (request: Request): ApiRequest | undefined => requests.get(request)

/** Throws for a request that did not pass the key and rate limit check: such a route is a mistake. */
export function apiRequestOf(request: Request): ApiRequest {
  const known = requests.get(request)
  if (!known) throw new Error('This request did not pass the key check.')
  return known
}

/**
 * Checks the key of a request that is still unchecked, and its scope, because the key can have changed.
 * Throws 401, 429 and 403. Call it before anything but the statement that checks the key.
 */
export async function requireCheck(known: ApiRequest): Promise<void> {
  const { unchecked } = known
  if (!unchecked) return
  known.unchecked = null
  await unchecked.check()
  known.requireScope?.()
}

interface AuthenticationOptions
  extends Pick<KeyChecks, 'authenticate' | 'countMore' | 'findKnownKey'> {
  now: Now
  /**
   * The bodies that are read while the key is being checked, by the path of their POST. A handler of such
   * a route calls `requireCheck`, or stores the item in the statement that checks the key.
   */
  readAhead: ReadonlyMap<string, BodyBeforeCheck>
}

interface BodyBeforeCheck {
  /** True for a request whose body may be read before the check. */
  isShort(request: Request): boolean
  /** Begins to read the body of a request, unless `check` ends at once. */
  start(request: Request, check: Promise<unknown>): void
}

/**
 * 401 and 429, before routing and therefore also for paths that do not exist. Failed authentication
 * is counted per client network: past 120 a minute it gets 429, and a valid key is not affected.
 */
export function authentication(options: AuthenticationOptions) {
  const { authenticate, countMore, findKnownKey, now, readAhead } = options
  const failures = createThrottle(now, failuresPerMinute)
  return new Elysia({ name: 'authentication' }).onRequest(async ({ request, set }) => {
    const context = findContext(request)
    if (context?.routeGroup.name !== routeGroupName) return
    const limitFailures = (error: unknown) => {
      throw withFailureLimit(error, failures, context.address)
    }
    const credential = await credentialOf(request, context.query).catch(limitFailures)
    const report = ({ keyId, teamId }: Caller, rateLimit: RateLimitStatus) => {
      Object.assign(context.log, { keyId, teamId })
      set.headers['ratelimit-policy'] = rateLimitPolicy
      set.headers['ratelimit'] = rateLimitHeader(rateLimit)
    }
    const check = async () => {
      const checked = await authenticate(credential).catch(limitFailures)
      const { caller, accepted, rateLimit } = checked
      report(caller, rateLimit)
      if (accepted === 0) throw rateLimited(rateLimit.resetSeconds)
      return caller
    }
    const save = (caller: Caller, unchecked: UncheckedRequest | null = null) => {
      const known = newApiRequest(caller, unchecked, async (more) => {
        const counted = await countMore(credential, more)
        set.headers['ratelimit'] = rateLimitHeader(counted.rateLimit)
        return counted
      })
      requests.set(request, known)
      return known
    }
    const route = request.method === 'POST' ? readAhead.get(context.path) : undefined
    const isPlain = context.query === '' && !hasIdempotencyKey(request)
    const key = isPlain && route?.isShort(request) ? findKnownKey(credential) : undefined
    if (key?.caller.scopes.includes('write')) {
      const known = save(key.caller, {
        key,
        accept: (rateLimit) => report(key.caller, rateLimit),
        async check() {
          known.caller = await check()
        },
      })
      return
    }
    const checked = check()
    route?.start(request, checked)
    save(await checked)
  })
}

const newApiRequest = (
  caller: Caller,
  unchecked: UncheckedRequest | null,
  countMore: ApiRequest['countMore'],
): ApiRequest => ({
  caller,
  unchecked,
  countMore,
  requireScope: null,
  isAuthorized: false,
  idempotencyKey: null,
  idempotent: null,
  findErrors: null,
  areParametersChecked: false,
  isNotModified: false,
  isKeyActive: false,
})

const hasIdempotencyKey = ({ headers }: Request) =>
  headers.has('idempotency-key') || headers.has('x-idempotency-key')

/** The error of a failed authentication, or 429 when too many guesses came from its network. */
function withFailureLimit(error: unknown, failures: Throttle, address: string): unknown {
  const isGuess = error instanceof AppError && error.code === 'invalid_key'
  const waitSeconds = isGuess ? failures.count(networkOf(address)) : 0
  return waitSeconds > 0 ? tooManyFailures(waitSeconds) : error
}

async function credentialOf(request: Request, query: string): Promise<Credential> {
  const header = request.headers.get('authorization')
  if (header !== null) return { token: bearerOf(header), inUrl: false }
  const [token, second] = new URLSearchParams(query).getAll('api_key')
  if (second !== undefined) throw new AppError('invalid_key', 'api_key is given more than once.')
  if (token === undefined || token === '') {
    throw new AppError(
      'missing_key',
      'An API key is required. Send it as "Authorization: Bearer <key>".',
    )
  }
  return { token, inUrl: true }
}

function bearerOf(header: string): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(header.trim()) ?? []
  if (token === undefined) {
    throw new AppError('invalid_key', 'The Authorization header must read "Bearer <key>".')
  }
  return token
}

const rateLimitHeader = ({ remaining, resetSeconds }: RateLimitStatus) =>
  `"default";r=${remaining};t=${resetSeconds}`

/** The 429 of a key that is over its limit. */
export function rateLimited(retryAfterSeconds: number): AppError {
  return new AppError(
    'rate_limited',
    `A key may make ${requestsPerWindow} requests in ${windowSeconds} seconds. Wait ${retryAfterSeconds} s before the next one.`,
    { retryAfterSeconds },
  )
}

function tooManyFailures(retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', 'Too many wrong API keys from this address.', {
    retryAfterSeconds,
  })
}
