import { betterAuth } from 'better-auth'
import { newId } from '../../../lib/ids.ts'
import {
  hashPassword,
  maxPasswordCharacters,
  minPasswordCharacters,
  verifyPassword,
} from '../../accounts/index.ts'
import { cookieNameOf, sessionCookieName } from '../cookie-names.ts'
import type { Connector } from '../identity-provider/connector.ts'
import { callbackEndpoint, identityProviderPlugin } from '../identity-provider/plugin.ts'
import { passkeyPlugin, twoFactorPlugin } from '../second-factor/plugins.ts'
import { sqlAdapter } from './adapter.ts'
import { type AuthOptions, addressHeader, authKeyOf } from './options.ts'
import { signInLinkPlugin } from './sign-in-link-plugin.ts'
import { idPrefixes, tables } from './tables.ts'

/**
 * better-auth for passwords, authenticator apps, passkeys and identity providers, on the tables in `tables.ts`.
 * Its own routes are not mounted: pages call it, after their checks of origin, token and number of attempts.
 */
export function createAuth(
  { sql, now, log, baseUrl, secret, emailQueue }: AuthOptions,
  connectors: readonly Connector[],
) {
  return betterAuth({
    appName: 'Tidings',
    baseURL: baseUrl,
    secret: authKeyOf(secret),
    database: sqlAdapter(sql),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: {
      level: 'error',
      // Only its message: the other arguments can contain what somebody typed.
      // A warning: a stranger can cause it, and what fails at the service has an error of its own.
      log: (_level, message) => log.warn({ reason: message }, 'better-auth failed'),
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: minPasswordCharacters,
      maxPasswordLength: maxPasswordCharacters,
      password: { hash: hashPassword, verify: verifyPassword },
      revokeSessionsOnPasswordReset: true,
    },
    ...tables,
    databaseHooks: {
      session: {
        create: {
          before: async (session, endpoint) => {
            // The session of the request, which this one replaces, as after a change of the password.
            const replaced = endpoint?.context.session?.session
            const startedByProvider = endpoint?.path === callbackEndpoint
            return {
              data: {
                ...session,
                teamId: replaced?.['teamId'] ?? null,
                identityProvider: replaced?.['identityProvider'] ?? startedByProvider,
              },
            }
          },
        },
      },
    },
    plugins: [
      twoFactorPlugin(),
      passkeyPlugin(baseUrl),
      identityProviderPlugin({ sql, now, emailQueue }, connectors, baseUrl),
      signInLinkPlugin(),
    ],
    advanced: {
      // The names and attributes of the cookies are set here: better-auth would prepend `__Secure-`.
      useSecureCookies: false,
      cookies: cookiesOf(baseUrl),
      // The whole address, because people compare it with their own.
      ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 128 },
      database: {
        generateId: ({ model }) => newId(idPrefixes[model] ?? 'au', now()),
      },
    },
  })
}

function cookiesOf(baseUrl: string) {
  const attributes = { secure: baseUrl.startsWith('https:') }
  return {
    session_token: { name: sessionCookieName(baseUrl), attributes },
    two_factor: { name: cookieNameOf(baseUrl, 'second_factor'), attributes },
    passkey: { name: cookieNameOf(baseUrl, 'passkey'), attributes },
    state: { name: cookieNameOf(baseUrl, 'oidc'), attributes },
  }
}
