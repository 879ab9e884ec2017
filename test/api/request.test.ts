import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { parseQuery, readJson } from '../../src/api/input.ts'
import { toNfc } from '../../src/contract/text.ts'
import { client, startApp, type TestApp } from '../support/app.ts'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'
import { until } from '../support/until.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ baseUrl: 'https://news.example' })
})
afterAll(() => app.close())

/** The head and the body of the response to a request written by hand. */
async function sendRaw(lines: readonly string[]): Promise<{ head: string; body: string }> {
  const { hostname, port } = new URL(app.base)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('utf8')
  socket.on('data', (data) => {
    received += data
  })
  socket.write([...lines, 'connection: close', '', ''].join('\r\n'))
  await new Promise((resolve) => socket.on('close', resolve))
  const [head = '', body = ''] = received.split('\r\n\r\n')
  return { head, body }
}

test('a body that ends before its length is the fault of the client in the log, not one of the service', async () => {
  const { hostname, port } = new URL(app.base)
  const key = await app.key(await app.team(), ['write'])
  const socket = connect(Number(port), hostname)
  const before = app.logLines.length
  const path = '/api/v1/content_blocks'
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'host: a',
      `authorization: Bearer ${key}`,
      'content-length: 100',
      '',
      '{',
    ].join('\r\n'),
  )
  const lines = () =>
    app.logLines.slice(before).flatMap((line) => {
      const { level, status, code, path: logged } = JSON.parse(line)
      return logged === path ? [{ level, status, code }] : []
    })
  await until(
    async () =>
      (
        await app.sql`
    select from api_key_usage where cardinality(recent_requests) > 0 and last_used_at > now() - interval '1 minute'`
      ).length > 0,
  )
  socket.destroy()
  await until(async () => lines().length > 0)
  expect(lines()).toEqual([{ level: 30, status: 400, code: 'malformed_request' }])
})

describe('the Host header', () => {
  test.each([
    ['has a space', ['GET /api/v1/ping HTTP/1.1', 'host: a b']],
    ['is empty', ['GET /api/v1/ping HTTP/1.1', 'host: ']],
    ['contains a path', ['GET /api/v1/ping HTTP/1.1', 'host: a/api/v1/team?']],
    ['is sent twice', ['GET /api/v1/ping HTTP/1.1', 'host: a', 'host: b']],
    ['is missing', ['GET /api/v1/ping HTTP/1.0']],
    ['is malformed outside the API', ['GET /login HTTP/1.1', 'host: a b']],
    ['has no valid port', ['GET /login HTTP/1.1', 'host: a:99999']],
    ['has no valid address', ['GET /login HTTP/1.1', 'host: [::1']],
    ['comes with CONNECT', ['CONNECT x HTTP/1.1', 'host: x']],
  ])(
    'the Host header gets a 400 problem document with a request id when it %s',
    async (_, lines) => {
      const { head, body } = await sendRaw(lines)
      expect(head).toStartWith('HTTP/1.1 400')
      expect(head.toLowerCase()).toContain('content-type: application/problem+json')
      const { code, request_id } = JSON.parse(body)
      expect(code).toBe('malformed_request')
      expect(app.logLines.join()).toContain(request_id)
    },
  )

  test('that is missing in HTTP/1.1 gets a 400 of the HTTP server, without a body', async () => {
    const { head, body } = await sendRaw(['GET /api/v1/ping HTTP/1.1'])
    expect(head).toStartWith('HTTP/1.1 400')
    expect(body).toBe('')
  })

  test.each(['a', 'ab', 'abc', 'a.example', '[::1]', '127.0.0.1:1'])(
    'the Host header does not change which route answers or whether a key is needed: %s',
    async (host) => {
      const ping = await sendRaw(['GET /api/v1/ping HTTP/1.1', `host: ${host}`])
      expect(ping.head).toStartWith('HTTP/1.1 401')
      const health = await sendRaw(['GET /healthz HTTP/1.1', `host: ${host}`])
      expect(health.head).toStartWith('HTTP/1.1 200')
    },
  )
})

test('every API response tells browsers to use https alone when BASE_URL is https', async () => {
  const key = await app.key(await app.team(), ['read'])
  const responses = await Promise.all([
    client(app.base, key)('GET', '/ping'),
    client(app.base, key)('GET', '/nowhere'),
    client(app.base, 'wrong')('GET', '/ping'),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 404, 401])
  for (const { headers } of responses) {
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('the log has one line for each API request, with its id, status and key', async () => {
  const call = client(app.base, await app.key(await app.team(), ['read']))
  for (const [path, status] of [
    ['/ping', 200],
    ['/content_blocks/cb_none', 404],
    ['/nowhere', 404],
  ] as const) {
    const { headers } = await call('GET', path)
    const id = headers.get('x-request-id') ?? 'none'
    const linesOf = () => app.logLines.filter((line) => line.includes(id))
    // The line is written once the response is sent.
    while (linesOf().length === 0) await new Promise((resolve) => setImmediate(resolve))
    const lines = linesOf().map((line) => JSON.parse(line))
    expect(lines).toMatchObject([{ requestId: id, method: 'GET', status, routeGroup: 'api' }])
    expect(lines[0].keyId).toBeString()
    expect(lines[0].ms).toBeNumber()
  }
})

test.each([
  ['an unclosed string of escaped quotes', (size: number) => `"${'\\"'.repeat(size)}`],
  ['a string of escaped quotes', (size: number) => `{"title": "${'\\"'.repeat(size)}"}`],
  ['many small strings', (size: number) => `{"titles": [${'"a",'.repeat(size)}"b"]}`],
])('the cost of a JSON body grows with its size when it is %s', async (_, bodyOf) => {
  const read = async (size: number) => {
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://a', { method: 'POST', headers, body: bodyOf(size) })
    await readJson(request).catch(() => null)
  }
  expect(await growthOf(read, 6_000)).toBeLessThan(maxLinearGrowth)
})

test('the cost of a text in NFC grows with its length when a letter has many accents, and the text stays as it looks', async () => {
  const accents = (size: number) => `a${'\u0301\u0323'.repeat(size)}`
  expect(await growthOf((size) => toNfc(accents(size)), 500)).toBeLessThan(maxLinearGrowth)
  const text = toNfc(accents(100))
  expect(text.replaceAll('\u034f', '')).toHaveLength(200)
  expect(toNfc(text)).toBe(text)
  expect(toNfc('e\u0301')).toBe('é')
})

test('an empty text and spaces mean null for numbers, flags and colors that can be null', async () => {
  const call = client(app.base, await app.key(await app.team(), ['read', 'write']))
  const block = { title: 'Roof', body: 'Text.', image_focal_x: '', image_focal_y: ' ' }
  const newsletter = { title: 'May', table_of_contents: '', cover_focal_x: ' ', cover_focal_y: '' }
  const template = {
    ...{ slug: 'own', name: 'Own', description: 'Ours.' },
    sections: [{ title: 'News', block_types: ['general'] }],
    style: { accent_color: '', background_color: ' ' },
  }
  const created = [
    (await call('POST', '/content_blocks', block)).json.content_block,
    (await call('POST', '/newsletters', newsletter)).json.newsletter,
    (await call('POST', '/templates', template)).json.template,
  ]
  expect(created).toMatchObject([
    { image_focal_x: null, image_focal_y: null },
    { table_of_contents: null, cover_focal_x: null, cover_focal_y: null },
    { style: { accent_color: null, background_color: null } },
  ])
  const path = `/content_blocks/${created[0].id}`
  await call('PATCH', path, { image_focal_x: 0.5 })
  const { json } = await call('PATCH', path, { image_focal_x: '' })
  expect(json.content_block).toMatchObject({ image_focal_x: null, version: 3 })
})

test('a list of thousands of wrong items is refused with its first hundred errors', async () => {
  const call = client(app.base, await app.key(await app.team(), ['read', 'write', 'send_preview']))
  const { json } = await call('POST', '/newsletters', { title: 'Many' })
  const path = `/newsletters/${json.newsletter.id}`
  const recipients = Array.from({ length: 5_000 }, (_, at) => `nobody ${at}`)
  const refused = await call('POST', `${path}/send_preview`, { recipients })
  expect(refused.status).toBe(422)
  expect(refused.json.errors).toHaveLength(100)
  const listed = await call('GET', `/content_blocks?${'status=x&'.repeat(1_500)}`)
  expect(listed.status).toBe(422)
})

test('the cost of a query grows with its size when a parameter is repeated', async () => {
  const read = (size: number) => parseQuery('status=ready&'.repeat(size))
  expect(read(2)['status']).toEqual(['ready', 'ready'])
  expect(await growthOf(read, 500)).toBeLessThan(maxLinearGrowth)
})

test('a page of more than 16 KB is complete, with its end, for clients of HTTP/1.1 and 1.0', async () => {
  const owner = await app.team()
  const key = await app.key(owner, ['read', 'write'])
  const body = '€'.repeat(10_000)
  const { json } = await client(app.base, key)('POST', '/content_blocks', { title: 'Long', body })
  const sent = await client(app.base, key)('GET', '/content_blocks')
  expect(sent.json.content_blocks).toEqual([json.content_block])
  const old = await sendRaw([
    'GET /api/v1/content_blocks HTTP/1.0',
    'host: tidings.test',
    `authorization: Bearer ${key}`,
  ])
  expect(old.head).toStartWith('HTTP/1.1 200 OK')
  expect(old.head.toLowerCase()).not.toContain('chunked')
  expect(JSON.parse(old.body).content_blocks).toEqual([json.content_block])
})
