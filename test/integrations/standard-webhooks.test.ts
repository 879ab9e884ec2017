import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { loadAdapters } from '../../integrations/index.ts'
import { emptyTeam } from '../../integrations/kit/dry-run.ts'
import release from '../../integrations/standard-webhooks/fixtures/release.json'
import fixtureSettings from '../../integrations/standard-webhooks/fixtures/settings.json'
import { parsePath, valueAt } from '../../integrations/standard-webhooks/path.ts'
import { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { fixtureTime, noKeys, noProvider, post, runAdapter } from '../support/adapters.ts'

const found = (await loadAdapters()).get('standard-webhooks')
if (found === undefined) throw new Error('there is no adapter for Standard Webhooks')
const adapter = found

const secret = `whsec_${Buffer.from('secret of the tests').toString('base64')}`
const map = { title: '$.title', body: '$.body', external_id: '$.id' }
const seconds = (offset = 0) => String(fixtureTime.getTime() / 1000 + offset)
const id = 'msg_1'

function sign(body: string, { timestamp = seconds(), key = secret, message = id } = {}): string {
  const bytes = Buffer.from(key.replace('whsec_', ''), 'base64')
  const content = `${message}.${timestamp}.${body}`
  return `v1,${createHmac('sha256', bytes).update(content).digest('base64')}`
}

interface Changes {
  headers?: Record<string, string>
  settings?: object
}

/** Plays a signed message, right in everything but the given changes. */
function send(body: object | string, { headers, settings }: Changes = {}) {
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  const all = {
    'webhook-id': id,
    'webhook-timestamp': seconds(),
    'webhook-signature': sign(raw),
    ...headers,
  }
  return runAdapter(adapter, post(all, raw), { secret, map, ...settings })
}

const news = { id: 7, title: 'Hi', body: 'There' }

async function itemOf(body: object, settings: object = {}) {
  const { outcome } = await send(body, { settings })
  return v.parse(v.object({ items: v.tuple([IngestPayload]) }), outcome).items[0]
}

describe('Standard Webhooks: signature', () => {
  const body = JSON.stringify(news)
  const right = sign(body)
  const [, digest = ''] = right.split(',')

  test.each([
    ['missing', ''],
    ['without its version', digest],
    ['of another version', `v1a,${digest}`],
    ['of another secret', sign(body, { key: 'whsec_YW5vdGhlcg==' })],
    ['of another message', sign(body, { message: 'msg_2' })],
    ['truncated', right.slice(0, -2)],
    ['in upper case', right.toUpperCase()],
    ['in hex', `v1,${Buffer.from(digest, 'base64').toString('hex')}`],
    ['over the same JSON written differently', sign(JSON.stringify(news, null, 2))],
  ])('a Standard Webhooks signature that is %s is refused', async (_, signature) => {
    const { outcome } = await send(body, { headers: { 'webhook-signature': signature } })
    expect(outcome).toMatchObject({ rejected: 401 })
  })

  test('one valid Standard Webhooks signature among several is accepted', async () => {
    const headers = { 'webhook-signature': `v1a,x v1,${'A'.repeat(43)}= ${right}` }
    expect((await send(body, { headers })).outcome).toHaveProperty('items')
  })

  test.each([
    ['', false],
    ['now', false],
    [`${seconds()}x`, false],
    [seconds(-301), false],
    [seconds(301), false],
    [seconds(-300), true],
    [seconds(300), true],
  ])(
    'a Standard Webhooks request with the timestamp %p is accepted: %p',
    async (timestamp, taken) => {
      const headers = {
        'webhook-timestamp': timestamp,
        'webhook-signature': sign(body, { timestamp }),
      }
      expect('items' in (await send(body, { headers })).outcome).toBe(taken)
    },
  )

  test('a Standard Webhooks request without an id is refused', async () => {
    const headers = { 'webhook-id': '', 'webhook-signature': sign(body, { message: '' }) }
    expect((await send(body, { headers })).outcome).toMatchObject({ rejected: 401 })
  })

  test('both Standard Webhooks secrets are accepted while one is being rotated', async () => {
    const next = 'whsec_bmV4dA=='
    const settings = { secret: [next, secret] }
    const headers = { 'webhook-signature': sign(body, { key: next }) }
    expect((await send(body, { settings })).outcome).toHaveProperty('items')
    expect((await send(body, { settings, headers })).outcome).toHaveProperty('items')
  })

  // The example in the specification's reference libraries.
  test('the published Standard Webhooks example is accepted at its own time only', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const settings = v.parse(adapter.settings, {
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      map: { title: '$.test' },
    })
    const example = post(headers, '{"test": 2432232314}')
    const team = emptyTeam
    const receive = (now: Date) =>
      adapter.receive(example, {
        settings,
        now,
        team,
        language: 'en',
        keys: noKeys,
        provider: noProvider,
      })
    expect(await receive(new Date(1614265330_000))).toMatchObject({
      kind: 'event',
      deliveryId: headers['webhook-id'],
      event: { title: '2432232314' },
    })
    expect(await receive(fixtureTime)).toMatchObject({ kind: 'rejected', status: 401 })
  })

  test.each([
    ['JSON that breaks off', '{"type":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['nothing', ''],
    ['nothing but depth', '['.repeat(200_000)],
  ])('a Standard Webhooks signature over %s is answered with 400', async (_, raw) => {
    expect((await send(raw)).outcome).toMatchObject({ rejected: 400 })
  })
})

describe('Standard Webhooks: settings', () => {
  test.each<object>([
    { map },
    { secret },
    { secret: 'whsec_', map },
    { secret: 'whsec_not base64', map },
    { secret: 'c2VjcmV0', map },
    { secret, map: '{' },
    { secret, map: '[]' },
    { secret, map: {} },
    { secret, map: { ...map, title: '' } },
    { secret, map: { ...map, title: '$..title' } },
    { secret, map: { ...map, title: 7 } },
    { secret, map: { ...map, auto_ready: '$.x' } },
    { secret, map: { ...map, block_type: 'win' } },
    { secret, map: { ...map, source_url: 'acme.test' } },
    { secret, map: { ...map, external_id: 'always the same' } },
  ])('the Standard Webhooks settings %j are refused', (settings) => {
    expect(v.safeParse(adapter.settings, settings).success).toBe(false)
  })

  test('parsed Standard Webhooks settings are parsed again to the same settings', () => {
    const parsed = v.parse(adapter.settings, fixtureSettings)
    expect(v.parse(adapter.settings, parsed)).toEqual(parsed)
  })

  test('the event name of a Standard Webhooks request is its type, which the filter of events uses', async () => {
    expect((await send({ ...news, type: 'release.out' })).received).toMatchObject({
      eventName: 'release.out',
    })
  })
})

describe('Standard Webhooks: paths of a mapping', () => {
  const payload = JSON.parse(
    '{"a":{"b":[{"c d":1},"x"],"ü-1":2,"it\'s":3,"q\\"":4},"__proto__":{"own":5},"0":6}',
  )

  test.each([
    ['$.a.b[0]["c d"]', 1],
    ["$['a']['b'][0]['c d']", 1],
    ['$.a.b[1]', 'x'],
    ['$.a.ü-1', 2],
    ["$.a['it\\'s']", 3],
    ['$.a["q\\""]', 4],
    ['$.__proto__.own', 5],
    ["$['0']", 6],
    ['$.a.b[2]', undefined],
    ['$.a.b.length', undefined],
    ['$[0]', undefined],
    ['$.a.constructor', undefined],
    ['$.a.toString', undefined],
    ['$.a.b[1][0]', undefined],
    ['$.nothing.at.all', undefined],
  ])('the mapping path %s finds %p', (text, value) => {
    const path = parsePath(text)
    expect(path && valueAt(payload, path)).toBe(value)
    expect(path).toBeDefined()
  })

  test.each([
    ...['a.b', '$a', '$.', '$..a', '$.*', '$[*]', '$[-1]', '$[1:2]', '$[?(@.a)]', '$.a[', "$['a"],
    ...['$.a b', '$.a.', '$[a]', `$${'.a'.repeat(300)}`],
  ])('the mapping path %s is refused', (text) => {
    expect(parsePath(text)).toBeUndefined()
  })
})

describe('Standard Webhooks: mapped fields', () => {
  test.each([
    [{ title: 7 }, '7'],
    [{ title: true }, 'true'],
    [{ title: ' One\r\nTwo ' }, 'One Two'],
    [{ title: 'x'.repeat(300) }, `${'x'.repeat(79)}…`],
    [{ title: 'a\0b\ud800\u202ec' }, 'ab\ufffdc'],
    [{ title: '🎉 שלום' }, '🎉 שלום'],
  ])('the mapped fields %j make the title %p', async (fields, title) => {
    expect((await itemOf({ ...news, ...fields })).title).toBe(title)
  })

  test.each([null, '', ' \u202e', {}, [['Hi']], undefined])(
    'a Standard Webhooks event whose mapped title is %p is ignored',
    async (title) => {
      expect((await send({ ...news, title })).outcome).toEqual({
        ignored: 'no text at $.title (map: title)',
      })
    },
  )

  test.each([null, '', {}, undefined])(
    'a mapped body of %p is replaced by the title',
    async (body) => {
      expect((await itemOf({ ...news, body })).body).toBe('<p>Hi</p>')
    },
  )

  test('mapped fields are cut to the lengths that the library accepts', async () => {
    const { body } = await itemOf({ ...news, body: '🎉'.repeat(40_000) })
    expect(body).toEndWith('<p>…</p>')
    expect((await itemOf({ ...news, body: 'x'.repeat(40_000) })).body).toHaveLength(40_007)
  })

  test('a mapped value that does not fit its field is left out', async () => {
    const extended = {
      ...map,
      block_type: '$.kind',
      event_slug: '$.event',
      source_url: '$.link',
      author: '$.by',
    }
    const odd = { kind: 'win', event: 'Summer Party', link: 'javascript:alert(1)', by: ' ' }
    const item = await itemOf({ ...news, ...odd }, { map: extended })
    // Ingest gives a block without a type the type of its connection, or `general`.
    for (const field of ['block_type', 'event_slug', 'source_url', 'author'] as const)
      expect(item[field] ?? null).toBeNull()
  })

  test.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T09:00:00+02:00', '2027-01-31T07:00:00.000Z'],
    [undefined, undefined],
  ])('a mapped publish_after of %p is stored as %p', async (until, publish_after) => {
    const settings = { map: { ...map, publish_after: '$.until' } }
    const item = await itemOf({ ...news, until }, settings)
    expect(item.publish_after?.toISOString()).toBe(publish_after)
  })

  test.each(['soon', '2027-13-45', 1801468800])(
    'a mapped publish_after of %p that is not a date makes a draft that a person has to approve',
    async (until) => {
      const settings = { map: { ...map, publish_after: '$.until' } }
      const { outcome } = await send({ ...news, until }, { settings })
      expect(outcome).toMatchObject({ items: [{ auto_ready: false }] })
    },
  )

  test('the mapped external_id decides whether two messages are one block; without it each message is one block', async () => {
    const keyOf = async (settings: object, message: string) => {
      const body = JSON.stringify(news)
      const headers = { 'webhook-id': message, 'webhook-signature': sign(body, { message }) }
      const { outcome } = await send(body, { headers, settings })
      return v.parse(v.object({ items: v.tuple([IngestPayload]) }), outcome).items[0].external_id
    }
    expect(await keyOf({}, 'msg_1')).toBe(await keyOf({}, 'msg_2'))
    const without = { map: { title: '$.title' } }
    expect(await keyOf(without, 'msg_1')).not.toBe(await keyOf(without, 'msg_2'))
  })
})

test('the body of a Standard Webhooks block does not repeat its link', async () => {
  const url = 'https://marlowe.example/releases/tideline-2?tab=notes&lang=en'
  const own = { title: '$.title', body: '$.body', source_url: '$.url' }
  const bodyOf = async (body: string) => (await itemOf({ ...news, body, url }, { map: own })).body
  expect(await bodyOf(`Search is fast.\n\nDetails: ${url}`)).toBe('<p>Search is fast.</p>')
  expect(await bodyOf(`Search is fast.\nDetails: ${url}`)).toBe('<p>Search is fast.</p>')
  expect(await bodyOf(`${url}\nSearch is fast.`)).toBe('<p>Search is fast.</p>')
  expect(await bodyOf(`Search is fast. [Read more](${url})`)).toBe('<p>Search is fast. </p>')
  expect(await bodyOf(`Search is [fast](${url}).`)).toBe('<p>Search is fast.</p>')
})

test.each([
  ['Our new site https://acme.com is live.', 'https://acme.com', 'Our new site acme.com is live.'],
  ['See https://acme.com/a for details', 'https://acme.com/a', 'See acme.com/a for details'],
  [
    'The page [acme.com](https://acme.com) got a new look',
    'https://acme.com',
    'The page acme.com got a new look',
  ],
  ['Click [here](https://acme.com) to sign up', 'https://acme.com', 'Click here to sign up'],
  [
    'You can find the [details](https://acme.com).',
    'https://acme.com',
    'You can find the details.',
  ],
])('the sentence “%s” with the link of its own block keeps its words', async (body, url, words) => {
  const own = { title: '$.title', body: '$.body', source_url: '$.url' }
  expect((await itemOf({ ...news, body, url }, { map: own })).body).toBe(`<p>${words}</p>`)
})

test.each([
  ['Recording:\nhttps://acme.com/x', '<p>Recording:<br>acme.com/x</p>'],
  ['The video is here:\n\nhttps://acme.com/x', '<p>The video is here:</p>\n<p>acme.com/x</p>'],
  ['**Recording:**\n\nhttps://acme.com/x', '<p><strong>Recording:</strong></p>\n<p>acme.com/x</p>'],
  ['## Links\n\nhttps://acme.com/x', '<h3>Links</h3>\n<p>acme.com/x</p>'],
  ['## https://acme.com/x\n\nWe moved.', '<h3>acme.com/x</h3>\n<p>We moved.</p>'],
  ['> https://acme.com/x', '<blockquote>\n<p>acme.com/x</p>\n</blockquote>'],
])('the address of its own block stays below words that lead to it: %j', async (body, html) => {
  const own = { title: '$.title', body: '$.body', source_url: '$.url' }
  const item = await itemOf({ ...news, body, url: 'https://acme.com/x' }, { map: own })
  expect(item.body).toBe(html)
})

test('the address of its own block is left out below a label only', async () => {
  const own = { title: '$.title', body: '$.body', source_url: '$.url' }
  const body = 'We moved.\n\nDetails:\nhttps://acme.com/x'
  const item = await itemOf({ ...news, body, url: 'https://acme.com/x' }, { map: own })
  expect(item.body).toBe('<p>We moved.</p>')
})

test('a point of a list that is the link of its own block keeps its words', async () => {
  const own = { title: '$.title', body: '$.body', source_url: '$.url' }
  const body = '- We moved\n- https://acme.com'
  const item = await itemOf({ ...news, body, url: 'https://acme.com' }, { map: own })
  expect(item.body).toContain('<li>acme.com</li>')
})

test('only the mapped fields of a Standard Webhooks payload are stored or shown', async () => {
  const { stored, outcome } = await send(release.body, { settings: { map: fixtureSettings.map } })
  const kept = JSON.stringify([stored, outcome])
  expect(kept).toContain('Mira Solano')
  for (const leak of ['mira@', 'usr_771', 'acc_9', 'build_host', '10.0.0.12', '412', 'desktop'])
    expect(kept).not.toContain(leak)
})
