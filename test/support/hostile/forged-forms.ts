import { pages } from '../../../src/console/pages/index.ts'
import { noDeps, type Route } from '../browser/console-walk.ts'
import type { Person } from '../console.ts'

/** A request that no page of the console sends, and the statuses that it may get. */
export interface Forgery {
  name: string
  method?: string
  query?: string
  headers?: Record<string, string>
  body?: string
  statuses: readonly number[]
}

const form = 'application/x-www-form-urlencoded'
// What a form of at most 256 KiB does not contain.
const oversize = `note=${'x'.repeat(256 * 1024)}`
const refused = [403]
const unreadable = [403, 413, 415, 422]
const noSuchRoute = [404, 405]

export const cookieOf = ({ cookies }: Pick<Person, 'cookies'>) =>
  [...cookies].map((pair) => pair.join('=')).join('; ')

/** Forms that other sites send, with the session of the person who visits them. */
export function forgedOrigins(base: string): Forgery[] {
  const { host, port } = new URL(base)
  const headers = {
    'a foreign origin': { origin: 'https://evil.example' },
    'the origin null': { origin: 'null' },
    'an origin that begins as ours': { origin: `http://${host}.evil.example` },
    'an origin that contains ours': { origin: `https://evil.example/${host}` },
    'another port': { origin: `http://127.0.0.1:${Number(port) - 1}` },
    'another site': { 'sec-fetch-site': 'cross-site' },
    'another subdomain': { 'sec-fetch-site': 'same-site' },
    'our origin and another site': { origin: base, 'sec-fetch-site': 'cross-site' },
  }
  return Object.entries(headers).map(([name, one]) => ({ name, headers: one, statuses: refused }))
}

/** Forms without the CSRF token of the session. `tokens` are of other sessions. */
export function forgedTokens(token: string, tokens: Record<string, string>): Forgery[] {
  const bodies: Record<string, string> = {
    'no token': 'name=x',
    'an empty token': 'csrf=',
    'an invented token': `csrf=${'x'.repeat(token.length)}`,
    'a shorter token': `csrf=${token.slice(0, -1)}`,
    'a longer token': `csrf=${token}x`,
    'the token in capitals': `csrf=${token.toUpperCase()}x`,
    'the token as a list': `csrf[]=${token}`,
    'the token under another name': `_csrf=${token}&CSRF=${token}`,
    'the token, then a wrong one': `csrf=${token}&csrf=x`,
  }
  for (const [name, one] of Object.entries(tokens)) bodies[name] = `csrf=${one}`
  const inBody = Object.entries(bodies).map(([name, body]) => ({ name, body, statuses: refused }))
  const inUrl = { name: 'the token in the URL', query: `?csrf=${token}`, body: 'name=x' }
  return [...inBody, { ...inUrl, statuses: refused }]
}

/** Requests with the right token that are no form, or no POST. */
export function forgedFormats(token: string): Forgery[] {
  const body = `csrf=${token}`
  const types: Record<string, string> = {
    'text/plain': body,
    'application/json': JSON.stringify({ csrf: token }),
    'application/xml': `<csrf>${token}</csrf>`,
    'multipart/form-data': body,
    'application/octet-stream': body,
    [`${form}x`]: body,
  }
  const asOtherType = Object.entries(types).map(([type, text]) => ({
    name: `the content type ${type}`,
    headers: { 'content-type': type },
    body: text,
    statuses: unreadable,
  }))
  const methods = ['PUT', 'PATCH', 'DELETE'].map((method) => ({
    name: `the method ${method}`,
    method,
    body,
    statuses: noSuchRoute,
  }))
  return [
    ...asOtherType,
    ...methods,
    { name: 'a form that is too large', body: `${body}&${oversize}`, statuses: [413, 415] },
    { name: 'a NUL character', body: `${body}&name=%00`, statuses: [422] },
  ]
}

/** Requests that change nothing because they are GET, whatever they contain. */
export function forgedReads(token: string): Forgery[] {
  const query = `?csrf=${token}&_method=POST`
  const replies = [200, 303, 404, 405, 422]
  return [
    { name: 'GET instead of POST', method: 'GET', query, statuses: replies },
    {
      name: 'GET that says it is POST',
      method: 'GET',
      query,
      headers: { 'x-http-method-override': 'POST', 'x-http-method': 'POST' },
      statuses: replies,
    },
  ]
}

/** Sends a forgery of a route, with a cookie. */
export async function sendForgery(
  url: string,
  { method = 'POST', query = '', headers = {}, body }: Forgery,
  cookie: string,
): Promise<{ status: number; html: string }> {
  const isForm = body !== undefined && !('content-type' in headers)
  const response = await fetch(url + query, {
    method,
    headers: { cookie, ...(isForm && { 'content-type': form }), ...headers },
    ...(body !== undefined && method !== 'GET' && { body }),
    redirect: 'manual',
  })
  return { status: response.status, html: await response.text() }
}

interface Described {
  entries?: Record<string, unknown>
}

const namesByRoute = new Map(
  pages(noDeps()).routes.map(({ method, path, hooks }) => {
    const schema: Described = hooks.body ?? {}
    return [`${method} ${path}`, Object.keys(schema.entries ?? {})]
  }),
)
const allNames = [...new Set([...namesByRoute.values()].flat())]

/** The names of the fields of a route's form: those of all forms for a route that reads them itself. */
export function fieldNames({ method, path }: Pick<Route, 'method' | 'path'>): readonly string[] {
  const own = namesByRoute.get(`${method} ${path}`) ?? []
  return own.length > 0 ? own : allNames
}
