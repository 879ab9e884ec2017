import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import tagged from '../../integrations/bitbucket/fixtures/push.tag.json'
import dataCenter from '../../integrations/bitbucket/fixtures/refs_changed.tag.json'
import { sign } from '../../integrations/bitbucket/fixtures/sign.ts'
import { itemsOf, post } from '../support/adapters.ts'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'
import {
  openHook,
  testHostileText,
  testLeaks,
  testSignature,
  testUnreadable,
} from '../support/providers/signed-webhook.ts'

const common = {
  slug: 'bitbucket',
  setting: 'secret',
  secrets: ['beacon', 'buoy', 'bell'],
  sign: (body: string, { secret = '' }) => sign(body, { secret }),
} as const
const cloud = await openHook({ ...common, fixture: tagged })
const server = await openHook({
  ...common,
  fixture: dataCenter,
  settings: { allow_private: 'true' },
})

const [change] = tagged.body.push.changes
/** A push that creates tags with these names, right in everything but the repository's changes. */
const push = (names: string[], repository: object = {}) => ({
  ...tagged.body,
  repository: { ...tagged.body.repository, ...repository },
  push: { changes: names.map((name) => ({ ...change, new: { ...change?.new, name } })) },
})

testSignature(cloud, 'x-hub-signature')
testUnreadable(cloud, {
  body: JSON.stringify(push(['v1'], { uuid: 'canary-7f3a' })),
  reason: 'repo:push: repository.uuid is not as Bitbucket documents it',
})
testHostileText(cloud, (name) => push(['v1'], { name }))

describe('Bitbucket Cloud', () => {
  testLeaks(cloud, {
    kept: 'Ruben Achterberg',
    leaks: [
      ...['ruben@northquay.example', '557058:0a1b2c3d-4e5f', '7a5c0b3e-1111', 'gravatar'],
      ...['Van Dalen', '450118afff', 'api.bitbucket.org', 'tagger', 'HARB', 'nickname'],
    ],
  })

  test('the id of a Bitbucket Cloud delivery is the same for every attempt', async () => {
    const headers = { 'x-attempt-number': '2' }
    expect((await cloud.send({ headers })).deliveryId).toBe(tagged.headers['x-request-uuid'])
  })

  test('the hook id in a Bitbucket Cloud header is not accepted in place of a signature', async () => {
    const headers = { 'x-hub-signature': null, 'x-hook-uuid': tagged.headers['x-hook-uuid'] }
    expect((await cloud.send({ headers })).outcome).toMatchObject({ rejected: 401 })
  })
})

describe('Bitbucket Data Center', () => {
  testLeaks(server, {
    kept: 'Ruben Achterberg',
    leaks: ['ruben@northquay.example', 'rachterberg', 'ssh://', 'Van Dalen', 'b2b2b2', 'v3.9'],
  })

  test('the id of a Bitbucket Data Center delivery is read from its own header', async () => {
    expect((await server.send()).deliveryId).toBe(dataCenter.headers['x-request-id'])
  })

  test('a Bitbucket Data Center repository without a visibility is treated as private', async () => {
    const { public: _, ...repository } = dataCenter.body.repository
    const body = JSON.stringify({ ...dataCenter.body, repository })
    const settings = { allow_private: 'false' }
    expect((await server.send({ body, settings })).outcome).toHaveProperty('ignored')
  })

  test('the repository of a Bitbucket Data Center request can have a route', () => {
    const { headers, body } = dataCenter
    const request = post(headers, JSON.stringify(body))
    const { project, slug } = body.repository
    expect(server.adapter.sourceOf?.(request)).toBe(`${project.key}/${slug}`)
  })

  test('a Bitbucket ping without a signature is refused', async () => {
    const headers = { 'x-event-key': 'diagnostics:ping', 'x-hub-signature': null }
    expect((await server.send({ body: '{"test":true}', headers })).outcome).toMatchObject({
      rejected: 401,
    })
  })
})

describe('Bitbucket tags', () => {
  /** The names of the tags that become news. */
  async function newsOf(names: string[], tag_pattern?: string): Promise<string[]> {
    const settings = tag_pattern === undefined ? {} : { tag_pattern }
    const { stored } = await cloud.send({ body: JSON.stringify(push(names)), settings })
    const Kept = v.optional(v.object({ tags: v.array(v.object({ name: v.string() })) }))
    return v.parse(Kept, stored)?.tags.map(({ name }) => name) ?? []
  }

  test('only Bitbucket tags that match tag_pattern are stored and become items', async () => {
    const names = ['v1', 'V2', 'v', 'nightly', 'rel/v3', 'app-1-stable', 'app-stable']
    expect(await newsOf(names)).toEqual(['v1', 'V2', 'v'])
    expect(await newsOf(names, '*')).toEqual(names)
    expect(await newsOf(names, 'rel/*, nightly')).toEqual(['nightly', 'rel/v3'])
    expect(await newsOf(names, 'app-*-stable')).toEqual(['app-1-stable'])
    expect(await newsOf(names, 'a*p*-*e')).toEqual(['app-1-stable', 'app-stable'])
    expect(await newsOf(names, 'v1*1, a*x*e')).toEqual([])
  })

  test('a push of more than 100 Bitbucket tags imports a history, which is no news', async () => {
    const outcomeOf = async (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `v${at}`)
      return (await cloud.send({ body: JSON.stringify(push([...names, 'nightly'])) })).outcome
    }
    expect(await outcomeOf(101)).toEqual({
      ignored:
        'repo:push: more than 100 tags were created at once, as when a repository is imported (tag_pattern)',
    })
    expect(itemsOf(await outcomeOf(100))).toHaveLength(100)
  })

  test('the time to match a Bitbucket tag with many wildcards grows with its length only', async () => {
    const pattern = `${'a*'.repeat(40)}b`
    expect(await newsOf(['a'.repeat(50_000)], pattern)).toEqual([])
    const growth = await growthOf((size) => newsOf(['a'.repeat(size)], pattern), 5_000)
    expect(growth).toBeLessThan(maxLinearGrowth)
  })

  test('a very long address of a Bitbucket repository is not stored for each tag', async () => {
    const { body } = dataCenter
    const self = [{ href: `https://bitbucket.northquay.example/${'a'.repeat(10_000)}` }]
    const tags = Array.from({ length: 100 }, (_, at) => ({
      ...body.changes[0],
      ref: { id: `refs/tags/v${at}`, displayId: `v${at}`, type: 'TAG' },
      type: 'ADD',
    }))
    const repository = { ...body.repository, links: { self } }
    const { stored } = await server.send({
      body: JSON.stringify({ ...body, repository, changes: tags }),
    })
    expect(JSON.stringify(stored).length).toBeLessThan(30_000)
  })

  test('every Bitbucket tag has its own content key, however long its name is', async () => {
    const long = 'v'.repeat(300)
    const keys = await Promise.all(
      ['v1', 'v2', long, `${long}x`, 'v1:2'].map(
        async (name) => (await cloud.newsOf({ body: JSON.stringify(push([name])) })).external_id,
      ),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
})

const pushWith = (message: string) => ({
  ...tagged.body,
  push: { changes: [{ ...change, new: { ...change?.new, message } }] },
})

test.each([
  'chore(release): 2.0.0',
  'chore: release v2.0.0\n',
  'Bump version to 2.0.0',
  'Tagging 2.0',
  'Bump to v2',
  'Tag web-v2.0.0.',
  'Prepare for release 2.0.0',
  '[maven-release-plugin] copy for tag web-2.0.0',
])('the message %j, which a program gives a tag, is not the text of its block', async (message) => {
  const { body } = await cloud.newsOf({ body: JSON.stringify(pushWith(message)) })
  expect(body).toBe('<p>Maintenance release.</p>')
})

test('what Git and Bitbucket add to the message of a tag is not part of its block, such as email addresses', async () => {
  const message =
    'Merged in lamps (pull request #12)\n\nTwo lamps\n\n* Red and green\nSigned-off-by: Bo <bo@northquay.example>\n\nApproved-by: Ada Lovelace <ada@northquay.example>\nCo-authored-by: Ines <ines@northquay.example>'
  const { body } = await cloud.newsOf({ body: JSON.stringify(pushWith(message)) })
  expect(body).toBe('<p>Two lamps</p>\n<ul>\n<li>Red and green</li>\n</ul>')
})

test.each([
  'Tags have colors now',
  'Merge tag groups in one step',
  'Prepare your team for 12 new charts',
  'Prepare for 2026',
  'Build: 3 times faster than 1.0',
])('the message %j of a tag is the text of its block', async (message) => {
  const { body } = await cloud.newsOf({ body: JSON.stringify(pushWith(message)) })
  expect(body).toBe(`<p>${message}</p>`)
})

test.each([
  {},
  { secret: '' },
  { secret: 'a', tag_pattern: '' },
  { secret: 'a', repositories: 'x' },
])('the Bitbucket settings %j are refused', (settings) => {
  expect(v.safeParse(cloud.adapter.settings, settings).success).toBe(false)
})

test('parsed Bitbucket settings are parsed again to the same settings', () => {
  const parsed = v.parse(cloud.adapter.settings, { secret: 'a', allow_private: 'true' })
  expect(v.parse(cloud.adapter.settings, parsed)).toEqual(parsed)
})

test('an address on another host is not used as the link of a Bitbucket tag', async () => {
  const links = { html: { href: 'https://bitbucket.org.evil.example/x' } }
  const body = JSON.stringify({
    ...push(['v1']),
    push: { changes: [{ ...change, new: { ...change?.new, links } }] },
  })
  expect((await cloud.newsOf({ body })).source_url).toBeUndefined()
})
