import { Elysia } from 'elysia'
import type { MemberRole } from '../../contract/vocabulary.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import { contextOf, isUnreadable } from '../../lib/http/index.ts'
import { translateTo } from '../locales/index.ts'
import type { ConsoleDeps, ConsoleRequest, MemberRequest, SubmittedForm } from './context.ts'
import { readForm } from './forms/form-data.ts'
import { isOwnOrigin } from './origin.ts'
import {
  loadMembership,
  loadSession,
  requireCsrfToken,
  requireRole,
  requireSecondFactor,
  showTeamOfForm,
} from './sign-in/session.ts'
import { userLocaleOf } from './user-locale.ts'

/** Renders the page of a form again with the submitted values and the errors. */
type RenderWithErrors = (context: MemberRequest, submitted: SubmittedForm) => Promise<Response>

interface RequestState {
  context: ConsoleRequest
  /** The cookies that the response sets for the session and the flash message. */
  cookies(): string[]
  renderWithErrors?: RenderWithErrors
}

const states = new WeakMap<Request, RequestState>()

/** The state of a request, or undefined before the checks of its route have started. */
export const findState = (request: Request): RequestState | undefined => states.get(request)

function requireState(request: Request): RequestState {
  const state = states.get(request)
  if (!state) throw new Error('This route has neither `role` nor `public`.')
  return state
}

interface RawContext {
  request: Request
  params?: Record<string, string>
  path?: string
}

interface PublicOptions {
  maxFileBytes?: number
  session?: boolean
}

/** Loads the form and the session. Throws for unreadable paths, cross-site forms and other content types. */
async function loadRequest(
  deps: ConsoleDeps,
  { request, params = {} }: RawContext,
  { maxFileBytes = 0, session = true }: PublicOptions,
) {
  const userLocale = userLocaleOf(request)
  const context: ConsoleRequest = {
    deps,
    request,
    params,
    address: contextOf(request).address,
    url: new URL(request.url),
    values: {},
    files: {},
    flash: null,
    signedIn: null,
    csrf: '',
    submission: crypto.randomUUID(),
    userLocale,
    t: translateTo(userLocale.language),
  }
  const state: RequestState = { context, cookies: () => [] }
  states.set(request, state)
  requireReadable(context)
  if (request.method === 'POST') {
    if (!isOwnOrigin(request, deps.baseUrl)) {
      throw new AppError('insufficient_scope', 'This form was sent from another site.')
    }
    Object.assign(context, await readForm(request, { maxFileBytes }))
  }
  if (session) state.cookies = await loadSession(context)
}

function requireReadable({ params, url }: ConsoleRequest): void {
  const texts: (string | null)[] = [...Object.values(params), ...url.searchParams.values()]
  if (texts.some(isUnreadable)) throw notFound('This page')
}

/**
 * The options that every route of the console chooses from. All checks run before Elysia validates the
 * form: origin, body, session, team, role, CSRF token.
 *
 * - `role: 'editor'`: members with this role or one that includes it; the context is a `MemberRequest`.
 *   With `role: { minimum: 'editor', maxFileBytes }`, the form may contain files.
 * - `public: true`: everybody; the context is a `ConsoleRequest`. With `public: { maxFileBytes }`, the form
 *   may contain files; with `public: { session: false }`, the session is not loaded and no cookie is set.
 * - `renderWithErrors: page`: when the form is invalid, this page is sent with status 422.
 * - `timeoutSeconds: 90`: for responses that take longer than the server waits by default.
 */
export function access(deps: ConsoleDeps) {
  const loadOnce = async (raw: RawContext, options: PublicOptions = {}) => {
    if (!states.has(raw.request)) await loadRequest(deps, raw, options)
  }
  return new Elysia().macro({
    public(options: true | PublicOptions) {
      const chosen = options === true ? {} : options
      return {
        async parse(context: RawContext) {
          await loadOnce(context, chosen)
          return requireState(context.request).context.values
        },
        transform: (context: RawContext) => loadOnce(context, chosen),
        resolve: ({ request }: RawContext) => ({ ...requireState(request).context }),
        afterHandle: ({ request, responseValue }) => addCookies(request, responseValue),
      }
    },
    role(options: MemberRole | { minimum: MemberRole; maxFileBytes: number }) {
      const { minimum, maxFileBytes } =
        typeof options === 'string' ? { minimum: options, maxFileBytes: 0 } : options
      const loadMemberOnce = async (raw: RawContext) => {
        if (states.has(raw.request)) return
        await loadOnce(raw, { maxFileBytes })
        const member = await loadMembership(requireState(raw.request).context)
        requireSecondFactor(member)
        requireRole(member, minimum)
        if (raw.request.method !== 'POST') return
        requireCsrfToken(member)
        await showTeamOfForm(member)
      }
      return {
        detail: documentRole(minimum),
        async parse(context: RawContext) {
          await loadMemberOnce(context)
          return requireState(context.request).context.values
        },
        transform: loadMemberOnce,
        resolve: ({ request }: RawContext) => ({ ...asMember(requireState(request).context) }),
        afterHandle: ({ request, responseValue }) => addCookies(request, responseValue),
      }
    },
    renderWithErrors: (render: RenderWithErrors) => ({
      transform({ request }: RawContext) {
        requireState(request).renderWithErrors = render
      },
    }),
    timeoutSeconds: (seconds: number) => ({
      transform({ request, server }) {
        server?.timeout(request, seconds)
      },
    }),
  })
}

/** Adds the role to `app.routes`, where the tests read it. */
const documentRole = (role: MemberRole) => ({ hide: true, 'x-role': role })

/** Valid after `loadMembership`, which adds the membership to the same object. */
export const asMember = (context: ConsoleRequest) => context as MemberRequest

/** Adds the cookies of the session, unless the page has set a cookie with the same name. */
export function addCookies(request: Request, response: unknown): void {
  const state = states.get(request)
  if (!state || !(response instanceof Response)) return
  const set = response.headers.getSetCookie().map(cookieName)
  for (const cookie of state.cookies().filter((one) => !set.includes(cookieName(one)))) {
    response.headers.append('set-cookie', cookie)
  }
}

const cookieName = (cookie: string) => cookie.slice(0, cookie.indexOf('='))
