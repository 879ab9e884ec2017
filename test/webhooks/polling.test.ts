import { expect, test } from 'bun:test'
import { adapter } from '../../integrations/feed/adapter.ts'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import {
  deleteConnection,
  updateConnection,
  webhookUrl,
} from '../../src/features/connections/index.ts'
import { findDecryptedConnection } from '../../src/features/connections/secrets/decrypted-connection.ts'
import { pollJob, queueDuePolls } from '../../src/features/polling/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { transaction } from '../../src/lib/database/db.ts'
import { startPolling } from '../../src/webhooks/index.ts'
import { startApp } from '../support/app.ts'
import { unlimitedClient } from '../support/newsletters.ts'
import { startService } from '../support/processes/crash.ts'
import { connectSource, startPollingApp, titlesOf } from '../support/sources.ts'
import { until } from '../support/until.ts'

const hourMs = 3_600_000

/** An adapter with a fault: its function throws an error that says nothing about the source. */
const faulty: Adapter = {
  ...adapter,
  slug: 'faulty',
  polling: {
    source: () => 'https://faulty.example',
    intervalMinutes: () => 60,
    read: () => null,
    poll: () => Promise.reject(new RangeError('Maximum call stack size exceeded')),
  },
}

const { app, source, now, passHours } = await startPollingApp(
  [adapter, faulty],
  'application/rss+xml',
)

const item = (name: string, title = name) =>
  `<item><guid isPermaLink="false">${name}</guid><title>${title}</title><description>About ${title}</description></item>`
const feed = (...items: string[]) =>
  `<rss version="2.0"><channel><title>Blog</title>${items.join('')}</channel></rss>`

const connect = (given: object = {}) =>
  connectSource(app, adapter, { url: `${source.url}/feed`, ...given })

test('a feed is read without its old entries: first the newest, then each new one, each once', async () => {
  source.respond = async () => feed(item('b', 'Second'), item('a', 'First'))
  const blog = await connect()
  await blog.poll()
  expect(await blog.titles()).toEqual(['Second'])

  source.respond = async () => feed(item('c', 'Third'), item('b', 'Second, corrected'), item('a'))
  passHours(2)
  await blog.poll()
  passHours(2)
  await blog.poll()
  expect(await blog.titles()).toEqual(['Second', 'Third'])
  expect(await blog.deliveries()).toHaveLength(2)
})

test('a source that is read on a schedule has no address to which somebody can send entries', async () => {
  const blog = await connect()
  const connection = await findDecryptedConnection(app.forwarder, blog.team.id, blog.id)
  const url = webhookUrl(app.base, adapter.slug, connection?.webhookToken ?? '')
  const headers = { 'content-type': 'application/rss+xml' }
  for (const query of ['', '?dry_run=true']) {
    const body = feed(item('a', 'Made up'))
    expect((await fetch(url + query, { method: 'POST', headers, body })).status).toBe(404)
  }
  expect(await blog.deliveries()).toEqual([])
})

test('an entry that leaves a feed and returns creates no second block', async () => {
  source.respond = async () => feed(item('a', 'First'))
  const blog = await connect()
  await blog.poll()
  for (const entries of [feed(), feed(item('a', 'First'))]) {
    source.respond = async () => entries
    passHours(2)
    await blog.poll()
  }
  expect(await blog.titles()).toEqual(['First'])
})

test('a feed that has not changed is not sent again, and its entries are not new afterwards', async () => {
  const validators = { etag: '"v1"', 'last-modified': 'Fri, 20 Nov 2026 09:00:00 GMT' }
  source.respond = async ({ headers }) =>
    headers.get('if-none-match') === '"v1"'
      ? new Response(null, { status: 304 })
      : new Response(feed(item('a', 'First')), { headers: validators })
  const blog = await connect()
  await blog.poll()
  passHours(2)
  await blog.poll()
  const [first, second] = source.requests.map(({ headers }) => headers)
  expect(first?.get('if-none-match')).toBeNull()
  expect(second?.get('if-none-match')).toBe('"v1"')
  expect(second?.get('if-modified-since')).toBe(validators['last-modified'])
  expect(await blog.titles()).toEqual(['First'])
  expect(await blog.health()).toMatchObject({ state: 'working', reason: null })
})

test('a source that an adapter fails to read is shown as delayed and is read again later', async () => {
  const blog = await connectSource(app, faulty, { url: `${source.url}/feed` })
  await blog.poll()
  expect(await blog.health()).toMatchObject({
    state: 'delayed',
    reason: 'The source contains something that cannot be read.',
  })
})

test('a source is not read before it is due, and at once after its settings were changed', async () => {
  source.respond = async () => feed(item('a', 'First'))
  const blog = await connect({ every_minutes: '30' })
  await blog.poll()
  const { polling: times } = await blog.health()
  const minutes = ((times?.nextAt?.getTime() ?? 0) - (times?.lastAt?.getTime() ?? 0)) / 60_000
  expect(minutes).toBeGreaterThanOrEqual(27)
  expect(minutes).toBeLessThanOrEqual(33)

  await queueDuePolls(app.forwarder)
  const [jobs] = await app.sql`
    select count(*)::integer as n from pgboss.job
    where name = ${pollJob.name} and data->>'connectionId' = ${blog.id}`
  expect(jobs?.['n']).toBe(1)

  const ctx = systemContext(app.forwarder, blog.team.id)
  const given = { url: `${source.url}/other` }
  await updateConnection(ctx, { adapter, id: blog.id, given })
  source.respond = async () => feed(item('z', 'Newest elsewhere'), item('y', 'Old elsewhere'))
  await blog.poll()
  expect(await blog.titles()).toEqual(['First', 'Newest elsewhere'])
})

test('a feed whose address is changed while the feed before is being read is read at once, and saves nothing of the other', async () => {
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  source.respond = async ({ url }) => {
    if (url.endsWith('/other')) return feed(item('z', 'The right one'))
    arrived.resolve()
    await release.promise
    return feed(item('a', 'The wrong one'))
  }
  const blog = await connect()
  await queueDuePolls(app.forwarder)
  await arrived.promise
  await move(blog, '/other')
  release.resolve()
  await until(async () => {
    const [open] = await app.sql`
      select count(*)::integer as n from pgboss.job
      where name = ${pollJob.name} and data->>'connectionId' = ${blog.id} and state <> 'completed'`
    return open?.['n'] === 0
  })
  await blog.poll()
  expect(await blog.titles()).toEqual(['The right one'])
})

/** Changes the address of the feed of a connection. */
const move = ({ team, id }: Awaited<ReturnType<typeof connect>>, path: string) =>
  updateConnection(systemContext(app.forwarder, team.id), {
    adapter,
    id,
    given: { url: source.url + path },
  })

test('the news of another feed are not those with the same numbers of the feed before, which are not doubled', async () => {
  const blog = await connect()
  const readEach = async (...documents: string[]) => {
    for (const document of documents) {
      source.respond = async () => document
      passHours(2)
      await blog.poll()
    }
  }
  const own = [item('1', 'One'), item('2', 'Two'), item('3', 'Three')]
  await readEach(feed(...own.slice(0, 1)), feed(...own.slice(0, 2)), feed(...own))
  expect(await blog.titles()).toEqual(['One', 'Two', 'Three'])

  await move(blog, '/other')
  const others = [item('2', 'Second elsewhere'), item('3', 'Third elsewhere')]
  await readEach(feed(...others.slice(0, 1)), feed(...others))
  const titles = ['One', 'Two', 'Three', 'Second elsewhere', 'Third elsewhere']
  expect(await blog.titles()).toEqual(titles)

  await move(blog, '/feed')
  await readEach(feed(own[2] ?? '', own[1] ?? ''), feed(item('4', 'Four'), own[2] ?? ''))
  expect(await blog.titles()).toEqual([...titles, 'Four'])
})

test('a feed that moves to another address creates no second block of an entry, and a declined one stays away', async () => {
  const first = item('https://blog.example/?p=1', 'First')
  const second = item('urn:uuid:5f0c', 'Second')
  source.respond = async () => feed(first)
  const blog = await connect()
  await blog.poll()
  source.respond = async () => feed(second, first)
  passHours(2)
  await blog.poll()
  expect(await blog.titles()).toEqual(['First', 'Second'])
  const call = await unlimitedClient(app, blog.team)
  const { json } = await call('GET', '/content_blocks')
  const declined = json.content_blocks.find(({ title }: { title: string }) => title === 'Second')
  expect((await call('DELETE', `/content_blocks/${declined.id}`)).status).toBe(204)
  await move(blog, '/moved')
  await blog.poll()
  expect(await blog.titles()).toEqual(['First'])
})

test('redirects are followed, each with a check of its address, and a loop ends', async () => {
  source.respond = async ({ url }) =>
    url.endsWith('/feed')
      ? new Response(null, { status: 301, headers: { location: '/moved' } })
      : feed(item('a', 'First'))
  const blog = await connect()
  await blog.poll()
  expect(source.requests.map(({ path }) => path)).toEqual(['/feed', '/moved'])
  expect(await blog.titles()).toEqual(['First'])

  source.respond = async () => new Response(null, { status: 302, headers: { location: '/feed' } })
  passHours(2)
  await blog.poll()
  expect(source.requests).toHaveLength(8)
  const action = 'The redirects of this address lead nowhere. Check url.'
  expect(await blog.health()).toMatchObject({ state: 'failing', action })

  const location = 'file:///etc/passwd'
  source.respond = async () => new Response(null, { status: 302, headers: { location } })
  passHours(2)
  await blog.poll()
  const notOnWeb = 'The server redirects to something that is not on the web (file:). Check url.'
  expect(await blog.health()).toMatchObject({ state: 'failing', action: notOnWeb })

  const secret = 'https://169.254.169.254/latest/meta-data'
  source.respond = async () => new Response(null, { status: 302, headers: { location: secret } })
  passHours(2)
  await blog.poll()
  const { state, reason } = await blog.health()
  expect([state, reason]).toEqual(['failing', expect.stringContaining('its address is not public')])
})

test.each<[string, () => Response | string, string]>([
  ['is missing', () => new Response(null, { status: 404 }), '(404). Check url.'],
  ['needs a sign-in', () => new Response(null, { status: 401 }), 'without signing in (401)'],
  ['is a page', () => '<html><title>Blog</title></html>', 'neither an RSS nor an Atom feed'],
  ['is empty', () => '', 'neither an RSS nor an Atom feed'],
])(
  'the connection to a feed that %s is failing and says what to do',
  async (_, respond, action) => {
    source.respond = async () => respond()
    const blog = await connect()
    await blog.poll()
    expect(await blog.health()).toMatchObject({
      state: 'failing',
      action: expect.stringContaining(action),
    })
    source.respond = async () => feed(item('a', 'First'))
    passHours(1)
    await blog.poll()
    expect(await blog.health()).toMatchObject({ state: 'working', action: null })
    expect(await blog.titles()).toEqual(['First'])
  },
)

test('a feed that cannot be read is read later and later, and fails after half a day', async () => {
  source.respond = async () => new Response(null, { status: 503 })
  const blog = await connect()
  const delays: number[] = []
  const states: string[] = []
  for (let count = 0; count < 8; count += 1) {
    await blog.poll()
    const { state, polling: times } = await blog.health()
    states.push(state)
    delays.push(((times?.nextAt?.getTime() ?? 0) - (times?.lastAt?.getTime() ?? 0)) / 60_000)
    passHours(15)
  }
  expect(states).toEqual([...Array(6).fill('delayed'), 'failing', 'failing'])
  const planned = [5, 10, 20, 40, 80, 160, 320, 640]
  for (const [index, minutes] of planned.entries()) {
    expect(delays[index]).toBeGreaterThanOrEqual(minutes)
    expect(delays[index]).toBeLessThanOrEqual(minutes * 1.2)
  }
})

test('a feed whose server asks to wait is not read before', async () => {
  const headers = { 'retry-after': '7200' }
  source.respond = async () => new Response(null, { status: 429, headers })
  const blog = await connect()
  await blog.poll()
  const { state, polling: times } = await blog.health()
  expect(state).toBe('delayed')
  expect((times?.nextAt?.getTime() ?? 0) - (times?.lastAt?.getTime() ?? 0)).toBe(2 * hourMs)
})

test('a feed that has ended is not read again until its settings are saved', async () => {
  source.respond = async () => new Response(null, { status: 410 })
  const blog = await connect()
  await blog.poll()
  expect(await blog.health()).toMatchObject({
    state: 'failing',
    reason: 'The source has ended (410).',
    polling: { nextAt: null },
  })
  passHours(1000)
  await queueDuePolls(app.forwarder)
  expect(await blog.version()).toBe(1)
  source.respond = async () => feed(item('a', 'First'))
  const ctx = systemContext(app.forwarder, blog.team.id)
  await updateConnection(ctx, { adapter, id: blog.id, given: { text: 'full' } })
  await blog.poll()
  expect(await blog.titles()).toEqual(['First'])
})

test('a feed is read by one of two processes, and of two polls at the same time one is stored', async () => {
  const other = await startApp({ adapters: [adapter], on: app, forward: true, now })
  const otherPolling = await startPolling(other.forwarder)
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  source.respond = async () => {
    if (source.requests.length === 2) arrived.resolve()
    await release.promise
    return feed(item('a', 'First'))
  }
  const blog = await connect()
  await Promise.all([queueDuePolls(app.forwarder), queueDuePolls(other.forwarder)])
  const data = { teamId: blog.team.id, connectionId: blog.id }
  await transaction(app.sql, (tx) => app.forwarder.queue.add(tx, pollJob, data, blog.team.id))
  await arrived.promise
  release.resolve()
  await until(async () => {
    const [open] = await app.sql`
      select count(*)::integer as n from pgboss.job
      where name = ${pollJob.name} and data->>'connectionId' = ${blog.id} and state <> 'completed'`
    return open?.['n'] === 0
  })
  await until(async () => (await blog.titles()).length > 0)
  expect(await blog.version()).toBe(1)
  expect(await blog.deliveries()).toHaveLength(1)
  expect(source.requests).toHaveLength(2)
  await otherPolling.stop()
  await other.close()
})

test('each entry of a feed becomes one block although SIGKILL ends the process that reads it', async () => {
  const idle = await startApp({ adapters: [adapter], forward: false })
  const requested = Promise.withResolvers<void>()
  source.respond = () => {
    requested.resolve()
    return new Promise(() => {})
  }
  const killed = await startService(idle)
  const blog = await connectSource(idle, adapter, { url: `${source.url}/feed` })
  await queueDuePolls(idle.forwarder)
  await requested.promise
  killed.process.kill('SIGKILL')
  await killed.process.exited
  source.respond = async () => feed(item('b', 'Second'), item('a', 'First'))
  const restarted = await startService(idle)
  await until(async () => (await titlesOf(idle, blog.team)).length > 0)
  restarted.process.kill('SIGKILL')
  await restarted.process.exited
  expect([await blog.titles(), await blog.version()]).toEqual([['Second'], 1])
  await idle.close()
})

test('a connection to a feed has no webhook, and is not read after it was removed', async () => {
  source.respond = async () => feed(item('a', 'First'))
  const blog = await connect()
  await blog.poll()
  const [row] = await app.sql<{ n: number }[]>`
    select count(*)::integer as n from polled_entries where team_id = ${blog.team.id}`
  expect(row?.n).toBe(1)
  const response = await fetch(webhookUrl(app.base, 'feed', 'any'), {
    method: 'POST',
    body: feed(),
  })
  expect(response.status).toBe(404)

  await deleteConnection(systemContext(app.forwarder, blog.team.id), blog.id)
  expect(await app.sql`select from polled_sources where team_id = ${blog.team.id}`).toHaveLength(0)
  expect(await app.sql`select from polled_entries where team_id = ${blog.team.id}`).toHaveLength(0)
})

test('the address and the text of a feed are in no log', async () => {
  source.respond = async () => feed(item('a', 'Canary title'))
  const blog = await connect({ url: `${source.url}/canary-path?key=canary-key` })
  await blog.poll()
  source.respond = async () => new Response('canary-body', { status: 500 })
  passHours(2)
  await blog.poll()
  expect(app.logLines.filter((line) => /canary/i.test(line))).toEqual([])
})
