import type { MemberRole } from '../contract/vocabulary.ts'
import { listMemberships } from '../features/members/index.ts'
import { chooseTeam, endSessions, type SignedIn } from '../features/sessions/index.ts'
import { AppError, notFound } from '../lib/errors.ts'
import { clientOf } from './client.ts'
import { readForm, textOf } from './form-data.ts'
import { securityHeaders } from './headers.ts'
import { isOwnOrigin } from './origin.ts'
import type { ConsoleDeps, ConsoleRequest, MemberRequest, Route } from './page.ts'
import { errorPage } from './pages/errors.tsx'
import { failure, redirect } from './responses.ts'
import { can } from './roles.ts'

/** What a request is about to meet: a page, or nothing. */
export type RouteOrNone = Route | 'nothing'

export type Pipeline = (
  target: RouteOrNone,
  request: Request,
  params: Record<string, string>,
  address: string,
) => Promise<Response>

/**
 * Carries a request through the checks every page has, in this order: origin, session, team, role,
 * token; then the page itself. What goes wrong becomes a page too.
 */
export function createPipeline(deps: ConsoleDeps): Pipeline {
  const common = securityHeaders(deps.baseUrl)
  return async (target, request, params, address) => {
    const started = performance.now()
    const requestId = Bun.randomUUIDv7()
    const arrival: ConsoleRequest = {
      ...{ deps, request, params, address, url: new URL(request.url) },
      ...{ values: {}, flash: null, signedIn: null, csrf: '' },
    }
    const { response, failure } = await handleRequest(target, arrival)
      .then((response): Outcome => ({ response }))
      .catch(async (error): Promise<Outcome> => {
        const failure = asAppError(error)
        return { failure, response: await errorPage(arrival, failure, requestId) }
      })
    for (const [name, value] of Object.entries(common)) {
      if (!response.headers.has(name)) response.headers.set(name, value)
    }
    response.headers.set('x-request-id', requestId)
    deps.log[response.status >= 500 ? 'error' : 'info'](
      {
        requestId,
        method: request.method,
        // The pattern, not the path: some paths hold the token of a link.
        path: target === 'nothing' ? 'none' : target.path,
        status: response.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
        ...(failure && { code: failure.code, err: failure.details.cause }),
        ...(arrival.signedIn && { accountId: arrival.signedIn.account.id }),
      },
      'console request',
    )
    return response
  }
}

interface Outcome {
  response: Response
  failure?: AppError
}

async function handleRequest(target: RouteOrNone, arrival: ConsoleRequest): Promise<Response> {
  const { deps, request } = arrival
  // No address of ours holds NUL, and PostgreSQL keeps none.
  const asked = [...Object.values(arrival.params), ...arrival.url.searchParams.values()]
  if (asked.some((text) => text.includes('\0'))) throw notFound('This page')
  if (request.method === 'POST') {
    if (!isOwnOrigin(request, deps.baseUrl)) {
      throw new AppError('insufficient_scope', 'This form was sent from another site.')
    }
    if (target !== 'nothing') arrival.values = await readForm(request)
  }
  const cookiesAfter = await loadSession(arrival)
  const response = await authorize(target, arrival)
  const cookies = cookiesAfter()
  // What the page sets stands: somebody who signs in may have come with a session that had ended.
  const set = response.headers.getSetCookie().map(nameOf)
  for (const cookie of cookies.filter((one) => !set.includes(nameOf(one)))) {
    response.headers.append('set-cookie', cookie)
  }
  return response
}

const nameOf = (cookie: string) => cookie.slice(0, cookie.indexOf('='))

async function authorize(target: RouteOrNone, arrival: ConsoleRequest): Promise<Response> {
  if (target !== 'nothing' && target.access === 'anyone') return await target.handler(arrival)
  const { deps, signedIn } = arrival
  const visit = signedIn && (await loadMembership(arrival, signedIn))
  // From here on a failure's page, too, has the sections at the side.
  if (visit) Object.assign(arrival, visit)
  if (target === 'nothing') throw new AppError('not_found', 'There is no page at this address.')
  if (!signedIn) return redirect(arrival, loginPath(arrival))
  if (!visit) {
    await endSessions(deps.sql, signedIn.account.id)
    return redirect(arrival, '/login', failure('You are not a member of a team any more.'))
  }
  requireRole(visit, target.access)
  if (visit.request.method === 'POST') requireCsrfToken(visit)
  return await target.handler(visit)
}

function requireRole({ member: { role } }: MemberRequest, least: MemberRole): void {
  if (can(role, least)) return
  throw new AppError(
    'insufficient_scope',
    `This needs the role ${least}. Yours is ${role}; an admin of the team can change it.`,
  )
}

/**
 * Finds out who asks, and what the page before left to say; gives the cookies to answer with, once the
 * page is made.
 */
async function loadSession(arrival: ConsoleRequest): Promise<() => string[]> {
  const { deps } = arrival
  const client = clientOf(arrival)
  const { signedIn, cookies: renewed } = await deps.sessions.getSession(client)
  arrival.signedIn = signedIn
  arrival.csrf = signedIn ? deps.seals.csrfToken(signedIn.sessionId) : ''
  const left = deps.seals.readFlash(client.cookie)
  const isPart = arrival.request.headers.get('hx-request') === 'true'
  if (!left || isPart || arrival.request.method === 'POST') return () => renewed
  let said = false
  arrival.flash = {
    consume() {
      said = true
      return left.flash
    },
  }
  return () => (said ? [...renewed, left.clear] : renewed)
}

async function loadMembership(
  arrival: ConsoleRequest,
  signedIn: SignedIn,
): Promise<MemberRequest | null> {
  const { sql } = arrival.deps
  const memberships = await listMemberships(sql, signedIn.account.id)
  const chosen = memberships.find(({ team_id }) => team_id === signedIn.teamId)
  const member = chosen ?? memberships[0]
  if (!member) return null
  if (!chosen && memberships.length > 1) await chooseTeam(sql, signedIn.sessionId, member.team_id)
  return { ...arrival, signedIn, memberships, member, teamId: member.team_id }
}

function requireCsrfToken({ deps, request, signedIn, values }: MemberRequest): void {
  const token = request.headers.get('x-csrf-token') ?? textOf(values, 'csrf')
  if (deps.seals.isCsrfToken(signedIn.sessionId, token)) return
  throw new AppError(
    'insufficient_scope',
    'This form is from an earlier session. Go back, reload the page and send it again.',
  )
}

function loginPath({ request, url }: ConsoleRequest): string {
  const wanted = url.pathname + url.search
  const worthKeeping = request.method !== 'POST' && !['/', '/home', '/library'].includes(wanted)
  return worthKeeping ? `/login?next=${encodeURIComponent(wanted)}` : '/login'
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('internal_error', 'Something went wrong on our side.', { cause: error })
}
