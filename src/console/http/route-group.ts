import type { AppError } from '../../lib/errors.ts'
import { contextOf, type RouteGroup, statusOf, toAppError } from '../../lib/http/index.ts'
import { translateTo } from '../locales/index.ts'
import { errorPage } from '../pages/errors.tsx'
import { signInAgainPage } from '../pages/sign-in/sign-in-again-pages.tsx'
import { addCookies, asMember, findState } from './access.ts'
import type { ConsoleDeps, ConsoleRequest } from './context.ts'
import { fieldsOfEveryForm } from './forms/form-data.ts'
import { consoleHeaders } from './headers.ts'
import { maxNextLength } from './origin.ts'
import { failure, redirect, withCookies } from './responses.ts'
import { SecondFactorRequiredError, SignInRequiredError } from './sign-in/session.ts'
import { userLocaleOf } from './user-locale.ts'

/** The console as a route group of `lib/http`: errors are error pages or the sign-in page. */
export const consoleRouteGroup = (deps: ConsoleDeps): RouteGroup => ({
  name: 'console',
  prefix: '/',
  headers: consoleHeaders(deps.baseUrl),
  // Some paths contain the token of a link.
  logsPattern: true,
  async replyToError(error, { request }) {
    const response = await errorResponse(deps, request, error)
    addCookies(request, response)
    return response
  },
})

async function errorResponse(deps: ConsoleDeps, request: Request, error: AppError) {
  const state = findState(request)
  const context = state?.context ?? emptyRequest(deps, request)
  const known = contextOf(request)
  if (context.signedIn) known.log['accountId'] = context.signedIn.account.id
  const needsPage =
    error instanceof SignInRequiredError || error instanceof SecondFactorRequiredError
  // No page can be shown there; after a 204 browsers do not connect again (HTML standard, section 9.2).
  if (needsPage && request.headers.get('accept') === 'text/event-stream') {
    return new Response(null, { status: 204 })
  }
  if (error instanceof SignInRequiredError) return await signInResponse(context, error.message)
  if (error instanceof SecondFactorRequiredError) return redirect(context, '/account/second-factor')
  if (error.code !== 'validation_failed' || !state?.renderWithErrors) {
    return await errorPage(context, error, known.id)
  }
  try {
    const fields = error.details.fields ?? []
    const errors = fields.map((one) => ({ ...one, message: context.t.fromEnglish(one.message) }))
    const submitted = { values: context.values, errors }
    const { body, headers } = await state.renderWithErrors(asMember(context), submitted)
    return new Response(body, { status: statusOf.validation_failed, headers })
  } catch (cause) {
    // What the form is about can be missing.
    known.error = toAppError(cause)
    return await errorPage(context, known.error, known.id)
  }
}

/** For errors before the route's checks, such as an invalid address. */
function emptyRequest(deps: ConsoleDeps, request: Request): ConsoleRequest {
  const userLocale = userLocaleOf(request)
  return {
    deps,
    request,
    params: {},
    address: contextOf(request).address,
    url: new URL(deps.baseUrl),
    values: {},
    files: {},
    flash: null,
    signedIn: null,
    csrf: '',
    submission: '',
    userLocale,
    t: translateTo(userLocale.language),
  }
}

async function signInResponse(context: ConsoleRequest, message: string): Promise<Response> {
  const { deps, request, t, url, values } = context
  const reason = message === '' ? null : t.fromEnglish(message)
  const isPost = request.method === 'POST'
  // A script keeps the page with what was typed, and asks for the password there; the sign-in page has the reason.
  if (isPost && request.headers.get('hx-request') === 'true') {
    const cookies = reason === null ? [] : [deps.csrfAndFlash.flashCookie(failure(reason).flash)]
    return withCookies(new Response(null, { status: statusOf.missing_key }), cookies)
  }
  const hasText = Object.keys(values).some((name) => !fieldsOfEveryForm.includes(name))
  if (isPost && hasText) return await signInAgainPage(context, reason)
  if (reason !== null) return redirect(context, '/login', failure(reason))
  const wanted = url.pathname + url.search
  const isWorthKeeping =
    !isPost && !['/', '/home', '/library'].includes(wanted) && wanted.length <= maxNextLength
  return redirect(context, isWorthKeeping ? `/login?next=${encodeURIComponent(wanted)}` : '/login')
}
