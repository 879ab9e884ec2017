import { hkdfSync } from 'node:crypto'
import type { Logger } from 'pino'
import type { Now } from '../../../lib/clock.ts'
import type { Sql } from '../../../lib/database/db.ts'
import type { ChangeEmails } from '../../account-emails/index.ts'
import type { IdentityProvider } from '../identity-provider/provider.ts'

export interface AuthOptions extends ChangeEmails {
  sql: Sql
  now: Now
  log: Logger
  /** The URL of the service; over https its cookies are `Secure`. */
  baseUrl: string
  /** The installation's secret. */
  secret: string
  /** The identity providers with which people can sign in, apart from passwords and passkeys. */
  identityProviders?: readonly IdentityProvider[]
  /** Sends the token of a link for a new password. */
  sendReset(to: { email: string; name: string }, token: string): Promise<void>
}

/**
 * The header from which better-auth reads the client's address. A client cannot set it, because we
 * create the headers.
 */
export const addressHeader = 'x-tidings-address'

/** How long a link for a new password works. */
export const resetSeconds = 3600

/** The key under which better-auth encrypts its values, derived from the installation's secret. */
export const authKeyOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'tidings sessions', 32)).toString('base64')

/** The identifier under which better-auth stores a link for sign-in; other tokens do not open it. */
export const signInLinkIdentifier = (token: string): string => `sign-in-link:${token}`
