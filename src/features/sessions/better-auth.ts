import { isAPIError } from 'better-auth/api'
import type { AppError } from '../../lib/errors.ts'
import { type AuthOptions, addressHeader, createAuth, sessionCookieName } from './auth.ts'

/** A request, as far as sessions use it. */
export interface Client {
  cookie: string
  userAgent: string
  address: string
}

/** Values for `Set-Cookie`, one per cookie. */
export type Cookies = string[]

/** better-auth with the options that it was created with. */
export interface AuthDeps extends AuthOptions {
  auth: ReturnType<typeof createAuth>
  /** The cookies that better-auth sets, without those of features that are not used here. */
  cookiesIn(headers: Headers): Cookies
}

/** Creates better-auth; opens nothing. */
export function createAuthDeps(options: AuthOptions): AuthDeps {
  const ours = `${sessionCookieName(options.baseUrl)}=`
  return {
    ...options,
    auth: createAuth(options),
    cookiesIn: (headers) => headers.getSetCookie().filter((cookie) => cookie.startsWith(ours)),
  }
}

/** A request as better-auth reads it. */
export function headersOf({ cookie, userAgent, address }: Client): Headers {
  return new Headers({ cookie, 'user-agent': userAgent, [addressHeader]: address })
}

/** Waits for better-auth, and throws `instead` when it refuses with one of these codes. */
export async function refusing<T>(
  codes: readonly string[],
  instead: AppError,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isAPIError(error) && codes.includes(String(error.body?.code))) throw instead
    throw error
  }
}
