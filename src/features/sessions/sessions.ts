import { dayMs } from '../../lib/clock.ts'
import { inTransaction } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { invalidField } from '../../lib/errors.ts'
import { normalizeEmail } from '../../lib/text/email.ts'
import { type Account, findAccount, recordAccountAudit } from '../accounts/index.ts'
import {
  type AuthDeps,
  type Client,
  type Cookies,
  createAuthDeps,
  endClientSession,
  headersOf,
  throwIfRefused,
} from './better-auth/better-auth.ts'
import type { AuthOptions } from './better-auth/options.ts'
import { inAuthTransaction } from './better-auth/transaction.ts'
import { createProviderSignIn, type ProviderSignIn } from './identity-provider/sign-in.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { type Authenticators, createAuthenticators } from './second-factor/authenticator.ts'
import { type Challenges, createChallenges } from './second-factor/challenge.ts'
import { createPasskeys, type Passkeys } from './second-factor/passkeys.ts'
import { createSignInLinks, type SignInLinks } from './sign-in-link.ts'
import {
  deleteSessions,
  deleteSessionWithToken,
  deleteTokens,
  lockPasswordHash,
  selectPasswordHash,
} from './sql.ts'

/** A person with an open session. */
export interface SignedIn {
  sessionId: string
  /** When the person has signed in. */
  startedAt: Date
  account: Account
  /** The team that the session shows, if one was chosen. */
  teamId: string | null
  /** The account has a second factor. */
  hasSecondFactor: boolean
  /** The identity provider started the session; it checks second factors itself. */
  byIdentityProvider: boolean
}

/** A sign-in with the right password. */
interface PasswordSignIn {
  cookies: Cookies
  /** No session has started yet: `enterCode` or a passkey starts it. */
  needsSecondFactor: boolean
}

export interface Sessions
  extends Passwords,
    Challenges,
    Authenticators,
    Passkeys,
    ProviderSignIn,
    SignInLinks {
  /** The person of the session, or null; `cookies` renews the session now and then. */
  getSession(client: Client): Promise<{ signedIn: SignedIn | null; cookies: Cookies }>
  /** Starts a new session, or a sign-in that waits for the second factor, and ends the session the browser had. Throws the same `validation_failed` for a wrong address and for a wrong password. */
  signIn(client: Client, input: { email: string; password: string }): Promise<PasswordSignIn>
  /** The device's id when this account has signed in on it before. */
  findDevice(client: Client, email: string): string | undefined
  signOut(client: Client, accountId: string): Promise<Cookies>
  /** Ends all sessions of the account, also those of other browsers. */
  signOutEverywhere(client: Client, accountId: string): Promise<Cookies>
}

/** People's sessions, by better-auth; opens nothing. */
export function createSessions(options: AuthOptions): Sessions {
  const deps = createAuthDeps(options)
  return {
    ...createPasswords(deps),
    ...createChallenges(deps),
    ...createAuthenticators(deps),
    ...createPasskeys(deps),
    ...createProviderSignIn(deps),
    ...createSignInLinks(deps),
    getSession: (client) => getSession(deps, client),
    signIn: (client, input) => signIn(deps, client, input),
    findDevice: (client, email) => deps.devices.find(client.cookie, email),
    signOut: (client, accountId) =>
      inAuthTransaction(deps, async ({ sql, now }) => {
        const { address } = client
        await recordAccountAudit({ sql, now, accountId, address }, 'signed_out')
        return await endClientSession(deps, client)
      }),
    signOutEverywhere: (client, accountId) =>
      inAuthTransaction(deps, async ({ sql, now }) => {
        const { address } = client
        await recordAccountAudit({ sql, now, accountId, address }, 'signed_out_everywhere')
        await deleteSessions(sql, accountId)
        return await endClientSession(deps, client)
      }),
  }
}

async function getSession(
  deps: AuthDeps,
  client: Client,
): Promise<{ signedIn: SignedIn | null; cookies: Cookies }> {
  if (client.cookie === '') return { signedIn: null, cookies: [] }
  const { api } = await deps.auth()
  const { headers, response } = await api.getSession({
    headers: headersOf(client),
    returnHeaders: true,
  })
  if (response && isOver(response.session.createdAt, deps.now())) {
    return { signedIn: null, cookies: await endClientSession(deps, client) }
  }
  return { signedIn: response && readSession(response), cookies: deps.cookiesIn(headers) }
}

// Not in one transaction: it would keep a connection while the password is hashed. The cookies are
// returned only after the entry in the audit log is stored.
async function signIn(
  deps: AuthDeps,
  client: Client,
  { email: typed, password }: { email: string; password: string },
): Promise<PasswordSignIn> {
  const { api } = await deps.auth()
  const email = normalizeEmail(typed)
  const hash = await withDeadline(selectPasswordHash(deps.sql, email))
  const { headers, response } = await throwIfRefused(
    ['INVALID_EMAIL_OR_PASSWORD', 'INVALID_EMAIL'],
    invalidField('/password', 'the address or the password is wrong'),
    api.signInEmail({
      body: { email, password },
      headers: headersOf({ ...client, cookie: '' }),
      returnHeaders: true,
    }),
  )
  await endClientSession(deps, client)
  const session = 'twoFactorRedirect' in response ? null : response
  // The new password decides.
  if (!(await confirmSignIn(deps, client, { email, hash, session }))) {
    return await signIn(deps, client, { email, password })
  }
  const cookies = deps.cookiesIn(headers)
  if (!session) return { cookies, needsSecondFactor: true }
  return { cookies: [...cookies, deps.devices.cookieFor(email)], needsSecondFactor: false }
}

/** What the right password has started. */
interface StartedSignIn {
  email: string
  /** The hash of the password before it was checked. */
  hash: string | undefined
  /** Null while the sign-in waits for the second factor. */
  session: { token: string; user: { id: string } } | null
}

/**
 * Records a sign-in, and returns true. One whose password was changed while it was checked is ended instead, because
 * the change has ended only what was there by then.
 */
async function confirmSignIn(
  deps: AuthDeps,
  { address }: Client,
  { email, hash, session }: StartedSignIn,
): Promise<boolean> {
  return await inTransaction(deps, async (ctx) => {
    if ((await lockPasswordHash(ctx.sql, email)) === hash) {
      if (!session) return true
      await recordAccountAudit({ ...ctx, accountId: session.user.id, address }, 'signed_in')
      return true
    }
    if (session) await deleteSessionWithToken(ctx.sql, session.token)
    const account = await findAccount(ctx, email)
    if (account) await deleteTokens(ctx.sql, account.id)
    return false
  })
}

/**
 * Writes to the audit logs that somebody failed to sign in with this address. Does nothing for an
 * unknown address.
 */
export async function recordFailedSignIn(
  ctx: Pick<AuthOptions, 'sql' | 'now'>,
  { email, address }: { email: string; address: string },
): Promise<void> {
  const account = await findAccount(ctx, email)
  if (!account) return
  await recordAccountAudit({ ...ctx, accountId: account.id, address }, 'sign_in_failed')
}

const maxSessionMs = 30 * dayMs

/** True when a session has lasted 30 days, however recently it was used. */
const isOver = (createdAt: Date, at: Date) => at.getTime() - createdAt.getTime() >= maxSessionMs

interface KnownSession {
  session: {
    id: string
    createdAt: Date
    teamId?: string | null | undefined
    identityProvider?: boolean | null | undefined
  }
  user: { id: string; email: string; name: string; twoFactorEnabled?: boolean | null | undefined }
}

function readSession({ session, user }: KnownSession): SignedIn {
  const { id, email, name } = user
  return {
    sessionId: session.id,
    startedAt: session.createdAt,
    teamId: session.teamId ?? null,
    account: { id, email, name },
    hasSecondFactor: user.twoFactorEnabled === true,
    byIdentityProvider: session.identityProvider === true,
  }
}
