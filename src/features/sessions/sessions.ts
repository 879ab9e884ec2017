import { randomBytes } from 'node:crypto'
import { isAPIError } from 'better-auth/api'
import * as v from 'valibot'
import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { AppError, invalidField, notFound } from '../../lib/errors.ts'
import {
  type Account,
  findAccount,
  findAccountById,
  requireUnrelatedPassword,
} from '../accounts/index.ts'
import { consumeResetEmail } from '../login-throttle/index.ts'
import {
  type AuthOptions,
  addressHeader,
  createAuth,
  resetSeconds,
  sessionCookieName,
} from './auth.ts'
import { createDevices } from './device.ts'
import {
  deleteEnded,
  deleteOtherSessions,
  deleteResetTokens,
  deleteSession,
  deleteSessions,
  type OpenSession,
  selectSessions,
  updateSessionTeam,
} from './sql.ts'

/** A person with a session that holds. */
export interface SignedIn {
  sessionId: string
  account: Account
  /** The team the session looks at, if one was chosen. */
  teamId: string | null
}

/** A request, as far as sessions look at it. */
export interface Client {
  cookie: string
  userAgent: string
  address: string
}

/** What goes to the browser as `Set-Cookie`, one entry a cookie. */
type Cookies = string[]

export interface Sessions {
  /** Who this is, or null; `cookies` renews the session now and then. */
  getSession(client: Client): Promise<{ signedIn: SignedIn | null; cookies: Cookies }>
  /** Starts a new session and ends the one the browser had. Throws `validation_failed`, alike for a wrong address and a wrong password. */
  signIn(client: Client, email: string, password: string): Promise<Cookies>
  /** The device's id when this account has signed in on it before. */
  findDevice(client: Client, email: string): string | undefined
  signOut(client: Client): Promise<Cookies>
  /** Ends all sessions of the account, other browsers' too. */
  signOutEverywhere(client: Client, accountId: string): Promise<Cookies>
  /** Ends all other sessions. Throws `validation_failed` when the current password is wrong. */
  changePassword(client: Client, current: string, next: string): Promise<Cookies>
  /** Sends a link if the address has an account, 3 an hour at most; earlier links stop working. Returns before that is known, so that nobody can tell by the time it takes. */
  requestReset(email: string): void
  /** A token for a new password, for an admin to hand on. */
  makeResetToken(accountId: string): Promise<string>
  /** Throws `not_found` unless the token still opens the page for a new password. */
  requireResetToken(token: string): Promise<void>
  /** Sets the password and ends all sessions. Throws `not_found` for a link that is used up or too old. */
  resetPassword(token: string, next: string): Promise<void>
}

/** People's sessions, by better-auth; opens nothing. */
export function createSessions(options: AuthOptions): Sessions {
  const auth = createAuth(options)
  const { api } = auth
  const devices = createDevices(options.secret, options.baseUrl)
  // better-auth clears cookies of features that are off here, too.
  const ours = `${sessionCookieName(options.baseUrl)}=`
  const cookiesIn = (headers: Headers) =>
    headers.getSetCookie().filter((cookie) => cookie.startsWith(ours))
  const signOut = async (client: Client) => {
    const { headers } = await api.signOut({ headers: headersOf(client), returnHeaders: true })
    return cookiesIn(headers)
  }
  const sendResetLink = async (email: string, at: Date) => {
    const account = await findAccount(options.sql, email)
    if (!account || !(await consumeResetEmail(options.sql, at, email))) return
    // Only the newest link works.
    await withDeadline(deleteResetTokens(options.sql, account.id))
    await api.requestPasswordReset({ body: { email } })
  }
  return {
    async getSession(client) {
      if (client.cookie === '') return { signedIn: null, cookies: [] }
      const { headers, response } = await api.getSession({
        headers: headersOf(client),
        returnHeaders: true,
      })
      if (response && isOver(response.session.createdAt, options.now())) {
        return { signedIn: null, cookies: await signOut(client) }
      }
      return { signedIn: response && readSession(response), cookies: cookiesIn(headers) }
    },
    async signIn(client, email, password) {
      const { headers } = await refusing(
        ['INVALID_EMAIL_OR_PASSWORD', 'INVALID_EMAIL'],
        invalidField('/password', 'the address or the password is wrong'),
        api.signInEmail({
          body: { email: email.trim().toLowerCase(), password },
          headers: headersOf({ ...client, cookie: '' }),
          returnHeaders: true,
        }),
      )
      await signOut(client)
      return [...cookiesIn(headers), devices.remember(email)]
    },
    findDevice: (client, email) => devices.find(client.cookie, email),
    signOut,
    async signOutEverywhere(client, accountId) {
      await endSessions(options.sql, accountId)
      return await signOut(client)
    },
    async changePassword(client, current, next) {
      const session = await api.getSession({ headers: headersOf(client) })
      if (session) requireUnrelatedPassword(next, session.user)
      const { headers } = await refusing(
        ['INVALID_PASSWORD'],
        invalidField('/current', 'the current password is wrong'),
        api.changePassword({
          body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
          headers: headersOf(client),
          returnHeaders: true,
        }),
      )
      return cookiesIn(headers)
    },
    requestReset(email) {
      const address = v.safeParse(v.pipe(v.string(), v.trim(), v.email()), email)
      if (!address.success) return
      sendResetLink(address.output.toLowerCase(), options.now()).catch((err: unknown) =>
        options.log.error({ err }, 'no link for a new password was sent'),
      )
    },
    async makeResetToken(accountId) {
      const { internalAdapter } = await auth.$context
      await withDeadline(deleteResetTokens(options.sql, accountId))
      const token = randomBytes(24).toString('base64url')
      const expiresAt = new Date(options.now().getTime() + resetSeconds * 1000)
      await internalAdapter.createVerificationValue({
        identifier: resetIdentifier(token),
        value: accountId,
        expiresAt,
      })
      return token
    },
    async requireResetToken(token) {
      const { internalAdapter } = await auth.$context
      const found = await internalAdapter.findVerificationValue(resetIdentifier(token))
      if (!found || found.expiresAt <= options.now()) throw spentLink()
    },
    async resetPassword(token, next) {
      const { internalAdapter } = await auth.$context
      const found = await internalAdapter.findVerificationValue(resetIdentifier(token))
      const account = found && (await findAccountById(options.sql, found.value))
      if (account) requireUnrelatedPassword(next, account)
      await refusing(
        ['INVALID_TOKEN'],
        spentLink(),
        api.resetPassword({ body: { newPassword: next, token } }),
      )
    },
  }
}

const longestSessionMs = 30 * 24 * 3_600_000

/** True when a session has lasted 30 days, however recently it was used. */
const isOver = (createdAt: Date, at: Date) => at.getTime() - createdAt.getTime() >= longestSessionMs

/** What better-auth calls the row of a link for a new password. */
const resetIdentifier = (token: string) => `reset-password:${token}`

function spentLink(): AppError {
  return new AppError('not_found', 'This link is used up or too old. Ask for a new one.')
}

/** Waits for better-auth, and throws `instead` when it refuses with one of these codes. */
async function refusing<T>(codes: readonly string[], instead: AppError, work: Promise<T>) {
  try {
    return await work
  } catch (error) {
    if (isAPIError(error) && codes.includes(String(error.body?.code))) throw instead
    throw error
  }
}

function headersOf({ cookie, userAgent, address }: Client): Headers {
  return new Headers({ cookie, 'user-agent': userAgent, [addressHeader]: address })
}

interface KnownSession {
  session: { id: string; teamId?: string | null | undefined }
  user: { id: string; email: string; name: string }
}

function readSession({ session, user: { id, email, name } }: KnownSession): SignedIn {
  return { sessionId: session.id, teamId: session.teamId ?? null, account: { id, email, name } }
}

/** Ends every session of an account at once. */
export async function endSessions(sql: Sql | Tx, accountId: string): Promise<void> {
  await withDeadline(deleteSessions(sql, accountId))
}

/** Where an account is signed in, the browser used last first; at most 50. */
export async function listSessions(sql: Sql, now: Now, accountId: string): Promise<OpenSession[]> {
  return await withDeadline(selectSessions(sql, accountId, now(), 50))
}

/** Ends one session of an account, and gives it. Throws `not_found`, also for somebody else's. */
export async function endSession(sql: Sql, accountId: string, id: string): Promise<OpenSession> {
  const ended = await withDeadline(deleteSession(sql, accountId, id))
  if (!ended) throw notFound('This session')
  return ended
}

/** Ends all sessions of an account but one. */
export async function endOtherSessions(sql: Sql, accountId: string, keptId: string): Promise<void> {
  await withDeadline(deleteOtherSessions(sql, accountId, keptId))
}

/** Which team the session looks at from now on; whether it may is asked with every page. */
export async function chooseTeam(sql: Sql, sessionId: string, teamId: string): Promise<void> {
  await withDeadline(updateSessionTeam(sql, sessionId, teamId))
}

/** Forgets sessions and links for a new password that have ended. */
export async function purgeEndedSessions(sql: Sql, now: Now): Promise<void> {
  await withDeadline(deleteEnded(sql, now()))
}
