import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import type { IdentityProvider } from '../../../src/features/sessions/index.ts'

/** A person at the provider. */
interface ProviderPerson {
  email?: string | null
  email_verified?: boolean
  name?: string
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface TestIdentityProvider {
  issuer: string
  /** How Tidings is configured to use it. */
  settings(id?: IdentityProvider['id'], name?: string): IdentityProvider
  /** The people of the provider, by subject. */
  people: Map<string, ProviderPerson>
  /** Responses that replace those of the provider, by path. */
  replaced: Map<string, Handler>
  /** The paths that were requested. */
  requests: string[]
  /** An id token that is signed with the key of the provider. */
  sign(claims: JWTPayload, header?: { kid?: string }): Promise<string>
  /** Does what a browser does after `url`: signs in as `sub`; returns the path of the callback. */
  signIn(url: string, sub: string): Promise<string>
  close(): Promise<void>
}

export const clientId = 'tidings test'
export const clientSecret = 'a secret of the client: with/signs+'

/** Responds with JSON. */
export const respond =
  (body: unknown, status = 200): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

/** A real OpenID Connect provider on a free port, for a Tidings at `baseUrl`. */
export async function startIdentityProvider(baseUrl: string): Promise<TestIdentityProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }
  const people = new Map<string, ProviderPerson>()
  const replaced = new Map<string, Handler>()
  const requests: string[] = []
  let handle: Handler = () => {}
  const server = createServer((request, response) => {
    const path = URL.parse(request.url ?? '', 'http://here.invalid')?.pathname ?? ''
    requests.push(path)
    const handler = replaced.get(path) ?? handle
    handler(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const ids = ['google', 'entra', 'okta', 'keycloak', 'other']
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: ids.map((id) => `${baseUrl}/login/oidc/${id}/callback`),
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['a key of the test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, ...people.get(sub) }),
    }),
  })
  const ordinary = provider.callback()
  let subject = ''
  handle = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void ordinary(request, response)
    finishInteraction(provider, { request, response, subject }).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  }
  return {
    issuer,
    people,
    replaced,
    requests,
    settings: (id = 'okta', name = 'Okta') => ({ id, name, issuer, clientId, clientSecret }),
    sign: async (claims, header = {}) =>
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'first', ...header })
        .sign(privateKey),
    async signIn(url, sub) {
      subject = sub
      return await follow(url, baseUrl)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Interaction {
  request: IncomingMessage
  response: ServerResponse
  subject: string
}

/** Signs a person in at the provider, and allows everything that was asked for. */
async function finishInteraction(
  provider: Provider,
  { request, response, subject }: Interaction,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    return await provider.interactionFinished(request, response, { login: { accountId: subject } })
  }
  const grant = new provider.Grant({ accountId: subject, clientId })
  grant.addOIDCScope(String(params['scope']))
  const consent = { grantId: await grant.save() }
  await provider.interactionFinished(request, response, { consent })
}

/** Follows redirects, with the cookies of one browser, until one leads to `baseUrl`. */
async function follow(start: string, baseUrl: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  for (let step = 0; step < 12; step++) {
    if (url.startsWith(baseUrl)) return url.slice(baseUrl.length)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${response.status} ${await response.text()}`)
    url = new URL(location, url).href
  }
  throw new Error('the provider redirects without end')
}
