import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../support/app.ts'
import {
  connectFakeProvider,
  createFakeAdapter,
  fakeSecret,
  sign,
} from '../support/providers/fake-provider.ts'

const { adapter, notifications } = createFakeAdapter()

/** A provider's API of which one path works. */
const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ url }) => new Response('', { status: url.endsWith('/up') ? 200 : 500 }),
})
const api = `http://127.0.0.1:${provider.port}`

let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [adapter] })
})
afterAll(async () => {
  await app.close()
  await provider.stop(true)
})

/** A connection, and what a dry run of a notice answers. */
async function startDryRun(settings: Record<string, unknown> = {}) {
  const team = await app.team()
  const fakeProvider = await connectFakeProvider(app, team, { api, ...settings })
  const ask = async (notice: object, signedWith = fakeSecret) => {
    const body = JSON.stringify({ kind: 'news', ...notice })
    const headers = { 'x-signature': sign(signedWith, body) }
    const response = await fetch(`${fakeProvider.url}?dry_run=true`, {
      method: 'POST',
      body,
      headers,
    })
    return { status: response.status, json: await response.json() }
  }
  return { team, fakeProvider, ask }
}

const item = { title: 'Rye 1.0', external_id: 'rye:1' }

describe('dry runs of webhook requests', () => {
  test('a dry run responds with the items as they would be posted and changes nothing', async () => {
    const { team, fakeProvider, ask } = await startDryRun({
      auto_ready: true,
      event_slug: 'open-day',
    })
    const { status, json } = await ask({ id: 'd1', items: [item], replyTo: 'me', readBack: '/up' })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      dry_run: true,
      items: [{ ...item, auto_ready: true, event_slug: 'open-day' }],
    })
    expect(await fakeProvider.deliveries()).toHaveLength(0)
    const [{ n } = {}] = await app.sql`
      select count(*)::integer as n from content_blocks where team_id = ${team.id}`
    expect(n).toBe(0)
    // The very request still works for real afterwards.
    await fakeProvider.send({ id: 'd1', items: [item] })
    expect(await fakeProvider.settled(1)).toMatchObject([{ status: 'delivered' }])
    expect(notifications.filter(({ replyTo }) => replyTo === 'me')).toHaveLength(0)
  })

  test.each([
    ['a change', { id: 'd', update: [item] }, { update: [item] }],
    ['a withdrawal', { id: 'd', withdraw: ['rye:1'] }, { withdraw: ['rye:1'] }],
    ['no items', { id: 'd', items: [] }, { ignored: 'nothing in it' }],
    ['no news', { id: 'd', kind: 'ignored' }, { ignored: 'it creates no block' }],
    ['an event nobody knows', { id: 'd', kind: 'unknown' }, { unknown: 'unknown' }],
    [
      'a provider that does not answer',
      { id: 'd', readBack: '/down' },
      { failed: 'Fake provider answered 500.' },
    ],
  ])('a dry run reports what would become of %s', async (_, notice, reply) => {
    const { ask } = await startDryRun()
    expect((await ask(notice)).json).toMatchObject({ dry_run: true, ...reply })
  })

  test('a dry run of a handshake stores no settings', async () => {
    const { fakeProvider, ask } = await startDryRun()
    expect((await ask({ id: 'acme', kind: 'handshake' })).json).toMatchObject({ dry_run: true })
    expect(await fakeProvider.settings()).not.toHaveProperty('workspace')
  })

  test('a dry run of a request with a wrong signature is refused without details', async () => {
    const { ask } = await startDryRun()
    const { status, json } = await ask({ id: 'd', items: [item] }, 'another secret')
    expect({ status, json }).toEqual({ status: 401, json: { error: 'The request was refused.' } })
  })
})

describe('the filter of events', () => {
  test.each([
    ['a name', ['news.release'], 'release', true],
    ['another name', ['news.hire'], 'release', false],
    ['a star', ['news.re*'], 'release', true],
    ['a star elsewhere', ['*.hire'], 'release', false],
    ['the first word', ['news'], 'hire', true],
    ['other letters', ['NEWS.Hire'], 'hire', true],
  ])('the filter of events selects by %s', async (_, events, topic, isNews) => {
    const { team, fakeProvider } = await startDryRun({ events })
    await fakeProvider.send({ id: 'd', topic, items: [item] })
    const [delivery] = await fakeProvider.settled(1)
    const reason = `news.${topic}: not on the list of this connection (events)`
    expect(delivery).toMatchObject(isNews ? { status: 'delivered' } : { status: 'ignored', reason })
    const [{ n } = {}] = await app.sql`
      select count(*)::integer as n from content_blocks where team_id = ${team.id}`
    expect(n).toBe(isNews ? 1 : 0)
  })

  test('the filter of events rejects a name that the provider does not use', async () => {
    const team = await app.team()
    const made = connectFakeProvider(app, team, { events: ['news.release', 'news.relase'] })
    const fault = { pointer: '/events', message: expect.stringContaining('"news.relase"') }
    await expect(made).rejects.toMatchObject({ details: { fields: [fault] } })
  })
})
