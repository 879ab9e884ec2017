import type { AppError } from '../../../lib/errors.ts'
import { createDevices, type Devices } from '../../login-throttle/index.ts'
import { cookieNameOf } from '../cookie-names.ts'
import { type Connector, createConnector } from '../identity-provider/connector.ts'
import { throwFailures } from './adapter.ts'
import type { createAuth } from './auth.ts'
import { type AuthOptions, addressHeader } from './options.ts'

/** A request, as far as sessions use it. */
export interface Client {
  cookie: string
  userAgent: string
  address: string
}

/** Values for `Set-Cookie`, one per cookie. */
export type Cookies = string[]

type Auth = ReturnType<typeof createAuth>

/** better-auth with the options that it was created with. */
export interface AuthDeps extends AuthOptions {
  /** Loads better-auth with the first call: its modules are a fifth of the time that a process takes to start. */
  auth(): Promise<Auth>
  /** Recognizes the devices on which an account has signed in before. */
  devices: Devices
  /** The configured identity providers. */
  connectors: readonly Connector[]
  /** The cookies that better-auth sets, without those of features that are not used here. */
  cookiesIn(headers: Headers): Cookies
}

/** Opens and loads nothing. */
export function createAuthDeps(options: AuthOptions): AuthDeps {
  const { baseUrl, secret } = options
  const purposes = ['session', 'second_factor', 'passkey'] as const
  const names = purposes.map((purpose) => `${cookieNameOf(baseUrl, purpose)}=`)
  const isUsed = (cookie: string) => names.some((name) => cookie.startsWith(name))
  const { identityProviders = [] } = options
  const connectors = identityProviders.map((one) => createConnector(one, options))
  const load = async () =>
    throwingFailures((await import('./auth.ts')).createAuth(options, connectors))
  let loaded: Promise<Auth> | undefined
  return {
    ...options,
    connectors,
    auth: () => (loaded ??= load()),
    devices: createDevices(secret, baseUrl),
    cookiesIn: (headers) => headers.getSetCookie().filter(isUsed),
  }
}

/** The same better-auth, whose calls throw the failures of the database. */
function throwingFailures(auth: Auth): Auth {
  const api = new Proxy(auth.api, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name)
      if (typeof call !== 'function') return call
      return (...input: unknown[]) => throwFailures(async () => await call.apply(target, input))
    },
  })
  return { ...auth, api }
}

/** A request as better-auth reads it. */
export function headersOf({ cookie, userAgent, address }: Client): Headers {
  return new Headers({ cookie, 'user-agent': userAgent, [addressHeader]: address })
}

/** The cookies of a request, with only the named one. */
export const onlyCookie = (client: Client, name: string): Client => ({
  ...client,
  cookie: client.cookie
    .split('; ')
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .join('; '),
})

/** Ends the session of the browser, if it has one. */
export async function endClientSession(
  { auth, cookiesIn }: AuthDeps,
  client: Client,
): Promise<Cookies> {
  const { api } = await auth()
  const { headers } = await api.signOut({ headers: headersOf(client), returnHeaders: true })
  return cookiesIn(headers)
}

/** The result of better-auth, or null when it refuses the input. */
export async function nullIfRefused<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    const { isAPIError } = await import('better-auth/api')
    if (isAPIError(error) && error.statusCode < 500) return null
    throw error
  }
}

/** Waits for better-auth, and throws `instead` when it refuses with one of these codes. */
export async function throwIfRefused<T>(
  codes: readonly string[],
  instead: AppError,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { isAPIError } = await import('better-auth/api')
    if (isAPIError(error) && codes.includes(String(error.body?.code))) throw instead
    throw error
  }
}
