import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Team } from '../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let team: Team
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp({ now: () => new Date('2026-11-20T09:00:00Z') })
})
afterAll(() => app.close())
beforeEach(async () => {
  team = await app.team()
  call = client(app.base, await app.key(team, ['read', 'write']))
})

const party = {
  slug: 'summer-party',
  name: 'Summer party',
  event_date: '2026-06-18',
  category: 'corporate',
  recurs: true,
}

describe('POST /events', () => {
  test('POST /events creates an event, links the blocks that have its slug and is recorded in the audit log', async () => {
    const block = { title: 'Save the date', body: 'x', event_slug: 'summer-party' }
    await call('POST', '/webhooks/ingest', block)
    const created = await call('POST', '/events', party)
    expect([created.status, created.headers.get('location')]).toEqual([
      201,
      '/api/v1/events/summer-party',
    ])
    expect(created.json.event).toMatchObject({
      slug: 'summer-party',
      event_date: '2027-06-18',
      description: null,
      content_blocks: [{ title: 'Save the date' }],
    })
    expect((await call('GET', '/events/summer-party')).json).toEqual(created.json)
    const [entry] = await app.sql`
      select action from audit_log where team_id = ${team.id} and action = 'event_created'`
    expect(entry).toMatchObject({ action: 'event_created' })
  })

  test('POST /events reports every fault, unknown fields and a slug that is taken', async () => {
    const wrong = await call('POST', '/events', {
      slug: 'Not A Slug',
      name: '',
      event_date: '2026-02-30',
      category: 'party',
      colour: 'red',
    })
    expect(wrong.json.fields.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      ...['/slug', '/name', '/event_date', '/category', '/colour'],
    ])
    await call('POST', '/events', party)
    const taken = await call('POST', '/events', party)
    expect(taken.json).toMatchObject({ status: 422, fields: [{ pointer: '/slug', code: 'taken' }] })
  })

  test('POST /events creates one event for one Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'party' }
    const first = await call('POST', '/events', party, key)
    const again = await call('POST', '/events', party, key)
    expect([again.status, again.json]).toEqual([201, first.json])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('POST /events with the slug of a well-known day replaces that day until the event is deleted', async () => {
    const slug = 'international-womens-day'
    const before = (await call('GET', `/events/${slug}`)).json
    const own = { ...party, slug, name: 'Our day' }
    expect((await call('POST', '/events', own)).json.event.name).toBe('Our day')
    expect((await call('DELETE', `/events/${slug}`)).status).toBe(204)
    expect((await call('GET', `/events/${slug}`)).json).toEqual(before)
  })
})

describe('PATCH and DELETE /events/:slug', () => {
  test('change only what is sent, and delete the event but not its blocks', async () => {
    await call('POST', '/events', { ...party, description: 'On the roof.' })
    const changed = await call('PATCH', '/events/summer-party', { name: 'Roof party' })
    expect(changed.json.event).toMatchObject({
      name: 'Roof party',
      description: 'On the roof.',
      event_date: '2027-06-18',
      recurs: true,
    })
    const emptied = await call('PATCH', '/events/summer-party', { description: null })
    expect(emptied.json.event).toMatchObject({ name: 'Roof party', description: null })
    expect((await call('PATCH', '/events/summer-party', {})).json).toEqual(emptied.json)
    expect((await call('PATCH', '/events/summer-party', { slug: 'x' })).status).toBe(422)
    expect((await call('DELETE', '/events/summer-party')).status).toBe(204)
    expect((await call('GET', '/events/summer-party')).status).toBe(404)
    expect((await call('DELETE', '/events/summer-party')).status).toBe(404)
  })

  test('PATCH and DELETE /events/:slug get 409 for a well-known day and for one date of an event, and say what to do', async () => {
    await call('POST', '/events', party)
    for (const [slug, own_slug] of [
      ['international-womens-day', null],
      ['summer-party-2028', 'summer-party'],
    ]) {
      const replies = [
        await call('PATCH', `/events/${slug}`, { name: 'x' }),
        await call('DELETE', `/events/${slug}`),
      ]
      for (const { json } of replies) {
        expect(json).toMatchObject({ status: 409, code: 'event_read_only', own_slug })
        expect(json.detail).toContain(`slug "${slug}"`)
      }
    }
  })

  test('PATCH and DELETE /events/:slug get 404 for the event of another team, which stays as it is', async () => {
    const stranger = client(app.base, await app.key(await app.team(), ['read', 'write']))
    const { json } = await call('POST', '/events', party)
    expect((await stranger('PATCH', '/events/summer-party', { name: 'x' })).status).toBe(404)
    expect((await stranger('DELETE', '/events/summer-party')).status).toBe(404)
    expect((await call('GET', '/events/summer-party')).json).toEqual(json)
  })

  test('simultaneous PATCH requests to one event all take effect when each changes another field', async () => {
    await call('POST', '/events', party)
    await Promise.all([
      call('PATCH', '/events/summer-party', { name: 'A' }),
      call('PATCH', '/events/summer-party', { description: 'B' }),
      call('PATCH', '/events/summer-party', { suggested_content: 'C' }),
    ])
    expect((await call('GET', '/events/summer-party')).json.event).toMatchObject({
      name: 'A',
      description: 'B',
      suggested_content: 'C',
    })
  })
})

test('GET /events sorted by -event_date lists the latest date first, by page and by cursor', async () => {
  const path = '/events?upcoming=true&days_ahead=60&per_page=3'
  const datesOf = (json: { events: { event_date: string }[] }) =>
    json.events.map(({ event_date }) => event_date)
  const all = datesOf((await call('GET', `${path.replace('=3', '=100')}`)).json)
  const first = await call('GET', `${path}&sort=-event_date`)
  const next = await call('GET', `${path}&sort=-event_date&after=${first.json.meta.next_cursor}`)
  expect([...datesOf(first.json), ...datesOf(next.json)]).toEqual(all.toReversed().slice(0, 6))
  const mixed = await call('GET', `${path}&after=${first.json.meta.next_cursor}`)
  expect(mixed.status).toBe(422)
})

test('an event of 29 February recurs on 28 February in other years', async () => {
  const slug = 'leap-day'
  await call('POST', '/events', { ...party, slug, event_date: '2028-02-29', recurs: true })
  const dateOf = async (year: number) =>
    (await call('GET', `/events/${slug}-${year}`)).json.event?.event_date
  expect([await dateOf(2028), await dateOf(2029), await dateOf(2032)]).toEqual([
    ...['2028-02-29', '2029-02-28', '2032-02-29'],
  ])
})
