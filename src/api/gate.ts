import type { Authenticate, AuthResult, Caller, Credential } from '../features/api-keys/index.ts'
import type { Now } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { createThrottle, networkOf } from '../lib/throttle.ts'
import type { Operation } from './operation.ts'

const failuresPerMinute = 120

export type Gate = (request: Request, address: string) => Promise<AuthResult>

/**
 * Who calls: reads the credential and looks it up. Wrong credentials are counted per client address
 * and minute; past 120 they get 429, while a valid key from the same address is not touched.
 */
export function createGate(authenticate: Authenticate, now: Now): Gate {
  const failures = createThrottle(now, failuresPerMinute)
  return async (request, address) => {
    try {
      return await authenticate(credentialOf(request))
    } catch (error) {
      const guessed = error instanceof AppError && error.code === 'invalid_key'
      const wait = guessed ? failures.count(networkOf(address)) : 0
      if (wait > 0) throw tooManyFailures(wait)
      throw error
    }
  }
}

function tooManyFailures(retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', 'Too many wrong API keys from this address.', {
    retryAfterSeconds,
  })
}

function credentialOf(request: Request): Credential {
  const header = request.headers.get('authorization')
  if (header !== null) return { token: bearerOf(header), inUrl: false }
  const [token, second] = new URL(request.url).searchParams.getAll('api_key')
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

/** Throws `insufficient_scope` unless the key may do this. */
export function authorise(caller: Caller, { scope, forIngestOnly }: Operation): void {
  if (caller.ingestOnly && !forIngestOnly) {
    throw new AppError('insufficient_scope', 'This key may only call the ingest webhook.', {
      extra: { required_scope: scope, required_option: 'ingest_only: false' },
    })
  }
  if (scope !== 'any' && !caller.scopes.includes(scope)) {
    throw new AppError('insufficient_scope', `This needs a key with the scope "${scope}".`, {
      extra: { required_scope: scope },
    })
  }
}

/** Throws `insufficient_scope` when a key that may not make blocks ready by itself asks for it. */
export function requireMayReady(caller: Caller, status: string | undefined): void {
  if (status !== 'ready' || caller.allowAutoReady) return
  throw new AppError(
    'insufficient_scope',
    'This key may not mark blocks ready; leave them draft.',
    {
      extra: { required_scope: 'write', required_option: 'allow_auto_ready' },
    },
  )
}
