import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Team } from '../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { newsletterOf, unlimitedClient } from '../support/newsletters.ts'
import {
  connectFakeProvider,
  createFakeAdapter,
  type FakeConnection,
} from '../support/providers/fake-provider.ts'

// A Friday, and what the service takes for now.
let today = new Date('2026-11-20T09:00:00Z')
let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [createFakeAdapter().adapter], now: () => today })
})
afterAll(() => app.close())

const group = { key: 'rye', name: 'releases of acme/rye' }
const release = (version: string, more: object = {}) => ({
  title: `Rye ${version}`,
  body: `<p>What is new in ${version}</p>`,
  external_id: `rye:${version}`,
  source_url: `https://rye.test/${version}`,
  group,
  ...more,
})

const blocksOf = (team: Team) => app.sql<{ id: string; title: string; body: string }[]>`
  select id, title, body, status, version, source_url from content_blocks
  where team_id = ${team.id} order by id`

/** A connection that rolls releases up, and how many deliveries it was sent. */
async function rollUpConnection(settings: Record<string, unknown> = { group: 'week' }) {
  const team = await app.team()
  const fakeProvider = await connectFakeProvider(app, team, settings)
  let sent = 0
  /** One delivery a release, one after the other. */
  const sendReleases = async (...releases: ReturnType<typeof release>[]) => {
    for (const item of releases) {
      await fakeProvider.send({ id: `d${++sent}`, items: [item] })
      await fakeProvider.settled(sent)
    }
  }
  return { team, fakeProvider, sendReleases }
}

/** The headings of a block's parts, in their order. */
const partsOf = (body = '') => [...body.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, heading]) => heading)

describe('a connection with group=week', () => {
  test('group=week collects the releases of a week in one draft, newest first', async () => {
    const { team, sendReleases } = await rollUpConnection()
    await sendReleases(release('1.0'))
    expect(await blocksOf(team)).toMatchObject([{ title: 'Rye 1.0' }])
    await sendReleases(release('1.1'), release('1.2'))
    const [block, second] = await blocksOf(team)
    expect(second).toBeUndefined()
    expect(block).toMatchObject({
      title: '3 releases of acme/rye, 16–22 November',
      status: 'draft',
    })
    expect(partsOf(block?.body)).toEqual(['Rye 1.2', 'Rye 1.1', 'Rye 1.0'])
    for (const version of ['1.0', '1.1', '1.2'])
      expect(block?.body).toContain(`What is new in ${version}`)
  })

  test('group=week contains each release once, also when it comes again under another id at the same time', async () => {
    const { team, fakeProvider } = await rollUpConnection()
    const versions = ['2.0', '2.1', '2.2', '2.0', '2.1', '2.2']
    await Promise.all(
      versions.map((version, index) =>
        fakeProvider.send({ id: `d${index}`, items: [release(version)] }),
      ),
    )
    await fakeProvider.settled(6)
    const blocks = await blocksOf(team)
    expect(blocks).toMatchObject([{ title: '3 releases of acme/rye, 16–22 November' }])
    expect(partsOf(blocks[0]?.body).toSorted()).toEqual(['Rye 2.0', 'Rye 2.1', 'Rye 2.2'])
  })

  test('every delivery of a roll-up names the block that contains its release', async () => {
    const { team, fakeProvider, sendReleases } = await rollUpConnection()
    await sendReleases(release('1.0'), release('1.1'), release('1.1'))
    const [block] = await blocksOf(team)
    for (const delivery of await fakeProvider.deliveries())
      expect(delivery).toMatchObject({ status: 'delivered', block_ids: [block?.id] })
  })

  test('group=week keeps the releases of different repositories apart', async () => {
    const { team, sendReleases } = await rollUpConnection()
    await sendReleases(
      release('1.0'),
      release('9.0', { group: { key: 'oat', name: 'releases of oat' } }),
    )
    expect((await blocksOf(team)).map(({ title }) => title)).toEqual(['Rye 1.0', 'Rye 9.0'])
  })

  test('a roll-up keeps the text that people have edited', async () => {
    const { team, sendReleases } = await rollUpConnection()
    await sendReleases(release('1.0'), release('1.1'))
    const [block] = await blocksOf(team)
    const call = await unlimitedClient(app, team)
    const body = `<p>Our best week.</p>${block?.body}`
    await call('PATCH', `/content_blocks/${block?.id}`, { title: 'Rye rises', body })
    await sendReleases(release('1.2'))
    const [edited, second] = await blocksOf(team)
    expect(second).toBeUndefined()
    expect(edited?.title).toBe('Rye rises')
    expect(edited?.body).toContain('Our best week.')
    expect(partsOf(edited?.body)).toEqual(['Rye 1.2', 'Rye 1.1', 'Rye 1.0'])
  })

  test.each([
    [
      'somebody has approved',
      async (call: Call, id: string) =>
        void (await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })),
    ],
    [
      'a newsletter contains',
      async (call: Call, id: string) => void (await newsletterOf(call, [id])),
    ],
  ])('a roll-up begins another block once %s the first', async (_, publish) => {
    const { team, sendReleases } = await rollUpConnection()
    await sendReleases(release('1.0'), release('1.1'))
    const [block] = await blocksOf(team)
    await publish(await unlimitedClient(app, team), block?.id ?? '')
    await sendReleases(release('1.2'), release('1.3'))
    const [first, next, third] = await blocksOf(team)
    expect(third).toBeUndefined()
    expect(partsOf(first?.body)).toEqual(['Rye 1.1', 'Rye 1.0'])
    expect(partsOf(next?.body)).toEqual(['Rye 1.3', 'Rye 1.2'])
  })

  test('a roll-up does not restore a block that a person has deleted', async () => {
    const { team, fakeProvider, sendReleases } = await rollUpConnection()
    await sendReleases(release('1.0'), release('1.1'))
    const [block] = await blocksOf(team)
    await (await unlimitedClient(app, team))('DELETE', `/content_blocks/${block?.id}`)
    await sendReleases(release('1.1'))
    expect((await fakeProvider.settled(3)).at(-1)).toMatchObject({ status: 'ignored' })
    expect(await blocksOf(team)).toHaveLength(0)
  })

  test('an item that can update its block is collected once, also when it is sent again', async () => {
    const { team, fakeProvider } = await rollUpConnection()
    const sent = [release('1.0'), release('1.1'), release('1.1'), release('1.0')]
    for (const [index, item] of sent.entries()) {
      await fakeProvider.send({ id: `d${index}`, items: [item], updateExisting: true })
      await fakeProvider.settled(index + 1)
    }
    const blocks = await blocksOf(team)
    expect(blocks).toHaveLength(1)
    expect(partsOf(blocks[0]?.body)).toEqual(['Rye 1.1', 'Rye 1.0'])
  })

  test('an update of an item of a roll-up says that the text of the roll-up stays', async () => {
    const { team, fakeProvider } = await rollUpConnection()
    const changed = { body: '<p>Changed</p>' }
    const sent = [release('1.0'), release('1.1'), release('1.1', changed), release('1.0', changed)]
    for (const [index, item] of sent.entries()) {
      await fakeProvider.send({ id: `d${index}`, items: [item], updateExisting: true })
      await fakeProvider.settled(index + 1)
    }
    const [block] = await blocksOf(team)
    expect(block?.body).not.toContain('Changed')
    const deliveries = await fakeProvider.deliveries()
    const reasons = Object.fromEntries(
      deliveries.map(({ delivery_id, reason }) => [delivery_id, reason]),
    )
    expect(reasons).toEqual({
      d0: null,
      d1: null,
      d2: 'The block contains the item already, so its text stays as it is.',
      d3: 'The block contains the item already, so its text stays as it is.',
    })
  })

  test('an item that is sent several times at once is updated in the block of its own', async () => {
    const { team, fakeProvider } = await rollUpConnection()
    const sent = ['a', 'b', 'c', 'd']
    await Promise.all(
      sent.map((id) => fakeProvider.send({ id, items: [release('1.0')], updateExisting: true })),
    )
    await fakeProvider.settled(sent.length)
    expect(await blocksOf(team)).toMatchObject([{ title: 'Rye 1.0' }])
    for (const { reason } of await fakeProvider.deliveries())
      expect(reason ?? '').not.toContain('contains the item already')
  })

  test('an update of the only item of a roll-up says that somebody has edited it', async () => {
    const { team, fakeProvider, sendReleases } = await rollUpConnection()
    await sendReleases(release('1.0'))
    const [block] = await blocksOf(team)
    const call = await unlimitedClient(app, team)
    await call('PATCH', `/content_blocks/${block?.id}`, { title: 'Rye rises' })
    await fakeProvider.send({ id: 'edit', items: [release('1.0')], updateExisting: true })
    expect((await fakeProvider.settled(2)).at(-1)).toMatchObject({
      reason: 'Somebody has edited or approved the block, so its text stays as it is.',
    })
  })

  test('a roll-up begins another block every week', async () => {
    const { team, sendReleases } = await rollUpConnection()
    await sendReleases(release('1.0'))
    today = new Date('2026-11-23T09:00:00Z')
    await sendReleases(release('1.1'), release('1.2')).finally(() => {
      today = new Date('2026-11-20T09:00:00Z')
    })
    const titles = (await blocksOf(team)).map(({ title }) => title)
    expect(titles).toEqual(['Rye 1.0', '2 releases of acme/rye, 23–29 November'])
  })

  test('a roll-up begins another block when one is full', async () => {
    const { team, sendReleases } = await rollUpConnection()
    const long = { body: `<p>${'word '.repeat(8_000)}</p>` }
    await sendReleases(release('1.0', long), release('1.1', long))
    expect(await blocksOf(team)).toHaveLength(2)
  })

  test('a roll-up sanitizes the items that it collects', async () => {
    const { team, sendReleases } = await rollUpConnection()
    const hostile = {
      title: 'Rye <img src=x onerror=alert(1)>',
      body: '<p onclick=x>Hi</p><script>x</script>',
    }
    await sendReleases(release('1.0'), release('1.1', hostile))
    const [block] = await blocksOf(team)
    expect(block?.body).not.toMatch(/<img|<script|onclick/)
    expect(block?.body).toContain('<h3>Rye &lt;img')
  })
})

type Call = Awaited<ReturnType<typeof unlimitedClient>>

test('items are collected only when the connection has a group setting', async () => {
  const { team, sendReleases } = await rollUpConnection({})
  await sendReleases(release('1.0'), release('1.1'))
  expect((await blocksOf(team)).map(({ title }) => title)).toEqual(['Rye 1.0', 'Rye 1.1'])
})

test('items that usually deserve their own block are collected only with group=week_all', async () => {
  const milestone = { group: { ...group, onRequest: true as const } }
  for (const [setting, count] of [
    ['week', 2],
    ['week_all', 1],
  ] as const) {
    const { team, sendReleases } = await rollUpConnection({ group: setting })
    await sendReleases(release('1.0', milestone), release('1.1', milestone))
    expect(await blocksOf(team)).toHaveLength(count)
  }
})

const refused = async (settings: Record<string, unknown>): Promise<unknown> =>
  await connectFakeProvider(app, await app.team(), settings).then(
    (fakeProvider: FakeConnection) => fakeProvider.connection,
    (error) => error.details.fields,
  )

test('a group setting that is unknown or conflicts with auto_ready is refused', async () => {
  expect(await refused({ group: 'day' })).toMatchObject([{ pointer: '/group' }])
  expect(await refused({ group: 'week', auto_ready: true })).toMatchObject([{ pointer: '/group' }])
})
