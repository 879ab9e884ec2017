import { expect, test } from 'bun:test'
import { adapter } from '../../integrations/icalendar/adapter.ts'
import { updateConnection } from '../../src/features/connections/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { unlimitedClient } from '../support/newsletters.ts'
import { connectSource, startPollingApp } from '../support/sources.ts'

const { app, source, now, passHours } = await startPollingApp([adapter], 'text/calendar')

/** A time some days from now, as a calendar writes it. */
const inDays = (days: number) =>
  new Date(now().getTime() + days * 86_400_000).toISOString().replace(/[-:]|\.\d+/g, '')
const dayOf = (time: string) => time.replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3')

const event = (uid: string, title: string, start: string, more = '') =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${title}\r\nDTSTART:${start}\r\n${more}END:VEVENT\r\n`
const calendar = (...events: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`

const connect = (given: Record<string, unknown> = {}) =>
  connectSource(app, adapter, { url: `${source.url}/canary-key/basic.ics`, ...given })
type Connected = Awaited<ReturnType<typeof connect>>

const eventsOf = ({ team }: Connected) => app.sql<{ name: string; day: string }[]>`
  select name, event_date::text as day from events where team_id = ${team.id} order by event_date`

test('coming events become drafts with their dates, and a moved or cancelled date changes or withdraws them', async () => {
  const [first, second] = [inDays(5), inDays(12)]
  source.respond = async () =>
    calendar(
      event('a', 'Party', first),
      event('b', 'Talk', inDays(8)),
      event('c', 'Far', inDays(60)),
    )
  const team = await connect()
  await team.poll()
  expect((await team.titles()).toSorted()).toEqual(['Party', 'Talk'])
  expect((await eventsOf(team)).map(({ name }) => name)).toEqual(['Party', 'Talk'])
  const blocks = await app.sql`
    select b.block_type, e.name from content_blocks b
    join events e on e.team_id = b.team_id and e.slug = b.event_slug
    where b.team_id = ${team.team.id} order by e.event_date`
  expect(blocks.map((row) => [row['block_type'], row['name']])).toEqual([
    ['event_announcement', 'Party'],
    ['event_announcement', 'Talk'],
  ])

  source.respond = async () =>
    calendar(
      event('a', 'Winter party', second),
      event('b', 'Talk', inDays(8), 'STATUS:CANCELLED\r\n'),
    )
  passHours(2)
  await team.poll()
  expect(await team.titles()).toEqual(['Winter party'])
  expect([...(await eventsOf(team))]).toEqual([{ name: 'Winter party', day: dayOf(second) }])

  source.respond = async () =>
    calendar(event('a', 'Winter party', second), event('b', 'Talk', inDays(9)))
  passHours(2)
  await team.poll()
  expect(await team.titles()).toEqual(['Winter party', 'Talk'])
})

test.each(['Canceled: Party', 'Abgesagt: Party', 'Annulé : Party', '[CANCELLED] Party'])(
  'a meeting is withdrawn when Outlook says only in its title that it is cancelled: %s',
  async (title) => {
    source.respond = async () => calendar(event('a', 'Party', inDays(5)))
    const team = await connect()
    await team.poll()
    expect(await team.titles()).toEqual(['Party'])
    source.respond = async () => calendar(event('a', title, inDays(5), 'STATUS:CONFIRMED\r\n'))
    passHours(2)
    await team.poll()
    expect(await team.titles()).toEqual([])
    expect(await eventsOf(team)).toHaveLength(0)
  },
)

/** Changes the address of the calendar of a connection. */
const move = ({ team, id }: Connected, path: string) =>
  updateConnection(systemContext(app.forwarder, team.id), {
    adapter,
    id,
    given: { url: source.url + path },
  })

test('after the address of a calendar has changed, its events are moved and cancelled, and declined ones stay away', async () => {
  const talk = event('b', 'Talk', inDays(8))
  const readParty = async (start: string) => {
    source.respond = async () => calendar(event('a', 'Party', start), talk)
    passHours(2)
    await team.poll()
  }
  const team = await connect()
  await readParty(inDays(5))
  await readParty(inDays(6))
  const call = await unlimitedClient(app, team.team)
  const { json } = await call('GET', '/content_blocks')
  const declined = json.content_blocks.find(({ title }: { title: string }) => title === 'Talk')
  expect((await call('DELETE', `/content_blocks/${declined.id}`)).status).toBe(204)

  await move(team, '/new-key/basic.ics')
  await readParty(inDays(6))
  expect(await team.titles()).toEqual(['Party'])
  const start = inDays(7)
  await readParty(start)
  expect(await team.titles()).toEqual(['Party'])
  expect((await eventsOf(team)).find(({ name }) => name === 'Party')?.day).toBe(dayOf(start))

  source.respond = async () => calendar(talk)
  passHours(2)
  await team.poll()
  expect(await team.titles()).toEqual([])
})

test('a calendar whose address is changed and set back announces nothing again, and only what is missing at its address is withdrawn', async () => {
  const team = await connect()
  const read = async (...events: string[]) => {
    source.respond = async () => calendar(...events)
    passHours(2)
    await team.poll()
  }
  const party = event('a', 'Party', inDays(5))
  const talk = event('b', 'Talk', inDays(6))
  const fair = event('c', 'Fair', inDays(7))
  const both = event('d', 'Concert', inDays(8))
  await read(party, talk, fair, both)
  const call = await unlimitedClient(app, team.team)
  const { json } = await call('GET', '/content_blocks')
  const declined = json.content_blocks.find(({ title }: { title: string }) => title === 'Party')
  expect((await call('DELETE', `/content_blocks/${declined.id}`)).status).toBe(204)
  const { status } = await call('DELETE', `/events/${declined.event_slug}`)
  expect(status).toBe(204)

  await move(team, '/wrong/basic.ics')
  const wrong = event('z', 'Wrong', inDays(5))
  await read(wrong, both)
  expect((await team.titles()).toSorted()).toEqual(['Concert', 'Fair', 'Talk', 'Wrong'])
  await read(wrong)
  expect((await team.titles()).toSorted()).toEqual(['Fair', 'Talk', 'Wrong'])

  await move(team, '/canary-key/basic.ics')
  await read(party, talk, fair)
  expect((await team.titles()).toSorted()).toEqual(['Fair', 'Talk', 'Wrong'])
  const names = async () => (await eventsOf(team)).map(({ name }) => name).toSorted()
  expect(await names()).toEqual(['Fair', 'Talk', 'Wrong'])
  await read(party, talk)
  expect((await team.titles()).toSorted()).toEqual(['Talk', 'Wrong'])
  expect(await names()).toEqual(['Talk', 'Wrong'])
})

test('of a calendar with more dates than are read, a date that is still planned is not withdrawn, and one that is cancelled is', async () => {
  // These are only known: 200 drafts would be more than a key may create in a minute.
  const others = Array.from({ length: 199 }, (_, n) =>
    event(`d${n}`, `Date ${n}`, inDays(5 + n / 20)),
  )
  const team = await connect({ events: 'event.cancelled' })
  const read = async (...events: string[]) => {
    source.respond = async () => calendar(...events)
    passHours(2)
    await team.poll()
  }
  await read(...others)
  await updateConnection(systemContext(app.forwarder, team.team.id), {
    adapter,
    id: team.id,
    given: { events: '*' },
  })
  const last = event('last', 'Last', inDays(16))
  const earlier = event('earlier', 'Earlier', inDays(4))
  await read(...others, last)
  await read(...others, last, earlier)
  expect((await team.titles()).toSorted()).toEqual(['Earlier', 'Last'])
  await read(...others, last)
  expect(await team.titles()).toEqual(['Last'])
  await read(...others)
  expect(await team.titles()).toEqual([])
})

test('an event that is over stays, and a calendar that cannot be read withdraws nothing', async () => {
  const start = inDays(1)
  source.respond = async () => calendar(event('a', 'Party', start))
  const team = await connect()
  await team.poll()
  source.respond = async () => new Response(null, { status: 500 })
  passHours(2)
  await team.poll()
  expect(await team.titles()).toEqual(['Party'])
  source.respond = async () => calendar()
  passHours(30)
  await team.poll()
  expect(await team.titles()).toEqual(['Party'])
  expect(await team.deliveries()).toHaveLength(1)
})

test('a block of a cancelled event that is in a newsletter stays, and so does its date', async () => {
  source.respond = async () => calendar(event('a', 'Party', inDays(5)))
  const team = await connect()
  await team.poll()
  await app.sql`
    insert into newsletters (id, team_id, title, template_slug, created_at, updated_at)
    values (${`nl_${team.team.id}`}, ${team.team.id}, 'x', 'clean', now(), now())`
  await app.sql`
    insert into newsletter_blocks (id, team_id, newsletter_id, content_block_id, position)
    select ${`nb_${team.team.id}`}, team_id, ${`nl_${team.team.id}`}, id, 1 from content_blocks where team_id = ${team.team.id}`
  source.respond = async () => calendar()
  passHours(2)
  await team.poll()
  expect(await team.titles()).toEqual(['Party'])
  expect((await eventsOf(team)).map(({ name }) => name)).toEqual(['Party'])
})

test('a calendar that has not changed is fetched again on the next day, because other events are near then', async () => {
  const far = inDays(30.5)
  source.respond = async ({ headers }) =>
    headers.has('if-none-match')
      ? new Response(null, { status: 304 })
      : new Response(calendar(event('a', 'Party', far)), { headers: { etag: '"1"' } })
  const team = await connect()
  await team.poll()
  expect(await team.titles()).toEqual([])
  passHours(25)
  await team.poll()
  expect(await team.titles()).toEqual(['Party'])
})

test('the address of a calendar is encrypted, not shown and in no log', async () => {
  source.respond = async () => new Response('canary-key', { status: 500 })
  const team = await connect()
  await team.poll()
  const rows = await app.sql`
    select c.settings::text, s.* from connections c
    join polled_sources s on s.team_id = c.team_id and s.connection_id = c.id
    where c.team_id = ${team.team.id}`
  expect(JSON.stringify([rows, await team.health()])).not.toContain('canary-key')
  expect(app.logLines.filter((line) => line.includes('canary-key'))).toEqual([])
})
