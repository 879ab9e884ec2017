import { createHash, randomBytes } from 'node:crypto'
import { notFound } from '../../../lib/errors.ts'
import { recordAccountAudit } from '../../accounts/index.ts'
import {
  type AuthDeps,
  type Client,
  type Cookies,
  endClientSession,
  headersOf,
} from '../better-auth/better-auth.ts'
import { cookieNameOf, sessionCookieName } from '../cookie-names.ts'
import { withCallbackState } from './callback-state.ts'
import type { Connector } from './connector.ts'
import { IdentityProviderError } from './fetch-json.ts'
import { SignInRefusedError } from './find-or-create-account.ts'
import type { IdentityProvider } from './provider.ts'

/** What a provider adds to the address to which it sends a person back. */
interface CallbackQuery {
  code?: string | undefined
  state?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

/** How people sign in with an identity provider. */
export interface ProviderSignIn {
  /** The configured providers. */
  identityProviders: readonly Pick<IdentityProvider, 'id' | 'name'>[]
  /**
   * Starts a sign-in; the person continues at `url`, and afterwards at the path `next`. Throws `not_found`
   * for a provider that is not configured, and `SignInRefusedError`.
   */
  startProviderSignIn(
    client: Client,
    input: { providerId: string; next: string },
  ): Promise<{ url: string; cookies: Cookies }>
  /**
   * Completes a sign-in and ends the session the browser had. Throws `not_found` for a provider that is
   * not configured, and `SignInRefusedError`.
   */
  completeProviderSignIn(
    client: Client,
    input: { providerId: string; query: CallbackQuery },
  ): Promise<{ next: string; cookies: Cookies }>
}

/** Creates the functions for sign-in with identity providers. */
export const createProviderSignIn = (deps: AuthDeps): ProviderSignIn => ({
  identityProviders: deps.connectors.map(({ provider: { id, name } }) => ({ id, name })),
  startProviderSignIn: (client, { providerId, next }) =>
    withClearFailure(deps, requireConnector(deps, providerId), (connector) =>
      start(deps, { client, connector, next }),
    ),
  completeProviderSignIn: (client, { providerId, query }) =>
    withClearFailure(deps, requireConnector(deps, providerId), (connector) =>
      complete(deps, { client, connector, query }),
    ),
})

function requireConnector({ connectors }: AuthDeps, id: string): Connector {
  const connector = connectors.find(({ provider }) => provider.id === id)
  if (!connector) throw notFound('This page')
  return connector
}

/** Runs one step with the provider. A failure of the provider is logged and becomes a `SignInRefusedError`. */
async function withClearFailure<T>(
  { log }: AuthDeps,
  connector: Connector,
  step: (connector: Connector) => Promise<T>,
): Promise<T> {
  const { id, name } = connector.provider
  try {
    await connector.discover()
    return await step(connector)
  } catch (error) {
    if (!(error instanceof IdentityProviderError)) throw error
    log.warn({ provider: id, reason: error.message }, 'the identity provider could not be used')
    const cause =
      error.kind === 'unavailable'
        ? `${name} does not respond as expected.`
        : `The response of ${name} could not be verified.`
    throw new SignInRefusedError(`${cause} Try again in a few minutes.`)
  }
}

interface Start {
  client: Client
  connector: Connector
  next: string
}

async function start(deps: AuthDeps, { client, connector, next }: Start) {
  const { api } = await deps.auth()
  const { headers, response } = await api.signInWithOAuth2({
    body: {
      providerId: connector.provider.id,
      callbackURL: next,
      additionalData: { nonce: randomBytes(24).toString('base64url') },
    },
    headers: headersOf({ ...client, cookie: '' }),
    returnHeaders: true,
  })
  const { url } = response
  const name = stateCookieName(deps)
  const own = stateCookieName(deps, URL.parse(url)?.searchParams.get('state') ?? '')
  const cookies = headers.getSetCookie().filter((cookie) => cookie.startsWith(`${name}=`))
  return { url, cookies: cookies.map((cookie) => cookie.replace(name, own)) }
}

/** The name of the cookie that binds a sign-in to its browser: one per sign-in, so that two tabs can sign in. */
function stateCookieName({ baseUrl }: Pick<AuthDeps, 'baseUrl'>, state?: string): string {
  const name = cookieNameOf(baseUrl, 'oidc')
  if (state === undefined) return name
  return `${name}_${createHash('sha256').update(state).digest('hex').slice(0, 8)}`
}

interface Completion {
  client: Client
  connector: Connector
  query: CallbackQuery
}

async function complete(deps: AuthDeps, { client, connector, query }: Completion) {
  const { name, id } = connector.provider
  if (query.error !== undefined) throw new SignInRefusedError(refusalOf(name, query.error))
  const own = stateCookieName(deps, query.state ?? '')
  const cookie = client.cookie.split('; ').find((one) => one.startsWith(`${own}=`))
  // The start of the sign-in and its end must be in the same browser.
  if (query.state === undefined || cookie === undefined) throw notStartedHere()
  const headers = headersOf({ ...client, cookie: cookie.replace(own, stateCookieName(deps)) })
  const { api } = await deps.auth()
  const { response, account } = await withCallbackState(client.address, () =>
    api.oAuth2Callback({
      params: { providerId: id },
      query,
      headers,
      asResponse: true as const,
    }),
  ).catch((error: unknown) => recordRefusal(deps, client, error))
  const cookies = deps.cookiesIn(response.headers)
  const isSignedIn = cookies.some((one) => one.startsWith(`${sessionCookieName(deps.baseUrl)}=`))
  if (!(account && isSignedIn)) throw notStartedHere()
  await endClientSession(deps, client)
  const audit = { ...deps, accountId: account.id, address: client.address }
  await recordAccountAudit(audit, 'signed_in', name)
  const next = response.headers.get('location') ?? '/'
  return { next, cookies: [...cookies, `${own}=; Path=/; Max-Age=0`] }
}

/** Writes a refused sign-in to the audit logs of the account, and throws the error again. */
async function recordRefusal(deps: AuthDeps, { address }: Client, error: unknown): Promise<never> {
  if (error instanceof SignInRefusedError && error.account) {
    const accountId = error.account.id
    await recordAccountAudit({ ...deps, accountId, address }, 'sign_in_failed')
  }
  throw error
}

const notStartedHere = () =>
  new SignInRefusedError(
    'This sign-in took too long, or was started in another browser. Sign in again.',
  )

/** The error of a provider (RFC 6749, section 4.1.2.1) for people. Its description is not shown: anybody can write it. */
function refusalOf(name: string, error: string): string {
  if (error === 'access_denied') return `The sign-in at ${name} was canceled or not allowed.`
  return `${name} did not sign you in. Try again in a few minutes.`
}
