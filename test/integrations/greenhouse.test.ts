import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { adapter } from '../../integrations/greenhouse/adapter.ts'
import hire from '../../integrations/greenhouse/fixtures/hire_candidate.json'
import { loadAdapters } from '../../integrations/index.ts'
import { IngestPayload } from '../../src/contract/ingest.ts'
import { play, playedAt, post } from '../support/adapters.ts'

const loaded = (await loadAdapters()).get('greenhouse')
if (loaded === undefined) throw new Error('there is no Greenhouse adapter')
const greenhouse = loaded

const secret = 'lighthouse'
const json = JSON.stringify(hire.body)
const { application } = hire.body.payload
const hmac = (key: string, body: string | Uint8Array) =>
  createHmac('sha256', key).update(body).digest('hex')

interface Changes {
  body?: string | Uint8Array
  /** `null` leaves the header out. */
  signature?: string | null
  settings?: object
}

/** A hire, right in everything but the given changes. */
function send({ body = json, signature = `sha256 ${hmac(secret, body)}`, settings }: Changes = {}) {
  const headers = { ...hire.headers, ...(signature !== null && { signature }) }
  return play(greenhouse, post(headers, body), { secret, ...settings })
}

const withApplication = (change: object) =>
  JSON.stringify({ ...hire.body, payload: { application: { ...application, ...change } } })

async function newsOf(change: object) {
  const { outcome } = await send({ body: withApplication(change) })
  return v.parse(v.object({ items: v.tuple([IngestPayload]) }), outcome).items[0]
}

describe('who is let in', () => {
  const right = hmac(secret, json)

  test.each<[string, string | null]>([
    ['no signature', null],
    ['an empty signature', ''],
    ['a bare signature', right],
    ['a truncated signature', `sha256 ${right.slice(0, -1)}`],
    ['upper-case hex', `sha256 ${right.toUpperCase()}`],
    ['an equals sign in place of the space', `sha256=${right}`],
    ['something behind the signature', `sha256 ${right}0`],
    ['SHA-1', `sha1 ${createHmac('sha1', secret).update(json).digest('hex')}`],
    ['another secret', `sha256 ${hmac('another', json)}`],
    [
      'a signature over the same JSON written differently',
      `sha256 ${hmac(secret, JSON.stringify(hire.body, null, 2))}`,
    ],
  ])('not a request with %s', async (_, signature) => {
    expect((await send({ signature })).outcome).toMatchObject({ rejected: 401 })
  })

  test('two secrets while they are rotated, and no third', async () => {
    const outcomes = ['next', secret, 'third'].map(async (key) => {
      const signature = `sha256 ${hmac(key, json)}`
      const { outcome } = await send({ settings: { secret: ['next', secret] }, signature })
      return Object.keys(outcome)[0]
    })
    expect(await Promise.all(outcomes)).toEqual(['items', 'items', 'rejected'])
  })

  test('a body that escapes its characters, as it was signed', async () => {
    const body = json.replace('Imani', 'Im\\u00e1n \\u003cp\\u003e')
    expect((await newsOf(JSON.parse(body).payload.application)).title).toStartWith('Imán <p>')
    expect((await send({ body })).outcome).toHaveProperty('items')
    const signature = `sha256 ${hmac(secret, JSON.stringify(JSON.parse(body)))}`
    expect((await send({ body, signature })).outcome).toMatchObject({ rejected: 401 })
  })

  test('no empty body, and no bytes that are not UTF-8', async () => {
    expect((await send({ body: '' })).outcome).toMatchObject({ rejected: 401 })
    expect((await send({ body: new Uint8Array([0xff]) })).outcome).toMatchObject({ rejected: 401 })
  })
})

describe('a signed request that cannot be read is refused with 400', () => {
  test.each([
    ['invalid JSON', '{"action":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['an action that is no word', '{"action":"<b>"}'],
    ['a hire without payload', '{"action":"hire_candidate"}'],
    ['an unhire of nothing', '{"action":"unhire_candidate","payload":{}}'],
  ])('%s', async (_, body) => {
    expect((await send({ body })).outcome).toMatchObject({ rejected: 400 })
  })

  test('and the reason repeats nothing of it', async () => {
    const { outcome } = await send({ body: withApplication({ id: 'canary-7f3a' }) })
    expect(outcome).toEqual({
      rejected: 400,
      reason: 'hire_candidate: application.id is not as Greenhouse documents it',
    })
  })
})

test('a delivery is known again by its id, and without one by its signature', async () => {
  const context = {
    settings: v.parse(adapter.settings, { secret }),
    now: playedAt,
    team: { events: async () => [] },
  }
  const idOf = async (headers: Record<string, string>) => {
    const signature = `sha256 ${hmac(secret, json)}`
    const received = await adapter.receive(post({ ...headers, signature }, json), context)
    return 'deliveryId' in received ? received.deliveryId : received.kind
  }
  expect(await idOf(hire.headers)).toBe(hire.headers['greenhouse-event-id'])
  expect(await idOf({})).toBe(hmac(secret, json))
})

test.each([
  ['2027-02-01', new Date('2027-02-01T00:00:00Z')],
  ['02/01/2027', undefined],
  ['2027-13-01', undefined],
  ['', undefined],
  [null, undefined],
])('a first day on %p holds the draft until %p', async (starts_at, moment) => {
  const item = await newsOf({ offer: { starts_at } })
  expect(item.publish_after ?? undefined).toEqual(moment)
  expect(item.auto_ready).toBe(false)
})

test.each([
  [{ candidate: { ...application.candidate, is_private: true } }],
  [{ is_private: true }],
  [{ jobs: [application.jobs[0], { name: 'Secret job', confidential: true }] }],
])('what is private or confidential is not told: %#', async (change) => {
  const { outcome, stored } = await send({ body: withApplication(change) })
  expect(outcome).toHaveProperty('ignored')
  expect(JSON.stringify([outcome, stored])).not.toContain('Castellanos')
})

test('names beyond every measure fit into one line', async () => {
  const candidate = { first_name: 'I'.repeat(9000), last_name: '👨‍👩‍👧‍👦'.repeat(900) }
  const item = await newsOf({ candidate })
  expect(item.title).toHaveLength(255)
  expect(item.title).toEndWith('…')
})

test('nothing but what is told is stored or told', async () => {
  const { stored, outcome } = await send()
  const kept = JSON.stringify([stored, outcome])
  expect(kept).toContain('Imani Castellanos')
  for (const leak of [
    ...['71250', 'EUR', '61000', 'salary', '1991-03-05', 'Ethnicity', 'undisclosed', '12 Quay'],
    ...['private@example.test', '+351', 'recruiter', 'Dana', 'resume', 'Hydrography', 'Elsewhere'],
    ...['35890001', 'app.greenhouse.io', 'Harbour Jobs Fair', 'Replacement', 'Deprecated'],
  ])
    expect(kept).not.toContain(leak)
})

test('of a withdrawal the number of the application is kept, and of a rejection nothing', async () => {
  const unhired = await send({ body: json.replace('hire_candidate', 'unhire_candidate') })
  expect(unhired.stored).toEqual({ kind: 'withdrawn', applications: [application.id] })
  const rejected = await send({ body: json.replace('hire_candidate', 'reject_candidate') })
  expect(rejected.stored).toBeUndefined()
  expect(rejected.outcome).toEqual({ ignored: 'reject_candidate: not news' })
})
