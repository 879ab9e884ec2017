import { importPKCS8, SignJWT } from 'jose'
import * as v from 'valibot'
import { getAccessToken, invalidateAccessToken } from '../kit/access-token.ts'
import { ProviderError, responseError, unreachedError } from '../kit/provider-error.ts'
import type { ProviderApi } from '../kit/requests/provider-request.ts'
import { googleUrls, pemOf, type Settings } from './settings.ts'

const name = 'Google Chat'
const check = 'service_account and private_key, and that the app is a member of the space'
const timeoutMs = 10_000
const scope = 'https://www.googleapis.com/auth/chat.bot'
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The API of Google Chat with the service account of a connection. */
export interface ChatContext {
  settings: Settings
  provider: ProviderApi
}

interface ChatCall {
  method?: 'GET' | 'POST' | 'PATCH'
  path: string
  query?: Record<string, string>
  body?: object
}

/**
 * Calls a method of the API. Returns what `schema` picks of the response, `missing` for a 404 and `exists` for a 409.
 * Throws a `ProviderError`: `refused` and `rate_limited` mean that nothing was done, `unavailable` that it may be.
 */
export async function callGoogleChat<Schema extends v.GenericSchema>(
  context: ChatContext,
  call: ChatCall,
  schema: Schema,
): Promise<v.InferOutput<Schema> | 'missing' | 'exists'> {
  const response = await requestChat(context, call)
  if (response.status === 404) return 'missing'
  if (response.status === 409) return 'exists'
  if (response.status === 400)
    throw new ProviderError('refused', `${name} refused the request (400).`)
  if (!response.ok) throw responseError(response, { name, check })
  const parsed = v.safeParse(schema, await response.json().catch(() => undefined))
  if (parsed.success) return parsed.output
  throw new ProviderError('unavailable', `${name} answered in a form that it does not document.`)
}

/** Requests a path of the API with an access token, and once more when the token is not accepted any more. */
export async function requestChat(context: ChatContext, call: ChatCall): Promise<Response> {
  const response = await requestOnce(context, call)
  if (response.status !== 401) return response
  invalidateAccessToken(credentialsOf(context.settings))
  return await requestOnce(context, call)
}

async function requestOnce(context: ChatContext, call: ChatCall): Promise<Response> {
  const { method = 'GET', path, query = {}, body } = call
  const url = new URL(googleUrls(context.settings).api + path)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  const token = await accessToken(context)
  const request = context.provider.fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  return await request.catch((error: unknown) => {
    throw unreachedError(error, `${name} could not be reached.`)
  })
}

function credentialsOf(settings: Settings) {
  const { service_account: account, private_key: [key] = [] } = settings
  if (account === undefined || key === undefined) {
    throw new ProviderError('refused', 'Set service_account and private_key first.')
  }
  return { url: googleUrls(settings).token, credentials: `${account} ${key}`, account, key }
}

/**
 * An access token of the service account.
 * Source: https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
async function accessToken({ settings, provider }: ChatContext): Promise<string> {
  const { account, key, ...request } = credentialsOf(settings)
  return await getAccessToken({
    ...request,
    provider,
    name: 'Google',
    check: 'service_account and private_key',
    async form() {
      const assertion = await new SignJWT({ scope })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuer(account)
        .setAudience(request.url)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(await importPKCS8(pemOf(key), 'RS256'))
      return { grant_type: grantType, assertion }
    },
  })
}
