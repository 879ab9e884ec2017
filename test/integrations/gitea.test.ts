import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import forgejo from '../../integrations/gitea/fixtures/release.published.forgejo.json'
import gogs from '../../integrations/gitea/fixtures/release.published.gogs.json'
import published from '../../integrations/gitea/fixtures/release.published.json'
import { sign } from '../../integrations/gitea/fixtures/sign.ts'
import {
  openHook,
  testHostileText,
  testLeaks,
  testSignature,
  testUnreadable,
} from '../support/providers/signed-webhook.ts'

const gitea = await openHook({
  slug: 'gitea',
  fixture: published,
  setting: 'secret',
  secrets: ['heron', 'egret', 'bittern'],
  sign: (body, { secret = '' }) => sign(body, { secret }),
})

const withRelease = (release: object, repository: object = {}) => ({
  ...published.body,
  release: { ...published.body.release, ...release },
  repository: { ...published.body.repository, ...repository },
})
const json = (...changes: Parameters<typeof withRelease>) => JSON.stringify(withRelease(...changes))

testSignature(gitea, 'x-gitea-signature')
testUnreadable(gitea, {
  body: json({ id: 'canary-7f3a' }),
  reason: 'release: release.id is not as Gitea documents it',
})
testLeaks(gitea, {
  kept: 'Tove Lind',
  leaks: [
    ...['tove-lind@saltmarsh.example', 'saltmarsh@saltmarsh.example', '1717', 'avatar', 'Low Quay'],
    ...['last_login', 'git@', 'clone_url', '.git"', 'api/v1', 'permissions', 'sender', 'owner'],
  ],
})
testHostileText(gitea, (name) => withRelease({ name }))

describe('Gitea: signature', () => {
  const right = gitea.signed(JSON.stringify(published.body))['x-gitea-signature'] ?? ''

  test('the secret inside the body of a Gitea request is not accepted in place of a signature', async () => {
    const body = JSON.stringify({ ...published.body, secret: 'heron' })
    const { outcome } = await gitea.send({ body, headers: { 'x-gitea-signature': null } })
    expect(outcome).toMatchObject({ rejected: 401 })
  })

  test('the signature of a Gitea form is checked over the JSON in the form', async () => {
    const form = new URLSearchParams({ payload: JSON.stringify(published.body) }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await gitea.send({ body: form, headers })).outcome).toHaveProperty('items')
    const other = form.replace('v1.4.0', 'v1.4.1')
    const forged = { ...headers, 'x-gitea-signature': right }
    expect((await gitea.send({ body: other, headers: forged })).outcome).toMatchObject({
      rejected: 401,
    })
  })

  test("Forgejo's own headers are accepted without Gitea's", async () => {
    const headers: Record<string, string | null> = { 'x-forgejo-signature': right }
    for (const name of ['signature', 'delivery', 'event', 'event-type']) {
      headers[`x-gitea-${name}`] = null
      if (name !== 'signature')
        headers[`x-forgejo-${name}`] = Reflect.get(forgejo.headers, `x-forgejo-${name}`)
    }
    const { outcome, deliveryId } = await gitea.send({ headers })
    expect(outcome).toHaveProperty('items')
    expect(deliveryId).toBe(forgejo.headers['x-forgejo-delivery'])
  })

  test('a Gogs request is accepted with the headers of Gogs alone', async () => {
    const body = JSON.stringify(gogs.body)
    const headers = { ...gogs.headers, 'x-gitea-signature': null, 'x-gitea-event': null }
    const signature = gitea.signed(body)['x-gitea-signature'] ?? ''
    const own = { ...headers, 'x-gitea-event-type': null, 'x-gitea-delivery': null }
    const send = (value: string) =>
      gitea.send({ body, headers: { ...own, 'x-gogs-signature': value } })
    const { outcome, deliveryId } = await send(signature)
    expect(outcome).toHaveProperty('items')
    expect(deliveryId).toBe(gogs.headers['x-gogs-delivery'])
    for (const wrong of ['', signature.slice(1), `sha256=${signature}`, signature.toUpperCase()])
      expect((await send(wrong)).outcome).toMatchObject({ rejected: 401 })
  })
})

test("the id of a Gitea delivery is Gitea's, or the digest of the body when the header has no usable id", async () => {
  expect((await gitea.send()).deliveryId).toBe(published.headers['x-gitea-delivery'])
  for (const given of [null, '', 'two words', 'x'.repeat(3000)]) {
    const headers = { 'x-gitea-delivery': given, 'x-gogs-delivery': null }
    expect((await gitea.send({ headers })).deliveryId).toMatch(/^sha256:[0-9a-f]{64}$/)
  }
})

test('a Gitea request without an event name is refused', async () => {
  const names = ['gitea', 'gogs'].flatMap((host) => [`x-${host}-event`, `x-${host}-event-type`])
  const headers = Object.fromEntries(names.map((name) => [name, null]))
  expect((await gitea.send({ headers })).outcome).toMatchObject({ rejected: 400 })
})

test.each([{}, { secret: '' }, { secret: 'a', repositories: 'heron' }])(
  'the Gitea settings %j are refused',
  (settings) => {
    expect(v.safeParse(gitea.adapter.settings, settings).success).toBe(false)
  },
)

test.each([
  ['Saltmarsh/LanternFish', true],
  ['elsewhere/thing,saltmarsh/*', true],
  ['', true],
  ['saltmarsh/lantern', false],
  ['salt/*', false],
])(
  'with repositories=%s, the Gitea repository saltmarsh/lanternfish is accepted: %p',
  async (repositories, through) => {
    expect('items' in (await gitea.send({ settings: { repositories } })).outcome).toBe(through)
  },
)

test.each([{ private: true }, { internal: true }, { private: true, internal: true }])(
  'a Gitea repository with %j needs allow_private',
  async (repository) => {
    const body = json({}, repository)
    expect((await gitea.send({ body })).outcome).toHaveProperty('ignored')
    const settings = { allow_private: 'true' }
    expect((await gitea.send({ body, settings })).outcome).toHaveProperty('items')
  },
)

test('a Gitea draft is ignored whatever its action is', async () => {
  expect((await gitea.send({ body: json({ draft: true }) })).outcome).toHaveProperty('ignored')
})

test('a bot with the account of a person is not named as the author of a Gitea release', async () => {
  const author = { login: 'saltmarsh-bot', full_name: 'Saltmarsh releases' }
  expect((await gitea.newsOf({ body: json({ author }) })).author).toBeUndefined()
})

test('an address on another host is not used as the link of a Gitea release', async () => {
  const item = await gitea.newsOf({ body: json({ html_url: 'https://evil.example/x' }) })
  expect(item.source_url).toBeUndefined()
  expect(item.body).not.toContain('evil')
})
