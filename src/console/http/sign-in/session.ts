import type { MemberRole } from '../../../contract/vocabulary.ts'
import { listMemberships } from '../../../features/members/index.ts'
import { chooseTeam, endSessions, type SignedIn } from '../../../features/sessions/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { translateTo } from '../../locales/index.ts'
import { can } from '../../roles.ts'
import { clientOf } from '../client.ts'
import { type ConsoleRequest, type MemberRequest, memberContext } from '../context.ts'
import { textOf } from '../forms/form-data.ts'
import { userLocaleOf } from '../user-locale.ts'

/** The page requires a session. The response is the sign-in page instead of an error page. */
export class SignInRequiredError extends AppError {
  constructor(message = '') {
    super('insufficient_scope', message)
    this.name = 'SignInRequiredError'
  }
}

/**
 * Loads the session and the flash message. Returns a function that returns the cookies for the response;
 * call it when the page is complete.
 */
export async function loadSession(context: ConsoleRequest): Promise<() => string[]> {
  const { deps, request } = context
  const client = clientOf(context)
  const { signedIn, cookies: renewed } = await deps.sessions.getSession(client)
  context.signedIn = signedIn
  context.csrf = signedIn ? deps.csrfAndFlash.csrfToken(signedIn.sessionId) : ''
  const pending = deps.csrfAndFlash.readFlash(client.cookie)
  const isFragment = request.headers.get('hx-request') === 'true'
  if (!pending || isFragment || request.method === 'POST') return () => renewed
  let isShown = false
  context.flash = {
    consume() {
      isShown = true
      return pending.flash
    },
  }
  return () => (isShown ? [...renewed, pending.clear] : renewed)
}

/** The session that these cookies start, or null. */
export async function findStartedSession(
  context: ConsoleRequest,
  cookies: readonly string[],
): Promise<SignedIn | null> {
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  const { signedIn } = await context.deps.sessions.getSession({ ...clientOf(context), cookie })
  return signedIn
}

/** The header with which a script names the team of its page. */
const teamHeader = 'x-team'

/** The id of the team of the page that sends a request; empty for links and for pages of an earlier version. */
const teamOfPage = ({ request, values }: ConsoleRequest): string =>
  textOf(values, 'form_team') || (request.headers.get(teamHeader) ?? '')

/** Pages about the person, not about a team; the accounts of chats belong to a team. */
const pagesOfPerson = /^\/(?:logout|account)(?:$|\/(?!chat))/

/**
 * Adds the membership to the request: the team of the page that sends it, which another tab cannot change, that of
 * the session, or the person's first team. Throws `SignInRequiredError` for a person without a session or a team, and
 * that or `insufficient_scope` for the page of a team that the person does not belong to.
 */
export async function loadMembership(context: ConsoleRequest): Promise<MemberRequest> {
  const { deps, signedIn } = context
  if (!signedIn) throw new SignInRequiredError()
  const memberships = await listMemberships(deps.sql, signedIn.account.id)
  const membershipOf = (id: string | null) => memberships.find(({ team_id }) => team_id === id)
  const [named, chosen] = [membershipOf(teamOfPage(context)), membershipOf(signedIn.teamId)]
  const member = named ?? chosen ?? memberships[0]
  if (!member) {
    await endSessions(deps, signedIn.account.id)
    throw new SignInRequiredError('You are no longer a member of a team.')
  }
  const isOfPerson = pagesOfPerson.test(context.url.pathname)
  if (!named && teamOfPage(context) !== '' && !isOfPerson) throw notInTeam(context)
  if (!chosen && memberships.length > 1) {
    await chooseTeam(deps, { sessionId: signedIn.sessionId, teamId: member.team_id })
  }
  const ctx = memberContext(deps, member, context.address)
  const userLocale = userLocaleOf(context.request, {
    chosen: member.language,
    team: member.team_language,
    timeZone: member.time_zone,
  })
  return Object.assign(context, {
    userLocale,
    t: translateTo(userLocale.language),
    signedIn,
    member,
    memberships,
    ctx,
    teamId: member.team_id,
  })
}

/** What was typed is kept: by the page of a script, and in the form of the sign-in page. */
function notInTeam({ request: { method, headers } }: ConsoleRequest): AppError {
  const message =
    'This page belongs to a team of which you are not a member, so nothing was saved. Sign in as a member of that team to save it.'
  const isOfScript = headers.get('hx-request') === 'true' || headers.has(teamHeader)
  if (method === 'POST' && !isOfScript) return new SignInRequiredError(message)
  return new AppError('insufficient_scope', message)
}

/** The session shows the team of a form that a person sends, where the form leads to a page of that team. */
export async function showTeamOfForm(context: MemberRequest): Promise<void> {
  const { deps, signedIn, teamId, memberships, values } = context
  const isChosen = signedIn.teamId === teamId || memberships.length === 1
  if (isChosen || textOf(values, 'form_team') !== teamId) return
  await chooseTeam(deps, { sessionId: signedIn.sessionId, teamId })
}

/** The team requires a second factor, and the person has none. The reply is the page to set one up. */
export class SecondFactorRequiredError extends AppError {
  constructor() {
    super('insufficient_scope', 'Your team requires a second factor.')
    this.name = 'SecondFactorRequiredError'
  }
}

/** The pages for a person who has to set up a second factor first. */
const pagesWithout = ['/account/second-factor', '/account/passkeys', '/account/team', '/logout']

/**
 * Throws `SecondFactorRequiredError` when the team requires a second factor and the person has none, except on
 * the pages to set one up. The identity provider checks second factors itself.
 */
export function requireSecondFactor({
  member,
  signedIn,
  url,
}: Pick<MemberRequest, 'member' | 'signedIn' | 'url'>): void {
  if (!member.team_requires_second_factor) return
  if (signedIn.hasSecondFactor || signedIn.byIdentityProvider) return
  if (pagesWithout.some((path) => `${url.pathname}/`.startsWith(`${path}/`))) return
  throw new SecondFactorRequiredError()
}

/** Throws `insufficient_scope` unless the member has this role or one that includes it. */
export function requireRole({ member: { role } }: MemberRequest, minimum: MemberRole): void {
  if (can(role, minimum)) return
  throw new AppError(
    'insufficient_scope',
    `This needs the role ${minimum}. Yours is ${role}; an admin of the team can change it.`,
  )
}

/** Throws `insufficient_scope` unless the form or the request has the CSRF token of the session. */
export function requireCsrfToken({ deps, request, signedIn, values }: ConsoleRequest): void {
  const token = request.headers.get('x-csrf-token') ?? textOf(values, 'csrf')
  if (signedIn && deps.csrfAndFlash.isCsrfToken(signedIn.sessionId, token)) return
  throw new AppError(
    'insufficient_scope',
    'This form is from an earlier session. Go back, reload the page and send it again.',
  )
}
