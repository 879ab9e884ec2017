/** Why a provider did not provide what an adapter requested. */
type ProviderProblem =
  /** The same request cannot succeed. The message says what to change. */
  | 'refused'
  /** Too many requests. `retryAfterSeconds` says when the next one makes sense. */
  | 'rate_limited'
  /** The provider cannot be reached or has a problem of its own. */
  | 'unavailable'

/**
 * Thrown when a provider does not do what an adapter requests. The work is retried later, a delivery for about a day, unless
 * the problem is `refused` and the function that throws says that this ends it. The page of the connection shows the message,
 * so it says what to do and contains no secret.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly problem: ProviderProblem
  readonly retryAfterSeconds: number | undefined

  constructor(problem: ProviderProblem, message: string, retryAfterSeconds?: number) {
    super(message)
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Thrown when the provider does not accept the token or the credentials of a connection, whatever is requested. */
export class TokenRefusedError extends ProviderError {
  constructor(message: string) {
    super('refused', message)
  }
}

/** Thrown when the provider has certainly not got the request, or has not begun it, so that a repetition does it once. */
export class NotReachedError extends ProviderError {
  constructor(message: string) {
    super('unavailable', message)
  }
}

/**
 * The error of a request without a response: a host without a connection has certainly not got it.
 */
export const unreachedError = (error: unknown, text: string): ProviderError =>
  error instanceof Error && 'isUnconnected' in error && error.isUnconnected === true
    ? new NotReachedError(text)
    : new ProviderError('unavailable', text)

/** Thrown when nobody knows whether the provider has done what it was asked, so that a repetition could do it twice. */
export class UnconfirmedError extends ProviderError {
  constructor(message: string) {
    super('unavailable', message)
  }
}

/** Thrown when the provider says that the app or its token was removed: the connection is disconnected. */
export class TokenRevokedError extends ProviderError {
  constructor(message: string) {
    super('refused', message)
  }
}

/**
 * The error of a response that is not a success. `check` names the settings that an
 * admin has to check when the provider refuses the request.
 */
export function responseError(
  { status, headers }: Response,
  { name, check }: { name: string; check: string },
): ProviderError {
  const refusal = `${name} refused the request (${status}). Check ${check}.`
  if (status === 401) return new TokenRefusedError(refusal)
  if (status === 403) return new ProviderError('refused', refusal)
  if (status === 429) {
    const message = `${name} limits our requests. They are repeated as soon as ${name} accepts them.`
    return new ProviderError('rate_limited', message, retryAfterSeconds(headers))
  }
  return new ProviderError('unavailable', `${name} answered ${status}.`)
}

/** `Retry-After` in seconds; a date (RFC 9110, section 10.2.3) counts from the `Date` of the response, by one clock. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000)
  return seconds > 0 ? seconds : undefined
}
