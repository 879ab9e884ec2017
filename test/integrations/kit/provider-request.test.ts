import { afterAll, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { apiUrl, requestProvider } from '../../../integrations/kit/requests/provider-request.ts'

const canary = 'canary-7f3a'
const Named = v.object({ name: v.string() })

/** What the stand-in for a provider does, by path. */
const replies: Record<string, () => Response | Promise<Response>> = {
  '/right': () => Response.json({ name: 'Mira', ssn: canary }),
  '/gone': () => Response.json({ message: canary }, { status: 404 }),
  '/unauthorized': () => new Response(canary, { status: 401 }),
  '/forbidden': () => new Response(canary, { status: 403 }),
  '/limited': () => new Response(canary, { status: 429, headers: { 'retry-after': '30' } }),
  '/limited-until': () => {
    const date = 'Fri, 20 Nov 2026 09:00:00 GMT'
    const headers = { date, 'retry-after': 'Fri, 20 Nov 2026 09:02:00 GMT' }
    return new Response('', { status: 429, headers })
  },
  '/down': () => new Response(canary, { status: 503 }),
  '/page': () => new Response(`<html>${canary}</html>`),
  '/other': () => Response.json({ name: [canary] }),
  '/empty': () => new Response(null, { status: 204 }),
  '/stalled': () => {
    patience.abort()
    return new Promise(() => {})
  },
}
const patience = new AbortController()
const server = Bun.serve({
  port: 0,
  fetch: ({ url }) => replies[new URL(url).pathname]?.() ?? new Response('', { status: 500 }),
})
afterAll(() => server.stop(true))

const ask = (path: string) =>
  requestProvider(
    {
      provider: { fetch: (url, init) => fetch(url, { ...init, signal: patience.signal }) },
      name: 'The harbour office',
      headers: { authorization: `Bearer ${canary}` },
      check: 'api_key',
    },
    new URL(path, server.url),
    Named,
  )

describe('requests to the API of a provider', () => {
  test('a request to a provider returns the fields of its schema', async () => {
    expect(await ask('/right')).toEqual({ name: 'Mira' })
  })

  test('a request to a provider returns undefined for a 404', async () => {
    expect(await ask('/gone')).toBeUndefined()
  })

  test.each([
    ['/unauthorized', 'refused', 'The harbour office refused the request (401). Check api_key.'],
    ['/forbidden', 'refused', 'The harbour office refused the request (403). Check api_key.'],
    [
      '/limited',
      'rate_limited',
      'The harbour office limits our requests. They are repeated as soon as The harbour office accepts them.',
    ],
    ['/down', 'unavailable', 'The harbour office answered 503.'],
    ['/empty', 'unavailable', 'The harbour office answered 204.'],
    ['/page', 'unavailable', 'The harbour office answered in a form that it does not document.'],
    ['/other', 'unavailable', 'The harbour office answered in a form that it does not document.'],
  ])(
    "a provider's response to %s is classified as %s, and the error repeats nothing of it",
    async (path, problem, message) => {
      const error: unknown = await ask(path).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ name: 'ProviderError', problem, message })
      expect(error).not.toHaveProperty('cause')
    },
  )

  test('the time at which a provider accepts requests again counts from the date of its response', async () => {
    await expect(ask('/limited-until')).rejects.toMatchObject({ retryAfterSeconds: 120 })
  })

  test('a request to a provider ends when the host stops waiting', async () => {
    await expect(ask('/stalled')).rejects.toThrow()
  })
})

test.each([
  ['https://api.example', 'https://api.example/v1/things/7'],
  ['https://api.example/', 'https://api.example/v1/things/7'],
  ['https://api.example/?x=1#y', 'https://api.example/v1/things/7'],
  ['https://gate.example/acme/v2/', 'https://gate.example/acme/v2/things/7'],
])('the URL of a resource is built from the base URL %s', (base, address) => {
  expect(apiUrl(base, '/v1', '/things/7').href).toBe(address)
})
