import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { CalendarEvent, EventWithBlocks } from '../../src/contract/events/event.ts'
import { NewEvent, newEventDefaults } from '../../src/contract/events/input.ts'
import {
  createEvent,
  deleteEvent,
  findEvents,
  listEventWarnings,
  purgeEvents,
  updateEvent,
} from '../../src/features/events/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { client, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let at = new Date('2026-03-08T23:30:00Z')
const now = () => at

beforeAll(async () => {
  app = await startApp({ now })
})
afterAll(() => app.close())

const contextOf = ({ id }: { id: string }) => systemContext({ sql: app.sql, now }, id)

/** A new team with a client that may read and write. */
async function newTeam() {
  const team = await app.team()
  const call = client(app.base, await app.key(team, ['read', 'write']))
  const add = (event: v.InferInput<typeof NewEvent>) =>
    createEvent(contextOf(team), { ...newEventDefaults, ...v.parse(NewEvent, event) })
  const slugs = async (query: string): Promise<string[]> =>
    (await call('GET', `/events?${query}`)).json.events.map(({ slug }: CalendarEvent) => slug)
  return { team, call, add, slugs }
}

/** Runs with the clock at another moment. */
async function on(moment: string, work: () => Promise<void>) {
  const before = at
  at = new Date(moment)
  try {
    await work()
  } finally {
    at = before
  }
}

const offsite = {
  slug: 'offsite',
  name: 'Offsite',
  event_date: '2026-03-09',
  category: 'corporate',
} as const

describe('GET /events', () => {
  test('GET /events lists the calendar of this year and the next for a new team, by date and slug', async () => {
    const { call } = await newTeam()
    const first = await call('GET', '/events?per_page=100')
    const second = await call('GET', '/events?per_page=100&page=2')
    const events: CalendarEvent[] = [...first.json.events, ...second.json.events]
    expect(events.length).toBe(first.json.meta.total)
    expect(new Set(events.map(({ event_date }) => event_date.slice(0, 4)))).toEqual(
      new Set(['2026', '2027']),
    )
    const keys = events.map(({ event_date, slug }) => `${event_date} ${slug}`)
    expect(keys).toEqual(keys.toSorted())
    for (const event of events) v.parse(CalendarEvent, event)
  })

  test('a day has its slug the next time it comes, today included, and the slug with the year at every other time', async () => {
    const { slugs } = await newTeam()
    const listed = async () =>
      (await slugs('category=diversity&per_page=100')).filter((slug) =>
        slug.startsWith('international-womens'),
      )
    expect(await listed()).toEqual(['international-womens-day', 'international-womens-day-2027'])
    await on('2026-03-09T00:00:00Z', async () => {
      expect(await listed()).toEqual(['international-womens-day-2026', 'international-womens-day'])
    })
  })

  test('the filters upcoming and days_ahead begin today in UTC', async () => {
    const { add, slugs, call } = await newTeam()
    await add({ ...offsite, slug: 'yesterday', event_date: '2026-03-07' })
    await add({ ...offsite, slug: 'tomorrow' })
    await add({ ...offsite, slug: 'later', event_date: '2030-01-01' })
    expect(await slugs('days_ahead=0')).toEqual(['international-womens-day'])
    expect(await slugs('days_ahead=1')).toEqual(['international-womens-day', 'tomorrow'])
    expect(await slugs('upcoming=true&per_page=2')).toEqual([
      'international-womens-day',
      'tomorrow',
    ])
    const all = (await call('GET', '/events?upcoming=false')).json.meta.total
    const upcoming = (await call('GET', '/events?upcoming=true')).json.meta.total
    const passed = (await call('GET', '/events?per_page=100')).json.events.filter(
      ({ event_date }: CalendarEvent) => event_date < '2026-03-08',
    )
    expect(all - upcoming).toBe(passed.length)
    expect(await slugs('category=corporate&per_page=100')).toContain('later')
    expect(await slugs('category=corporate&per_page=100&days_ahead=366')).not.toContain('later')
  })

  test('the filter category can be repeated and means OR', async () => {
    const { call } = await newTeam()
    const { json } = await call('GET', '/events?category=wellness&category=seasonal&per_page=100')
    const categories = new Set(json.events.map(({ category }: CalendarEvent) => category))
    expect(categories).toEqual(new Set(['wellness', 'seasonal']))
  })

  test('GET /events lists each event once when a client follows the cursors to the end', async () => {
    const { call, add } = await newTeam()
    for (const slug of ['b', 'a', 'c']) await add({ ...offsite, slug })
    const whole: string[] = []
    let query = 'upcoming=true&per_page=35'
    for (;;) {
      const { status, json, headers } = await call('GET', `/events?${query}`)
      expect(status).toBe(200)
      whole.push(...json.events.map(({ slug }: CalendarEvent) => slug))
      if (json.meta.next_cursor === null) break
      expect(headers.get('link')).toContain('rel="next"')
      query = `upcoming=true&per_page=35&after=${json.meta.next_cursor}`
    }
    const { json } = await call('GET', '/events?upcoming=true&per_page=1')
    expect(whole.length).toBe(json.meta.total)
    expect(new Set(whole).size).toBe(whole.length)
    expect(whole.slice(0, 4)).toEqual(['international-womens-day', 'a', 'b', 'c'])
  })

  test('a page of events past the end is empty, and a page that is too deep gets 422 that names the cursor', async () => {
    const { call } = await newTeam()
    expect((await call('GET', '/events?page=50&per_page=100')).json.events).toEqual([])
    const deep = await call('GET', '/events?page=101&per_page=100')
    expect([deep.status, deep.json.errors]).toEqual([422, [expect.stringContaining('after')]])
  })

  test.each([
    ['days_ahead=367', '?days_ahead'],
    ['days_ahead=-1', '?days_ahead'],
    ['days_ahead=soon', '?days_ahead'],
    ['upcoming=yes', '?upcoming'],
    ['upcoming=', '?upcoming'],
    ['upcoming=true&upcoming=false', '?upcoming'],
    ['category=party', '?category'],
    ['per_page=0', '?per_page'],
    ['after=bm9uc2Vuc2U', '?after'],
  ])('GET /events?%s gets 422 that names the parameter', async (query, pointer) => {
    const { call } = await newTeam()
    const { status, json } = await call('GET', `/events?${query}`)
    expect([status, json.code, json.fields[0].pointer]).toEqual([422, 'validation_failed', pointer])
  })

  test('GET /events needs the scope read', async () => {
    const team = await app.team()
    const call = client(app.base, await app.key(team, ['write', 'send_preview']))
    for (const path of ['/events', '/events/earth-day', '/events/none']) {
      const { status, json } = await call('GET', path)
      expect([status, json.required_scope]).toEqual([403, 'read'])
    }
  })
})

describe('GET /events/:slug', () => {
  test('GET /events/:slug shows the next time of an event, or the year in the slug', async () => {
    const { call } = await newTeam()
    const dateOf = async (slug: string) => {
      const { status, json } = await call('GET', `/events/${slug}`)
      expect([status, json.event.slug]).toEqual([200, slug])
      return v.parse(EventWithBlocks, json.event).event_date
    }
    expect(await dateOf('international-womens-day')).toBe('2026-03-08')
    expect(await dateOf('new-years-day')).toBe('2027-01-01')
    expect(await dateOf('international-womens-day-2026')).toBe('2026-03-08')
    expect(await dateOf('easter-sunday-2038')).toBe('2038-04-25')
    expect(await dateOf('eid-al-fitr-2033')).toBe('2033-01-03')
    expect(await dateOf('eid-al-fitr-2033-2')).toBe('2033-12-23')
    await on('2026-12-31T12:00:00Z', async () => {
      expect(await dateOf('international-womens-day')).toBe('2027-03-08')
    })
  })

  test.each([
    'no-such-day',
    'earth-day-1776',
    'diwali-2050',
    'Earth-Day',
    'earth-day%00',
    '%F0%9F%8E%89',
    'x'.repeat(300),
  ])('GET /events/%s gets 404', async (slug) => {
    const { call } = await newTeam()
    const { status, json } = await call('GET', `/events/${slug}`)
    expect([status, json.code]).toEqual([404, 'not_found'])
  })

  test("GET /events/:slug shows the team's blocks of every year and of that year, newest first", async () => {
    const { call } = await newTeam()
    const stranger = await newTeam()
    const ingest = async (by: typeof call, title: string, event_slug: string) =>
      (await by('POST', '/webhooks/ingest', { title, body: 'b', event_slug, auto_ready: true }))
        .json.content_block.id
    const every = await ingest(call, 'Every year', 'earth-day')
    await on('2026-03-08T23:31:00Z', async () => {
      const this_ = await ingest(call, 'This year', 'earth-day-2026')
      await ingest(call, 'Next year', 'earth-day-2027')
      await ingest(call, 'Another day', 'halloween')
      await ingest(stranger.call, 'Of another team', 'earth-day')
      const { json } = await call('GET', '/events/earth-day')
      expect(json.event.content_blocks).toEqual([
        { id: this_, title: 'This year', status: 'ready' },
        { id: every, title: 'Every year', status: 'ready' },
      ])
    })
  })

  test('GET /events/:slug shows at most 100 blocks and says when there are more', async () => {
    const { team, call } = await newTeam()
    await app.sql`
      insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source, event_slug, created_at, updated_at)
      select 'cb_many' || lpad(n::text, 4, '0'), ${team.id}, n::text, 'b', 'text', 'general', 'draft', 'manual',
        case when n % 2 = 0 then 'pi' else 'earth-day' end, now(), now()
      from generate_series(1, 400) n`
    const { json } = await call('GET', '/events/earth-day')
    const titles = json.event.content_blocks.map(({ title }: { title: string }) => title)
    expect(titles).toEqual(Array.from({ length: 100 }, (_, at) => String(399 - 2 * at)))
  })
})

describe('Events of a team', () => {
  test('a block with an unknown event slug belongs to the event when it is created later', async () => {
    const { call, add } = await newTeam()
    const sent = await call('POST', '/webhooks/ingest', {
      title: 'Come along',
      body: 'b',
      event_slug: 'offsite',
    })
    expect(sent.json.warnings).toHaveLength(1)
    expect((await call('GET', '/events/offsite')).status).toBe(404)
    await add({ ...offsite, description: 'Two days by the sea.' })
    const { json } = await call('GET', '/events/offsite')
    expect(json.event).toEqual({
      ...offsite,
      description: 'Two days by the sea.',
      suggested_content: null,
      recurs: false,
      content_blocks: [{ id: sent.json.content_block.id, title: 'Come along', status: 'draft' }],
      has_more_content_blocks: false,
    })
    const again = await call('POST', '/webhooks/ingest', {
      title: 'More',
      body: 'b',
      event_slug: 'offsite',
    })
    expect(again.json.warnings).toEqual([])
  })

  test('no other team sees an event of a team, by list, by slug or by cursor', async () => {
    const ours = await newTeam()
    const theirs = await newTeam()
    await ours.add(offsite)
    expect(await ours.slugs('days_ahead=1')).toContain('offsite')
    expect(await theirs.slugs('days_ahead=1')).not.toContain('offsite')
    const foreign = await theirs.call('GET', '/events/offsite')
    const unknown = await theirs.call('GET', '/events/unknown')
    expect([foreign.status, { ...foreign.json, request_id: '' }]).toEqual([
      404,
      { ...unknown.json, request_id: '' },
    ])
    const { next_cursor } = (await ours.call('GET', '/events?per_page=1')).json.meta
    const stolen = await theirs.call('GET', `/events?after=${next_cursor}`)
    expect([stolen.status, stolen.json.fields[0].pointer]).toEqual([422, '?after'])
    const misused = await ours.call('GET', `/content_blocks?after=${next_cursor}`)
    expect(misused.status).toBe(422)
  })

  test('an event with the slug of a well-known day replaces that day in every year', async () => {
    const { call, add, slugs } = await newTeam()
    await add({ ...offsite, slug: 'earth-day', name: 'Our Earth Day', event_date: '2026-04-24' })
    const listed = await slugs('category=awareness_day&category=corporate&per_page=100')
    expect(listed.filter((slug) => slug.startsWith('earth-day'))).toEqual(['earth-day'])
    expect((await call('GET', '/events/earth-day')).json.event).toMatchObject({
      name: 'Our Earth Day',
      event_date: '2026-04-24',
      description: null,
    })
    expect((await call('GET', '/events/earth-day-2027')).status).toBe(404)
  })

  test('an event with the slug of one year of a well-known day replaces the day in that year', async () => {
    const { call, add, slugs } = await newTeam()
    await add({ ...offsite, slug: 'earth-day-2026', name: 'Ours', event_date: '2026-04-23' })
    const listed = await slugs('category=awareness_day&category=corporate&per_page=100')
    expect(listed.filter((slug) => slug.startsWith('earth-day'))).toEqual([
      'earth-day-2026',
      'earth-day',
    ])
    expect((await call('GET', '/events/earth-day-2026')).json.event.name).toBe('Ours')
    expect((await call('GET', '/events/earth-day')).json.event.event_date).toBe('2027-04-22')
  })

  test('an event that recurs comes every year from its first date on', async () => {
    const { call, add, slugs } = await newTeam()
    await add({
      ...offsite,
      slug: 'founders',
      event_date: '2024-02-01',
      recurs: true,
      description: 'Cake.',
    })
    const listed = (await slugs('category=corporate&per_page=100')).filter((slug) =>
      slug.startsWith('founders'),
    )
    expect(listed).toEqual(['founders-2026', 'founders'])
    const { event } = (await call('GET', '/events/founders')).json
    expect(event).toMatchObject({ event_date: '2027-02-01', recurs: true, description: 'Cake.' })
    expect((await call('GET', '/events/founders-2025')).json.event.event_date).toBe('2025-02-01')
    expect((await call('GET', '/events/founders-2023')).status).toBe(404)
  })

  test('an event of a team is changed and deleted by that team alone', async () => {
    const ours = await newTeam()
    const theirs = await newTeam()
    await ours.add(offsite)
    const change = { name: 'Moved', event_date: '2026-03-10' }
    await expect(
      updateEvent(contextOf(theirs.team), { slug: 'offsite', change }),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(deleteEvent(contextOf(theirs.team), 'offsite')).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(
      updateEvent(contextOf(ours.team), { slug: 'earth-day', change }),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
    await updateEvent(contextOf(ours.team), { slug: 'offsite', change })
    expect((await ours.call('GET', '/events/offsite')).json.event).toMatchObject({
      name: 'Moved',
      event_date: '2026-03-10',
    })
    await deleteEvent(contextOf(ours.team), 'offsite')
    expect((await ours.call('GET', '/events/offsite')).status).toBe(404)
  })

  test('a team has one event of each slug and at most 2,000 events', async () => {
    const { team, add } = await newTeam()
    await add(offsite)
    await expect(add(offsite)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('another event'),
    })
    await app.sql`
      insert into events (team_id, slug, name, event_date, category, recurs, created_at)
      select ${team.id}, 'e-' || n, 'E', '2026-01-01', 'corporate', false, now() from generate_series(1, 1999) n`
    await expect(add({ ...offsite, slug: 'one-more' })).rejects.toMatchObject({
      message: expect.stringContaining('2000'),
    })
  })

  test('events of sources that are over do not count towards the limit, and are deleted after 400 days', async () => {
    const { team, add } = await newTeam()
    await app.sql`
      insert into events (team_id, slug, name, event_date, category, recurs, source_updated_at, description, created_at)
      select ${team.id}, 'e-' || n, 'E', case when n > 3 then '2020-01-01'::date else '2025-12-30' end, 'corporate', n = 5,
        now(), case when n = 4 then 'Our words' end, now()
      from generate_series(1, 2000) n`
    await add({ ...offsite, slug: 'one-more' })
    await purgeEvents({ sql: app.sql, now: () => new Date('2026-01-05T03:00:00Z') })
    const left = await app.sql<{ slug: string }[]>`
      select slug from events where team_id = ${team.id} order by slug`
    expect(left.map(({ slug }) => slug)).toEqual(['e-1', 'e-2', 'e-3', 'e-4', 'e-5', 'one-more'])
  })

  test.each([
    ['event_date', '2026-02-29'],
    ['event_date', '2026-1-1'],
    ['event_date', '0026-01-01'],
    ['slug', 'Off Site'],
    ['category', 'party'],
    ['name', ' '],
  ])('an event with the %s %p is refused', (field, value) => {
    const result = v.safeParse(NewEvent, { ...offsite, [field]: value })
    expect(result.issues?.map((issue) => v.getDotPath(issue))).toEqual([field])
  })
})

describe('Events for other features', () => {
  test('a slug gets a warning unless the calendar or the team has its event', async () => {
    const { team, add } = await newTeam()
    await add({ ...offsite, recurs: true })
    for (const slug of [
      'earth-day',
      'earth-day-2026',
      'easter-sunday-2040',
      'offsite',
      'offsite-2027',
    ]) {
      expect(await listEventWarnings(contextOf(team), slug)).toEqual([])
    }
    for (const slug of ['earth-days', 'offsite-2025', 'earth-day-1776']) {
      expect(await listEventWarnings(contextOf(team), slug)).toHaveLength(1)
    }
  })

  test('a search for events by words finds each event once, the coming ones first', async () => {
    const { team, add } = await newTeam()
    await add({ ...offsite, slug: 'pride-picnic', name: 'PRIDE picnic', event_date: '2026-01-05' })
    await add({ ...offsite, slug: 'pride-party', name: 'Pride party', event_date: '2026-06-01' })
    expect(await findEvents(contextOf(team), { words: ' pride ', language: 'en' })).toEqual([
      { slug: 'pride-party', name: 'Pride party' },
      { slug: 'pride-day', name: 'Pride Day' },
      { slug: 'pride-picnic', name: 'PRIDE picnic' },
    ])
    expect(await findEvents(contextOf(team), { words: 'バレンタイン', language: 'ja' })).toEqual([
      { slug: 'valentines-day', name: 'バレンタインデー' },
    ])
    for (const words of ['valentin', "valentine's"]) {
      expect(await findEvents(contextOf(team), { words, language: 'de' })).toEqual([
        { slug: 'valentines-day', name: 'Valentinstag' },
      ])
    }
    expect(await findEvents(contextOf(team), { words: '', language: 'en' })).toHaveLength(92)
  })
})
