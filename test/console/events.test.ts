import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Team } from '../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../support/app.ts'
import { type Person, person, signedIn } from '../support/console.ts'

// A Wednesday.
let at = new Date('2027-01-20T09:00:00Z')
let app: TestApp
let team: Team
let editor: Person
let viewer: Person

beforeAll(async () => {
  app = await startApp({ now: () => at })
})
afterAll(async () => await app.close())
beforeEach(async () => {
  at = new Date('2027-01-20T09:00:00Z')
  team = await app.team()
  editor = await signInAtTestDate(team)
  viewer = await signInAtTestDate(team, 'viewer')
})

/** better-auth dates a session by the system's clock, and the app ends sessions after 30 days by its own. */
async function signInAtTestDate(of: Team, role: 'editor' | 'viewer' = 'editor'): Promise<Person> {
  const today = at
  at = new Date()
  const visitor = await signedIn(app, of, role)
  at = today
  await app.sql`update sessions set created_at = ${at} where account_id = ${visitor.accountId}`
  return visitor
}

const offsite = {
  name: 'Offsite in the Harz',
  event_date: '2027-02-03',
  category: 'corporate',
  description: 'Two days <outside>.',
  suggested_content: 'Who comes by train?',
}

const createEvent = async (fields: Record<string, string>) => {
  const call = client(app.base, await app.key(team, ['write']))
  const { json } = await call('POST', '/content_blocks', { title: 'x', body: 'x', ...fields })
  return json.content_block
}

/** One event's part of the list. */
const rowOf = (html: string, name: string) =>
  html.split('<li').find((part) => part.includes(`>${name}<`)) ?? ''
const weeksIn = (html: string) =>
  [...html.matchAll(/<h2 id="week-[^"]+">\s*<span[^>]*>([^<]+)/g)].map(([, name]) => name)

test('today is the day in the time zone of the person, on the calendar and in new events and newsletters', async () => {
  // Thursday in Auckland.
  at = new Date('2027-01-20T17:00:00Z')
  const utc = (await editor.get('/events')).html
  expect(utc).toContain('Wednesday, 20 January 2027')
  await editor.get('/account')
  await editor.post('/account', { name: 'Editor', time_zone: 'Pacific/Auckland' })
  const { html } = await editor.get('/events')
  expect(html).toContain('Thursday, 21 January 2027')
  expect(html).not.toContain('Wednesday, 20 January 2027')
  expect((await editor.get('/events/new_event')).html).toContain('value="2027-01-21"')
  await app.sql`update teams set newsletter_cadence = 'ad_hoc' where id = ${team.id}`
  expect((await editor.get('/newsletters/new')).html).toContain('value="2027-01-21"')
})

describe('The calendar', () => {
  test('the calendar shows eight weeks from the current one and marks today', async () => {
    const { html } = await viewer.get('/events')
    const weeks = weeksIn(html)
    expect(weeks.slice(0, 3)).toEqual(['This week', 'Next week', '1 February – 7 February'])
    expect(weeks.length).toBeLessThanOrEqual(8)
    expect(html).toContain('Today, Wednesday, 20 January 2027')
    expect(html).toContain('Valentine')
    expect(html).not.toContain('April Fools')
  })

  test('the calendar reaches past and future years', async () => {
    const links = (html: string) =>
      [...html.matchAll(/href="(\/events\?from=[\d-]+)"/g)].map(([, path = '']) => path)
    const [earlier = '', later = ''] = links((await viewer.get('/events')).html)
    const past = (await viewer.get(earlier)).html
    expect(rowOf(past, 'Christmas Day')).toContain('No blocks')
    expect(past).not.toContain('Today,')
    expect((await viewer.get(later)).html).toContain('Easter')
  })

  test('an event shows its block counts with a link, or a button for the first block', async () => {
    await editor.post('/events', { ...offsite, recurs: 'on' })
    await createEvent({ event_slug: 'offsite-in-the-harz' })
    await createEvent({ event_slug: 'offsite-in-the-harz-2027' })
    // Of another year alone.
    await createEvent({ event_slug: 'offsite-in-the-harz-2028' })
    const { id: ready } = await createEvent({ event_slug: 'offsite-in-the-harz' })
    const call = client(app.base, await app.key(team, ['write']))
    await call('PATCH', `/content_blocks/${ready}`, { status: 'ready' })
    const { html } = await editor.get('/events')
    const row = rowOf(html, offsite.name)
    expect(row).toContain('1 ready, 2 drafts')
    expect(row).toContain('href="/library?event=offsite-in-the-harz"')
    expect(row).toContain(offsite.suggested_content)
    const open = rowOf(html, 'Valentine&#x27;s Day')
    expect(open).toContain('No blocks yet')
    expect(open).toContain('href="/library/new?event=valentines-day"')
    expect(rowOf((await editor.get('/events?open=1')).html, offsite.name)).toBe('')
    const stranger = await signInAtTestDate(await app.team())
    expect((await stranger.get('/events')).html).not.toContain(offsite.name)
  })

  test('the calendar can be filtered by several categories at once', async () => {
    await editor.post('/events', offsite)
    const corporate = (await viewer.get('/events?category=corporate')).html
    expect(corporate).toContain(offsite.name)
    expect(corporate).not.toContain('Valentine')
    expect(corporate).toContain('href="/events?category=corporate&amp;category=cultural"')
    const none = await viewer.get('/events?category=cultural&from=2028-06-05')
    expect(none.html).toContain('Show all events')
  })

  test.each(['x', '2027-02-30', '1899-01-01', '2099-12-31', "'--"])(
    'an invalid date, from=%s, shows the current week',
    async (from) => {
      const { status, html } = await viewer.get(`/events?from=${encodeURIComponent(from)}`)
      expect(status).toBe(200)
      expect(html).toContain('This week')
    },
  )
})

describe('Events of the team', () => {
  test('an event of the team is created, changed and deleted', async () => {
    const added = await editor.post('/events', { ...offsite, recurs: 'on' })
    expect([added.status, added.location]).toEqual([303, '/events/offsite-in-the-harz'])
    const path = '/events/offsite-in-the-harz'
    const shown = (await viewer.get(path)).html
    expect(shown).toContain('Wednesday, 3 February 2027, in 14 days')
    expect(shown).toContain('Two days &lt;outside&gt;.')
    expect(shown).toContain('Every year')
    const form = (await editor.get(`${path}/edit`)).html
    expect(form).toContain('value="2027-02-03"')
    expect(form).toContain('Two days &lt;outside&gt;.')

    await editor.post(path, { ...offsite, event_date: '2027-02-04', suggested_content: '' })
    const changed = (await viewer.get(path)).html
    expect(changed).toContain('Thursday, 4 February 2027')
    expect(changed).toContain('<dd>No</dd>')
    expect(changed).not.toContain('Who comes by train?')

    await createEvent({ event_slug: 'offsite-in-the-harz' })
    expect((await editor.get(`${path}/delete`)).html).toContain(
      '1 block for it will stay in the library',
    )
    expect((await editor.post(`${path}/delete`)).location).toBe('/events')
    expect((await editor.get(path)).status).toBe(404)
  })

  test('an invalid event form shows its errors and keeps the typed values', async () => {
    const refused = await editor.post('/events', {
      ...offsite,
      name: ' ',
      event_date: '2027-02-30',
    })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('Name is required.')
    expect(refused.html).toContain('Date must be a day that exists.')
    expect(refused.html).toContain('Who comes by train?')
    await editor.post('/events', offsite)
    const twice = await editor.post('/events', offsite)
    expect(twice.html).toContain('belongs to another event already')
  })

  test('an event named "new" has a page of its own, beside the page for a new event', async () => {
    expect((await editor.get('/events')).html).toContain('href="/events/new_event"')
    expect((await editor.get('/events/new')).location).toBe('/events/new_event')
    expect((await editor.get('/events/new_event')).html).toContain('name="event_date"')
    const { location } = await editor.post('/events', { ...offsite, name: 'New' })
    expect(location).toBe('/events/new')
    const page = await editor.get('/events/new')
    expect(page.html).toContain('href="/events/new/edit"')
    expect((await editor.post('/events/new/delete')).location).toBe('/events')
  })

  test('an event can replace a well-known day, which returns when the event is deleted', async () => {
    const name = 'Valentines Day'
    const { location } = await editor.post('/events', {
      ...offsite,
      name,
      event_date: '2027-02-14',
    })
    expect(location).toBe('/events/valentines-day')
    const { html } = await editor.get(location ?? '')
    expect(html).toContain('replaces the well-known day')
    expect((await editor.get(`${location}/delete`)).html).toContain('is shown again instead')
    await editor.post(`${location}/delete`)
    expect((await viewer.get(location ?? '')).html).toContain('well-known days')
  })
})

describe('The page of an event', () => {
  test('the page of an event lists its blocks, or explains how to add the first one', async () => {
    const empty = (await editor.get('/events/valentines-day')).html
    expect(empty).toContain('No blocks yet')
    expect(empty).toContain('href="/library/new?event=valentines-day"')
    const { id } = await createEvent({ title: 'Love <letters>', event_slug: 'valentines-day' })
    const { html } = await viewer.get('/events/valentines-day')
    expect(html).toContain(`<a href="/library/${id}">Love &lt;letters&gt;</a>`)
  })

  test('a well-known day cannot be changed or deleted', async () => {
    const { html } = await editor.get('/events/valentines-day')
    expect(html).not.toContain('/edit')
    expect((await editor.get('/events/valentines-day/edit')).status).toBe(404)
    expect((await editor.post('/events/valentines-day', offsite)).status).toBe(404)
    expect((await editor.post('/events/valentines-day/delete')).status).toBe(404)
  })

  test('viewers see no buttons for editors on event pages', async () => {
    await editor.post('/events', offsite)
    for (const path of ['/events', '/events/offsite-in-the-harz', '/events/valentines-day']) {
      const { html } = await viewer.get(path)
      for (const link of ['/library/new', '/events/new_event', '/edit', '/delete']) {
        expect(html).not.toContain(link)
      }
    }
  })
})

test('the field for an event begins with the coming events, and the past ones follow', async () => {
  const { html } = await editor.get('/library/new')
  const [, options = ''] = /<select id="event_slug"[^>]*>(.*?)<\/select>/s.exec(html) ?? []
  const days = [...options.matchAll(/, (\d+ \w+ \d{4})</g)].map(([, day = '']) => Date.parse(day))
  const today = Date.parse(at.toISOString().slice(0, 10))
  const coming = days.filter((day) => day >= today)
  const past = days.filter((day) => day < today)
  expect(coming.length).toBeGreaterThan(1)
  expect(past.length).toBeGreaterThan(1)
  expect(days).toEqual([
    ...coming.toSorted((one, other) => one - other),
    ...past.toSorted((one, other) => other - one),
  ])
})

describe('Well-known days in the language of the console', () => {
  const german = () => {
    const visitor = person(app.base, { 'accept-language': 'de' })
    for (const [name, value] of editor.cookies) visitor.cookies.set(name, value)
    return visitor
  }

  test.each(['weltwass', 'world water'])('the search finds %s', async (words) => {
    const { html } = await german().get(`/search?q=${encodeURIComponent(words)}`)
    expect(html).toContain('Weltwassertag')
    expect(html).not.toContain('World Water Day')
  })

  test('the page of a block, its history and the library name its event', async () => {
    const { id } = await createEvent({ title: 'Roses', event_slug: 'valentines-day' })
    const own = await createEvent({ title: 'Later', event_slug: 'no-such-event' })
    const link = /<a href="\/library\?event=[\w-]+">([^<]*)</
    expect(link.exec((await german().get(`/library/${id}`)).html)?.[1]).toBe('Valentinstag')
    expect(link.exec((await editor.get(`/library/${id}`)).html)?.[1]).toBe('Valentine&#x27;s Day')
    expect(link.exec((await german().get(`/library/${own.id}`)).html)?.[1]).toBe('no-such-event')
    const { html } = await german().get('/library?event=valentines-day')
    expect(html).toContain('Valentinstag')
    const call = client(app.base, await app.key(team, ['write']))
    await call('PATCH', `/content_blocks/${own.id}`, { event_slug: 'valentines-day' })
    const history = (await german().get(`/library/${own.id}/history`)).html
    expect(history).toContain('no-such-event')
    expect(history).toContain('Valentinstag')
  })

  test('in the form of a block, an event is chosen by its name, with its date', async () => {
    const { html } = await german().get('/library/new')
    const [, options = ''] = /<select id="event_slug"[^>]*>(.*?)<\/select>/s.exec(html) ?? []
    expect(options).toContain('<option value="" selected>Keiner')
    expect(options).toContain('<option value="valentines-day">Valentinstag, 14.')
  })
})
