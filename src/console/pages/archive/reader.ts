import {
  type ArchiveTeamRow,
  getTeamOfArchive,
  getTeamOfFeed,
} from '../../../features/archive/index.ts'
import { listMemberships } from '../../../features/members/index.ts'
import type { Now } from '../../../lib/clock.ts'
import { createThrottle, networkOf, type Throttle } from '../../../lib/concurrency/throttle.ts'
import { AppError, notFound } from '../../../lib/errors.ts'
import type { ConsoleRequest } from '../../http/context.ts'
import {
  loadSession,
  requireSecondFactor,
  SignInRequiredError,
} from '../../http/sign-in/session.ts'

/** An office opens a newsletter from one address, at the same moment. */
const perNetworkAndMinute = 600

/** Limits the requests of a network to archives and feeds. */
export const createArchiveThrottle = (now: Now): Throttle =>
  createThrottle(now, perNetworkAndMinute)

/** The token in the path. Throws `rate_limited`, and `not_found` for what is not a token. */
function tokenOf({ params, address }: ConsoleRequest, throttle: Throttle): string {
  const retryAfterSeconds = throttle.count(networkOf(address))
  if (retryAfterSeconds > 0) {
    throw new AppError('rate_limited', 'Too many pages at once. Try again in a minute.', {
      retryAfterSeconds,
    })
  }
  const token = params['token'] ?? ''
  if (!/^[\w-]{32}$/.test(token)) throw notFound('This archive')
  return token
}

/**
 * The team of the archive in the path, for a person who may read it. Throws `not_found`,
 * `rate_limited`, and `SignInRequiredError` or `insufficient_scope` where only members may read it.
 */
export async function requireArchive(
  context: ConsoleRequest,
  throttle: Throttle,
): Promise<ArchiveTeamRow> {
  const { deps, url } = context
  const team = await getTeamOfArchive(deps, tokenOf(context, throttle))
  if (team.archive === 'link') return team
  await loadSession(context)
  const { signedIn } = context
  if (!signedIn) throw new SignInRequiredError()
  const memberships = await listMemberships(deps.sql, signedIn.account.id)
  const member = memberships.find(({ team_id }) => team_id === team.team_id)
  if (!member) {
    const message = `Only members of ${team.name} can read its newsletters.`
    throw new AppError('insufficient_scope', message)
  }
  requireSecondFactor({ member, signedIn, url })
  return team
}

/** The team of the feed in the path, and the token there. Throws `not_found`, `rate_limited`. */
export async function requireFeed(
  context: ConsoleRequest,
  throttle: Throttle,
): Promise<{ team: ArchiveTeamRow; token: string }> {
  const token = tokenOf(context, throttle)
  return { team: await getTeamOfFeed(context.deps, token), token }
}
