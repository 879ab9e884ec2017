import { betterAuth } from 'better-auth'
import { magicLink } from 'better-auth/plugins/magic-link'
import { newId } from '../../../lib/ids.ts'
import {
  hashPassword,
  leastPasswordCharacters,
  mostPasswordCharacters,
  verifyPassword,
} from '../../accounts/index.ts'
import { cookieNameOf, sessionCookieName } from '../cookie-names.ts'
import type { Connector } from '../identity-provider/connector.ts'
import { callbackEndpoint, identityProviderPlugin } from '../identity-provider/plugin.ts'
import { passkeyPlugin, twoFactorPlugin } from '../second-factor/plugins.ts'
import { sqlAdapter } from './adapter.ts'
import {
  type AuthOptions,
  addressHeader,
  authKeyOf,
  resetSeconds,
  signInLinkIdentifier,
} from './options.ts'

const sessionSeconds = 14 * 24 * 3600
/**
 * The age at which a session is renewed; the time of its last use is stored with this precision.
 */
const renewSeconds = 600

const idPrefixes: Record<string, string> = {
  twoFactor: 'tf',
  passkey: 'pk',
  user: 'ac',
  account: 'cr',
  session: 'se',
  verification: 'at',
}
const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/**
 * better-auth for passwords, authenticator apps, passkeys and identity providers, on the tables of migrations 0008 and 0027.
 * Its own routes are not mounted: pages call it, after their checks of origin, token and number of attempts.
 */
export function createAuth(
  { sql, now, log, baseUrl, secret, sendReset }: AuthOptions,
  connectors: readonly Connector[],
) {
  const secure = baseUrl.startsWith('https:')
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
      log: (_level, message) => log.error({ reason: message }, 'better-auth failed'),
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: leastPasswordCharacters,
      maxPasswordLength: mostPasswordCharacters,
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: resetSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => sendReset(user, token),
    },
    user: { modelName: 'accounts', fields: { ...times, emailVerified: 'email_verified' } },
    account: {
      modelName: 'credentials',
      fields: {
        ...times,
        userId: 'account_id',
        providerId: 'provider_id',
        accountId: 'provider_account_id',
      },
      // `findOrCreateAccount` links accounts, and no token of a provider is stored.
      accountLinking: { enabled: false },
      updateAccountOnSignIn: false,
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session, endpoint) => ({
            data: { ...session, identityProvider: endpoint?.path === callbackEndpoint },
          }),
        },
      },
    },
    session: {
      modelName: 'sessions',
      fields: {
        ...times,
        userId: 'account_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
      additionalFields: {
        teamId: { type: 'string', required: false, input: false, fieldName: 'team_id' },
        identityProvider: {
          type: 'boolean',
          required: false,
          input: false,
          defaultValue: false,
          fieldName: 'identity_provider',
        },
      },
      expiresIn: sessionSeconds,
      updateAge: renewSeconds,
      // No limit to the age of a session in which the password is changed: the current one is required.
      freshAge: 0,
    },
    verification: {
      modelName: 'account_tokens',
      fields: { ...times, expiresAt: 'expires_at' },
      storeIdentifier: 'hashed',
    },
    plugins: [
      twoFactorPlugin(),
      passkeyPlugin(baseUrl),
      identityProviderPlugin({ sql, now }, connectors, baseUrl),
      signInLinkPlugin(),
    ],
    advanced: {
      // The names and attributes of the cookies are set here: better-auth would prepend `__Secure-`.
      useSecureCookies: false,
      cookies: {
        session_token: { name: sessionCookieName(baseUrl), attributes: { secure } },
        two_factor: { name: cookieNameOf(baseUrl, 'second_factor'), attributes: { secure } },
        passkey: { name: cookieNameOf(baseUrl, 'passkey'), attributes: { secure } },
        state: { name: cookieNameOf(baseUrl, 'oidc'), attributes: { secure } },
      },
      // The whole address, because people compare it with their own.
      ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 128 },
      database: {
        generateId: ({ model }) => newId(idPrefixes[model] ?? 'au', now()),
      },
    },
  })
}

const signInLinkPlugin = () =>
  magicLink({
    disableSignUp: true,
    storeToken: { type: 'custom-hasher', hash: async (token) => signInLinkIdentifier(token) },
    // `makeSignInToken` makes the links; nobody can ask for one.
    sendMagicLink() {
      throw new Error('links for sign-in are not sent')
    },
  })
