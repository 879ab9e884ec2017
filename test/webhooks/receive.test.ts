import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { removeConnection, webhookUrl } from '../../src/features/connections/index.ts'
import { connect } from '../../src/lib/db.ts'
import { createWebhooks } from '../../src/webhooks/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { bulletin, bulletinAdapter, sign } from '../support/fake-provider.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [bulletinAdapter().adapter], forward: false })
})
afterAll(() => app.close())

const stored = async () =>
  (await app.sql<{ n: number }[]>`select count(*)::integer as n from deliveries`)[0]?.n

describe('POST /hooks/:adapter/:connection_id', () => {
  test('stores an event and its job together, then answers', async () => {
    const board = await bulletin(app, await app.team())
    const response = await board.send({ id: 'one', items: [{ title: 'Pumpernickel 2.0' }] })
    expect([response.status, await response.json()]).toEqual([200, { ok: true }])
    expect(await board.deliveries()).toMatchObject([{ delivery_id: 'one', status: 'waiting' }])
    const jobs =
      await app.sql`select data->>'deliveryId' as id from pgboss.job where name = 'forward'`
    const [delivery] = await board.deliveries()
    expect(jobs.map(({ id }) => id)).toContain(delivery?.id)
  })

  test('knows a delivery it had before, also when both arrive at the same moment', async () => {
    const board = await bulletin(app, await app.team())
    const twins = Array.from({ length: 8 }, () => board.send({ id: 'twin', items: [] }))
    const answers = await Promise.all((await Promise.all(twins)).map((twin) => twin.text()))
    expect(answers.sort()).toEqual([
      ...Array.from({ length: 7 }, () => '{"ok":true,"duplicate":true}'),
      '{"ok":true}',
    ])
    expect(await board.deliveries()).toHaveLength(1)
  })

  test('keeps the same delivery id of two connections apart', async () => {
    const team = await app.team()
    const [one, two] = [await bulletin(app, team), await bulletin(app, team)]
    await one.send({ id: 'same', items: [] })
    expect(await (await two.send({ id: 'same', items: [] })).json()).toEqual({ ok: true })
  })

  test('takes an odd delivery id for what it is', async () => {
    const board = await bulletin(app, await app.team())
    const id = `\0\ud800${'x'.repeat(5_000)}`
    expect(await (await board.send({ id, items: [] })).json()).toEqual({ ok: true })
    expect(await (await board.send({ id, items: [] })).json()).toEqual({
      ok: true,
      duplicate: true,
    })
  })

  test('refuses what is not signed, without a detail and without a trace in the database', async () => {
    const board = await bulletin(app, await app.team())
    const body = '{"id":"x","kind":"news"}'
    const before = await stored()
    const forged = ['', 'zz', sign('another-secret', body), sign(board.url, body)]
    for (const signature of forged) {
      const response = await board.post(body, signature)
      expect([response.status, await response.text()]).toEqual([
        401,
        '{"error":"The request was refused."}',
      ])
    }
    expect(await stored()).toBe(before)
  })

  test('turns away an address that keeps forging, and nobody else', async () => {
    const team = await app.team()
    const [board, other] = [await bulletin(app, team), await bulletin(app, team)]
    const statuses = new Set<number>()
    for (let forged = 0; forged < 130; forged++) statuses.add((await board.post('{}', '')).status)
    expect([...statuses]).toEqual([401, 429])
    const response = await board.post('{}', '')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await other.send({ id: '1', items: [] })).status).toBe(200)
  })

  test('lists what is no news with its reason, once', async () => {
    const board = await bulletin(app, await app.team())
    const answer = { ok: true, ignored: 'noise is not news' }
    expect(await (await board.send({ id: 'n1', kind: 'noise' })).json()).toEqual(answer)
    expect((await board.send({ id: 'n1', kind: 'noise' })).status).toBe(200)
    expect(await board.deliveries()).toMatchObject([
      { status: 'ignored', reason: 'noise is not news', replayable: false },
    ])
  })

  test('answers an unknown event and counts it', async () => {
    const board = await bulletin(app, await app.team())
    expect((await board.send({ id: '1', kind: 'gossip' })).status).toBe(200)
    expect(await board.deliveries()).toEqual([])
    const [row] =
      await app.sql`select unknown_events from connections where id = ${board.connection.id}`
    expect(row).toEqual({ unknown_events: 1 })
    expect(app.logLines.some((line) => line.includes('"reason":"gossip"'))).toBe(true)
  })

  test('learns from a handshake what is not set yet, and nothing else', async () => {
    const board = await bulletin(app, await app.team())
    const response = await board.send({ id: 'w1', kind: 'hello' })
    expect([response.status, await response.text()]).toEqual([200, 'welcome'])
    await board.send({ id: 'w2', kind: 'hello' })
    expect(await board.settings()).toMatchObject({ workspace: 'w1' })
    expect(await board.deliveries()).toEqual([])
  })

  test('answers 413 to a body one byte over 1 MiB, before reading on', async () => {
    const board = await bulletin(app, await app.team())
    const body = Buffer.alloc(1024 * 1024 + 1, 'x')
    const chunked = new ReadableStream({
      pull(controller) {
        controller.enqueue(body)
        controller.close()
      },
    })
    for (const [sent, more] of [
      [body, {}],
      [chunked, { duplex: 'half' }],
    ] as const) {
      const response = await fetch(board.url, { method: 'POST', body: sent, ...more })
      expect(response.status).toBe(413)
    }
    const exact = await fetch(board.url, { method: 'POST', body: body.subarray(1) })
    expect(exact.status).toBe(401)
  })

  test('answers 404 to every address that is not, or no longer, in use', async () => {
    const team = await app.team()
    const board = await bulletin(app, team)
    const { hookId } = board.connection
    const elsewhere = [
      `bulletin/${hookId.slice(1)}`,
      `github/${hookId}`,
      `bulletin/${hookId}x`,
      'x',
    ]
    for (const path of elsewhere) {
      const response = await fetch(`${app.base}/hooks/${path}`, { method: 'POST' })
      expect(response.status).toBe(404)
    }
    await removeConnection(app.forwarder, team.id, board.connection.id)
    expect((await board.send({ id: '1', items: [] })).status).toBe(404)
  })

  test('answers 405 to other methods', async () => {
    const { url } = await bulletin(app, await app.team())
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(url, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  test('says nothing of what broke inside', async () => {
    const board = await bulletin(app, await app.team())
    const response = await board.post('not json')
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: 'Something went wrong on our side.' },
    ])
  })

  test('answers 503 while the database is away', async () => {
    const sql = connect('postgres://127.0.0.1:1/nothing', { name: 'nowhere' })
    const deps = { ...app.forwarder, sql }
    const hooks = createWebhooks({ deps, addressOf: () => '' })
    const url = webhookUrl('http://localhost', 'bulletin', 'x'.repeat(32))
    const response = await hooks.handle(new Request(url, { method: 'POST', body: '{}' }))
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    await sql.end()
  })

  test('logs names and ids, never what was sent', async () => {
    const board = await bulletin(app, await app.team())
    await board.send({ id: 'quiet', items: [{ title: 'canary-title' }], answerTo: 'canary-answer' })
    await board.post('{"canary-body"', '')
    const log = app.logLines.join('')
    expect(log).toContain(board.connection.id)
    for (const secret of ['canary', board.connection.hookId]) expect(log).not.toContain(secret)
  })

  test('takes 1,200 events a minute from a source, and loses none that it accepted', async () => {
    const board = await bulletin(app, await app.team())
    let accepted = 0
    for (let batch = 0; batch < 26; batch++) {
      const sent = Array.from({ length: 50 }, (_, i) =>
        board.send({ id: `${batch}-${i}`, items: [] }),
      )
      for (const { status } of await Promise.all(sent)) {
        expect([200, 429]).toContain(status)
        if (status === 200) accepted++
      }
    }
    const [row] = await app.sql`
      select count(*)::integer as n from deliveries where connection_id = ${board.connection.id}`
    expect([row, accepted]).toEqual([{ n: 1_200 }, 1_200])
    const response = await board.send({ id: 'late', items: [] })
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
