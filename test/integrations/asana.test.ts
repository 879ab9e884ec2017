import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { adapter } from '../../integrations/asana/adapter.ts'
import { fetch as asana, sign } from '../../integrations/asana/fixtures/sign.ts'
import update from '../../integrations/asana/fixtures/status_update.added.json'
import { loadAdapters } from '../../integrations/index.ts'
import { emptyTeam } from '../../integrations/kit/dry-run.ts'
import { createConnection } from '../../src/features/connections/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { fixtureTime, noKeys, noProvider, post, runAdapter } from '../support/adapters.ts'
import { startApp } from '../support/app.ts'

const loaded = (await loadAdapters()).get('asana')
if (loaded === undefined) throw new Error('there is no Asana adapter')
const hook = loaded

const [current, next, third] = ['kittiwake-0123456', 'kestrel-01234567', 'knot-0123456789']
const own = { access_token: '1/token-of-the-fixtures' }
const json = JSON.stringify(update.body)
const signatureOf = (body: string, secret = current) =>
  sign(body, { webhook_secret: secret })['x-hook-signature']

function receive(body: string | Uint8Array, headers: Record<string, string>, secret?: unknown) {
  const settings = v.parse(adapter.settings, {
    ...own,
    ...(secret ? { webhook_secret: secret } : {}),
  })
  const context = {
    settings,
    now: fixtureTime,
    team: emptyTeam,
    language: 'en' as const,
    keys: noKeys,
    provider: noProvider,
  }
  return adapter.receive(post(headers, body), context)
}

const refused = { kind: 'rejected', status: 401, reason: 'signature missing or wrong' } as const

describe('Asana: signature', () => {
  const right = signatureOf(json)

  test.each<[string, Record<string, string>]>([
    ['without a signature', {}],
    ['with an empty signature', { 'x-hook-signature': '' }],
    ['with a truncated signature', { 'x-hook-signature': right.slice(0, -1) }],
    ['with a signature in upper case', { 'x-hook-signature': right.toUpperCase() }],
    ['signed with another secret', { 'x-hook-signature': signatureOf(json, third) }],
    ['signed over another body', { 'x-hook-signature': signatureOf(`${json} `) }],
  ])('an Asana request with %s is refused', async (_, headers) => {
    expect(await receive(json, headers, current)).toEqual(refused)
  })

  test('both Asana secrets are accepted while one is being rotated, and no third', async () => {
    const kinds = [next, current, third].map(async (secret) => {
      const headers = { 'x-hook-signature': signatureOf(json, secret) }
      return (await receive(json, headers, [next, current])).kind
    })
    expect(await Promise.all(kinds)).toEqual(['event', 'event', 'rejected'])
  })

  test('an Asana request is refused while no secret is known', async () => {
    expect(await receive(json, { 'x-hook-signature': right })).toEqual(refused)
    expect(await receive(json, { 'x-hook-signature': signatureOf(json, '') })).toEqual(refused)
  })

  test.each([
    '{',
    '[]',
    'null',
    '{}',
    '{"events":[{"action":"added","resource":{"gid":"../me"}}]}',
  ])(
    'a signed Asana request that contains %s is answered with 400, and the answer repeats nothing of it',
    async (body) => {
      const received = await receive(body, { 'x-hook-signature': signatureOf(body) }, current)
      expect(received).toMatchObject({ kind: 'rejected', status: 400 })
      expect(JSON.stringify(received)).not.toContain('../me')
    },
  )
})

test('an Asana event that cannot be read hides no other event of its request', async () => {
  const [event] = update.body.events
  const broken = [{ ...event, resource: null }, null, { ...event, created_at: 7 }]
  const body = JSON.stringify({ events: [...broken, event] })
  const received = await receive(body, { 'x-hook-signature': signatureOf(body) }, current)
  expect(received).toMatchObject({ kind: 'event', eventName: 'status_update.added' })
})

describe('Asana: handshake', () => {
  test('the Asana handshake is answered with the secret in the header, and the secret is stored', async () => {
    expect(await receive('', { 'x-hook-secret': current })).toEqual({
      kind: 'immediateReply',
      reply: { status: 200, headers: { 'x-hook-secret': current } },
      providerSettings: { webhook_secret: current },
    })
  })

  test('a second Asana secret is refused, also when the request is signed', async () => {
    const headers = { 'x-hook-secret': next, 'x-hook-signature': signatureOf('') }
    expect(await receive('', headers, current)).toEqual(refused)
  })

  test.each(['short', 'with spaces in its middle', '<script>alert(1)</script>'])(
    'the Asana secret %j is refused',
    async (secret) => {
      expect(await receive('', { 'x-hook-secret': secret })).toEqual(refused)
    },
  )
})

test('an Asana webhook is set up over HTTP, and its signed requests are accepted from then on', async () => {
  const app = await startApp({ adapters: [hook], forward: false })
  try {
    const { id } = await app.team()
    const { webhookToken } = await createConnection(systemContext(app.forwarder, id), {
      adapter: hook,
      given: own,
    })
    const send = (headers: Record<string, string>, body = '') =>
      fetch(`${app.base}/hooks/asana/${webhookToken}`, { method: 'POST', headers, body })
    const introduction = await send({ 'x-hook-secret': current })
    expect([introduction.status, introduction.headers.get('x-hook-secret')]).toEqual([200, current])
    const json_type = { 'content-type': 'application/json' }
    const signed = (secret: string) => ({
      ...json_type,
      'x-hook-signature': signatureOf(json, secret),
    })
    expect((await send({ 'x-hook-secret': next })).status).toBe(401)
    expect((await send(signed(current), json)).status).toBe(200)
    expect((await send(signed(next), json)).status).toBe(401)
  } finally {
    await app.close()
  }
})

test('only ids of an Asana event are stored, and nothing of a private project is shown', async () => {
  const settings = { ...own, webhook_secret: current, tag: 'newsletter' }
  for (const [type, gid, field] of [
    ['status_update', '400', undefined],
    ['task', '501', 'completed'],
  ]) {
    const body = JSON.stringify({
      events: [
        {
          ...update.body.events[0],
          action: field ? 'changed' : 'added',
          resource: { gid, resource_type: type, name: 'canary-name' },
          ...(field && { change: { field, new_value: 'canary-value' } }),
        },
      ],
    })
    const request = post({ 'x-hook-signature': signatureOf(body) }, body)
    const { stored, outcome } = await runAdapter(hook, request, settings, {
      provider: { fetch: asana },
    })
    expect(stored).toEqual({ type: type ?? '', gid: gid ?? '' })
    expect(outcome).toHaveProperty('items')
    expect(JSON.stringify(outcome)).not.toMatch(/canary|private@|Acquisition|"71"/)
  }
})

test.each([
  [401, 'refused'],
  [429, 'rate_limited'],
  [500, 'unavailable'],
])('when Asana answers %p, the delivery waits, and the reason is %s', async (status, problem) => {
  const request = post({ 'x-hook-signature': signatureOf(json) }, json)
  const provider = { fetch: async () => new Response('secret details', { status }) }
  const result = runAdapter(hook, request, { ...own, webhook_secret: current }, { provider })
  await expect(result).rejects.toMatchObject({
    problem,
    message: expect.not.stringContaining('secret details'),
  })
})
