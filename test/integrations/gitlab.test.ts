import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import closed from '../../integrations/gitlab/fixtures/milestone.close.json'
import created from '../../integrations/gitlab/fixtures/release.create.json'
import { sign } from '../../integrations/gitlab/fixtures/sign.ts'
import { fixtureTime } from '../support/adapters.ts'
import {
  openHook,
  testHostileText,
  testLeaks,
  testSignature,
  testUnreadable,
} from '../support/providers/signed-webhook.ts'

const token = (fill: string) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`

const common = { slug: 'gitlab', fixture: created, sign }
const signed = await openHook({
  ...common,
  setting: 'signing_token',
  secrets: [token('now'), token('next'), token('third')],
})
const plain = await openHook({
  ...common,
  setting: 'secret_token',
  secrets: ['barograph', 'anemometer', 'hygrometer'],
})

const withRelease = (changes: object) => JSON.stringify({ ...created.body, ...changes })

testSignature(signed, 'webhook-signature')
testUnreadable(signed, {
  body: withRelease({ project: { ...created.body.project, id: 'canary-7f3a' } }),
  reason: 'Release Hook: project.id is not as GitLab documents it',
})
testLeaks(signed, {
  kept: 'harrow/instruments/barometer',
  leaks: [
    ...['odile.brandt@harrow.example', 'Odile Brandt', 'Bump version', '0f5e1d2c'],
    ...['git@', 'barometer.git', 'visibility_level', 'firmware-3.bin'],
  ],
})
testHostileText(signed, (name) => ({ ...created.body, name }))

describe('GitLab: signing token', () => {
  const after = (seconds: number) => new Date(fixtureTime.getTime() + seconds * 1000)

  test.each([-301, 301])('a GitLab request signed %p s from now is refused', async (seconds) => {
    expect((await signed.send({ at: after(seconds) })).outcome).toMatchObject({ rejected: 401 })
  })

  test.each([-299, 299])('a GitLab request signed %p s from now is accepted', async (seconds) => {
    expect((await signed.send({ at: after(seconds) })).outcome).toHaveProperty('items')
  })

  test.each(['webhook-id', 'webhook-timestamp'])(
    'a GitLab request whose %s was changed is refused',
    async (header) => {
      const { outcome } = await signed.send({ headers: { [header]: '1795165201' } })
      expect(outcome).toMatchObject({ rejected: 401 })
    },
  )

  test('one valid GitLab signature among several is accepted', async () => {
    const { 'webhook-signature': right } = signed.signed(JSON.stringify(created.body))
    const headers = { 'webhook-signature': `v1,bm90IHRoaXM= v2,eA== ${right}` }
    expect((await signed.send({ headers })).outcome).toHaveProperty('items')
  })

  test('the plain GitLab token is ignored while a signing token is set', async () => {
    const { outcome } = await signed.send({
      settings: { secret_token: 'barograph' },
      headers: { 'webhook-signature': null, 'x-gitlab-token': 'barograph' },
    })
    expect(outcome).toMatchObject({ rejected: 401 })
  })

  test('with a signing token, the id of a GitLab delivery is the signed one', async () => {
    const { deliveryId } = await signed.send({ headers: { 'idempotency-key': 'made-up' } })
    expect(deliveryId).toBe(signed.signed('{}')['webhook-id'])
  })
})

describe('GitLab: plain token', () => {
  test.each<[string, string | null]>([
    ['missing', null],
    ['empty', ''],
    ['of another connection', 'hygrometer'],
    ['truncated', 'barograp'],
    ['in upper case', 'BAROGRAPH'],
  ])('a GitLab token that is %s is refused', async (_, value) => {
    const { outcome } = await plain.send({ headers: { 'x-gitlab-token': value } })
    expect(outcome).toMatchObject({ rejected: 401 })
  })

  test('both plain GitLab tokens are accepted while one is being rotated', async () => {
    const settings = { secret_token: ['anemometer', 'barograph'] }
    for (const secret of ['anemometer', 'barograph'])
      expect((await plain.send({ settings, secret })).outcome).toHaveProperty('items')
  })

  test('with a plain token, the id of a GitLab delivery comes from the best header there is', async () => {
    const id = async (headers: Record<string, string | null>) =>
      (await plain.send({ headers })).deliveryId
    expect(await id({})).toBe(created.headers['idempotency-key'])
    const older = { 'idempotency-key': null }
    expect(await id(older)).toBe(created.headers['x-gitlab-event-uuid'])
    const oldest = { ...older, 'x-gitlab-event-uuid': null }
    expect(await id(oldest)).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(await id(oldest)).toBe(await id(oldest))
  })
})

describe('GitLab: settings', () => {
  test.each([
    {},
    { projects: 'acme/web' },
    { secret_token: '' },
    { signing_token: 'barograph' },
    { signing_token: 'whsec_' },
    { signing_token: 'whsec_not base64' },
    { secret_token: 'a', projects: 'web' },
  ])('the GitLab settings %j are refused', (settings) => {
    expect(v.safeParse(signed.adapter.settings, settings).success).toBe(false)
  })

  test('parsed GitLab settings are parsed again to the same settings', () => {
    const settings = { signing_token: token('now'), secret_token: 'b', projects: 'A/b/*' }
    const parsed = v.parse(signed.adapter.settings, settings)
    expect(v.parse(signed.adapter.settings, parsed)).toEqual(parsed)
  })
})

describe('GitLab: content keys', () => {
  const keyOf = async (changes: object) =>
    (await signed.newsOf({ body: withRelease(changes) })).external_id

  test('the content keys of GitLab releases differ by project and tag, however long they are', async () => {
    const long = `${'x'.repeat(300)}`
    const keys = await Promise.all([
      keyOf({}),
      keyOf({ tag: 'v3.0.1' }),
      keyOf({ project: { ...created.body.project, id: 4712 } }),
      keyOf({ tag: long }),
      keyOf({ tag: `${long}y` }),
    ])
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('the content key of a GitLab release does not depend on its text', async () => {
    expect(await keyOf({ name: 'Another', description: 'Another' })).toBe(await keyOf({}))
  })
})

test.each([
  ['no time', 'soon'],
  ['the past', '2026-11-20 08:59:59 UTC'],
  ['nothing', null],
])('a GitLab release date that is %s sets no publish_after', async (_, released_at) => {
  const item = await signed.newsOf({ body: withRelease({ released_at }) })
  expect(item.publish_after).toBeUndefined()
})

test('the links of GitLab releases lead to the host of the project over https', async () => {
  for (const url of ['http://git.harrow.example/x', 'https://evil.example/x', 'javascript:0', null])
    expect((await signed.newsOf({ body: withRelease({ url }) })).source_url).toBeUndefined()
  const web_url = 'http://git.harrow.example/harrow/instruments/barometer'
  const body = JSON.stringify({ ...closed.body, project: { ...closed.body.project, web_url } })
  const headers = { 'x-gitlab-event': 'Milestone Hook' }
  expect((await signed.newsOf({ body, headers })).source_url).toBeUndefined()
})
