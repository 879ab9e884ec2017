import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { adapter } from '../../integrations/bamboohr/adapter.ts'
import created from '../../integrations/bamboohr/fixtures/employee.created.json'
import pay from '../../integrations/bamboohr/fixtures/fields.pay.json'
import { loadAdapters } from '../../integrations/index.ts'
import { type DryRunResult, emptyTeam } from '../../integrations/kit/dry-run.ts'
import { fixtureTime, noKeys, noProvider, post, runAdapter } from '../support/adapters.ts'

const loaded = (await loadAdapters()).get('bamboohr')
if (loaded === undefined) throw new Error('there is no BambooHR adapter')
const bamboohr = loaded

const own = { private_key: 'lighthouse', company_domain: 'acme', api_key: 'key-canary-5d1f' }
const json = JSON.stringify(created.body)
const seconds = (offset = 0) => String(fixtureTime.getTime() / 1000 + offset)
const hmac = (key: string, body: string | Uint8Array, timestamp: string) =>
  createHmac('sha256', key).update(body).update(timestamp).digest('hex')

interface Changes {
  body?: string | Uint8Array
  /** `null` leaves a header out. */
  headers?: Record<string, string | null>
  settings?: object
  now?: Date
  /** What BambooHR answers when it is asked. */
  employee?: object
}

/** A created employee, right in everything but the given changes, and what BambooHR was asked. */
async function send({ body = json, headers = {}, settings, now, employee = mira }: Changes = {}) {
  const timestamp = headers['x-bamboohr-timestamp'] ?? seconds()
  const all = {
    'content-type': 'application/json',
    'x-bamboohr-timestamp': timestamp,
    'x-bamboohr-signature': hmac(own.private_key, body, timestamp),
    ...headers,
  }
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
  const asked: Request[] = []
  const provider = {
    fetch: async (url: string | URL, init?: RequestInit) => {
      asked.push(new Request(String(url), init))
      return Response.json(employee)
    },
  }
  const request = post(Object.fromEntries(sent), body)
  const world = { provider, ...(now && { now }) }
  return { ...(await runAdapter(bamboohr, request, { ...own, ...settings }, world)), asked }
}

const mira = {
  id: '1204',
  firstName: 'Mira',
  lastName: 'Solano',
  jobTitle: 'Harbour Pilot',
  department: 'Navigation',
  location: 'Porto',
  hireDate: '2027-01-11',
}

const updated = (...changedFields: string[]) =>
  JSON.stringify({
    ...created.body,
    type: 'employee.updated',
    data: { ...created.body.data, changedFields },
  })

const itemOf = (outcome: DryRunResult) =>
  v.parse(v.object({ items: v.tuple([v.looseObject({ title: v.string() })]) }), outcome).items[0]

describe('BambooHR: signature', () => {
  const right = hmac(own.private_key, json, seconds())

  test.each<[string, Record<string, string | null>]>([
    ['no signature', { 'x-bamboohr-signature': null }],
    ['an empty signature', { 'x-bamboohr-signature': '' }],
    ['a truncated signature', { 'x-bamboohr-signature': right.slice(0, -1) }],
    ['upper-case hex', { 'x-bamboohr-signature': right.toUpperCase() }],
    ['another key', { 'x-bamboohr-signature': hmac('another', json, seconds()) }],
    ['a signature over the body alone', { 'x-bamboohr-signature': hmac('lighthouse', json, '') }],
    [
      'a point before the timestamp',
      { 'x-bamboohr-signature': hmac('lighthouse', `${json}.`, seconds()) },
    ],
    [
      'a signature over the same JSON written differently',
      {
        'x-bamboohr-signature': hmac(
          'lighthouse',
          JSON.stringify(created.body, null, 2),
          seconds(),
        ),
      },
    ],
    [
      'no timestamp',
      { 'x-bamboohr-timestamp': null, 'x-bamboohr-signature': hmac('lighthouse', json, '') },
    ],
    [
      'a timestamp that was not signed',
      { 'x-bamboohr-timestamp': seconds(1), 'x-bamboohr-signature': right },
    ],
    ['a stale timestamp', { 'x-bamboohr-timestamp': seconds(-301) }],
    ['a timestamp from the future', { 'x-bamboohr-timestamp': seconds(301) }],
    ['a stale ISO timestamp', { 'x-bamboohr-timestamp': '2026-11-20T08:54:59+0000' }],
    ['a timestamp that is none', { 'x-bamboohr-timestamp': 'now' }],
    ['a timestamp in milliseconds', { 'x-bamboohr-timestamp': `${seconds()}000` }],
  ])('a BambooHR request with %s is refused', async (_, headers) => {
    const { outcome, asked } = await send({ headers })
    expect(outcome).toMatchObject({ rejected: 401 })
    expect(asked).toBeEmpty()
  })

  test.each([
    seconds(-300),
    seconds(300),
    '2026-11-20T09:00:00Z',
    '2026-11-20T08:58:00+0000',
    '2026-11-20T10:00:00.250+01:00',
  ])('a BambooHR request sent at %s is accepted', async (timestamp) => {
    const { outcome } = await send({ headers: { 'x-bamboohr-timestamp': timestamp } })
    expect(outcome).toHaveProperty('items')
  })

  test('both BambooHR keys are accepted while one is being rotated, and no third', async () => {
    const settings = { private_key: ['next', 'lighthouse'] }
    const outcomes = ['next', 'lighthouse', 'third'].map(async (key) => {
      const headers = { 'x-bamboohr-signature': hmac(key, json, seconds()) }
      return Object.keys((await send({ settings, headers })).outcome)[0]
    })
    expect(await Promise.all(outcomes)).toEqual(['items', 'items', 'rejected'])
  })

  test('a BambooHR request with an empty body or bytes that are not UTF-8 is refused', async () => {
    expect((await send({ body: '' })).outcome).toMatchObject({ rejected: 401 })
    const body = new Uint8Array([0x7b, 0xff, 0x7d])
    expect((await send({ body })).outcome).toMatchObject({ rejected: 401 })
  })

  // Published with the BambooHR connector of github.com/fusebit/integrations.
  test('a published BambooHR request is accepted at its own time only, and is ignored', async () => {
    const body =
      '{"employees":[{"changedFields":["First name"],"fields":{"Employee #":{"value":"300"},"First name":{"value":"Tefi"},"Last name":{"value":"Adams"}},"id":"5"}]}'
    const vector: Changes = {
      body,
      settings: { private_key: '123b929362d51613054f71e5e5d4bf2c' },
      headers: {
        'x-bamboohr-timestamp': '1658248023',
        'x-bamboohr-signature': '56491dd9c2b352bc5f4fc627159aae20ddff9c8cb19f239a6de6771dc5310bac',
      },
    }
    const { outcome, stored } = await send({ ...vector, now: new Date(1658248023_000) })
    expect(outcome).toHaveProperty('update')
    expect(stored).toEqual({ action: 'updated', employee_id: '5', check_status: false })
    expect((await send(vector)).outcome).toMatchObject({ rejected: 401 })
  })
})

test.each([
  ['invalid JSON', '{"type":'],
  ['a list', '[]'],
  ['no employee', '{"type":"employee.created","data":{}}'],
  ['the number 0, which stands for the key’s own person', json.replace('"1204"', '0')],
  ['a number that leads elsewhere', json.replace('1204', '../company')],
  ['a type that is not a word', json.replace('employee.created', '<b>')],
  ['nobody', '{"employees":[]}'],
  ['an employee without a number', '{"employees":[{"action":"Created"}]}'],
])('a signed BambooHR request with %s is refused with 400', async (_, body) => {
  const { outcome } = await send({ body })
  expect(outcome).toMatchObject({ rejected: 400 })
})

describe('requests to BambooHR', () => {
  const fields = 'firstName,preferredName,lastName,jobTitle,department,location,hireDate'
  const asked = async (changes: Changes) => {
    const [request, ...more] = (await send(changes)).asked
    expect(more).toBeEmpty()
    return request
  }

  test('BambooHR is asked for the allowed fields of one employee, with the key', async () => {
    const request = await asked({})
    expect(request?.url).toBe(
      `https://acme.bamboohr.com/api/v1/employees/1204/?fields=${fields}&onlyCurrent=false`,
    )
    expect(request?.headers.get('authorization')).toBe(`Basic ${btoa('key-canary-5d1f:x')}`)
    expect(request?.headers.get('accept')).toBe('application/json')
  })

  test('BambooHR is asked for hold_field only when it is set, and for the status only after it changed', async () => {
    const employee = { ...mira, customQuiet: null }
    const settings = { hold_field: 'customQuiet' }
    const body = updated('employmentHistoryStatus')
    expect((await asked({ settings, employee }))?.url).toContain(`${fields},customQuiet&`)
    expect((await asked({ body }))?.url).toContain(`${fields},status&`)
    expect((await asked({ body: updated('hireDate') }))?.url).toContain(`${fields}&`)
  })

  test.each([
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010/api/v1/employees/1204/'],
    [
      'https://api.bamboohr.com/api/gateway.php/acme/v1',
      'https://api.bamboohr.com/api/gateway.php/acme/v1/employees/1204/',
    ],
  ])('BambooHR is asked at the api_base_url %s', async (api_base_url, address) => {
    expect((await asked({ settings: { api_base_url } }))?.url).toStartWith(`${address}?fields=`)
  })

  test.each([
    'acme.bamboohr.com',
    'evil.example/',
    'evil.example#',
    'a b',
    '-acme',
    '',
    'x@y',
    'é',
  ])('the company_domain %p, which could lead to another host, is refused', (company_domain) => {
    expect(v.safeParse(bamboohr.settings, { ...own, company_domain }).success).toBe(false)
  })
})

describe('BambooHR: hold_field', () => {
  const settings = { hold_field: 'customQuiet' }

  test.each([
    ['yes', true],
    ['Please wait', true],
    [true, true],
    [' No ', false],
    ['false', false],
    ['0', false],
    ['', false],
    [null, false],
  ])('an employee whose hold_field is %p is not announced: %p', async (customQuiet, held) => {
    const employee = { ...mira, customQuiet }
    const { outcome } = await send({ settings, employee })
    expect('ignored' in outcome).toBe(held)
    const change = await send({ settings, employee, body: updated('customQuiet') })
    expect('withdraw' in change.outcome).toBe(held)
  })

  test('an employee is not announced when the BambooHR key cannot read hold_field', async () => {
    await expect(send({ settings })).rejects.toThrow('Check it and api_key')
  })
})

test.each([
  ['2027-01-11', '2027-01-11T00:00:00Z'],
  ['2027-01-11T00:00:00+00:00', '2027-01-11T00:00:00Z'],
  ['2027-02-30', undefined],
  ['0000-00-00', undefined],
  ['11/01/2027', undefined],
  [null, undefined],
])('a BambooHR hire date of %p sets publish_after to %p', async (hireDate, publish_after) => {
  const item = itemOf((await send({ employee: { ...mira, hireDate } })).outcome)
  expect(item['publish_after']).toBe(publish_after)
  expect(item['auto_ready']).toBe(false)
})

test('a BambooHR key that cannot read the employee is an error and makes no block without a name', async () => {
  await expect(send({ employee: { id: '1204' } })).rejects.toThrow('Check api_key')
})

test('only what readers see of a BambooHR employee is stored, shown or logged', async () => {
  const canaries = {
    ssn: '078-05-1120',
    payRate: '81250.00 USD',
    dateOfBirth: '1991-03-05',
    address1: '12 Quay Street',
    homeEmail: 'private@example.test',
    ethnicity: 'undisclosed',
  }
  const employee = { ...mira, ...canaries }
  const bodies = [
    JSON.stringify({ ...created.body, data: { ...created.body.data, ...canaries } }),
    JSON.stringify({ employees: [{ ...pay.body.employees[0], action: 'Created' }] }),
    JSON.stringify(pay.body),
    JSON.stringify({ employees: [{ ...pay.body.employees[0], id: canaries.homeEmail }] }),
  ]
  const kept: unknown[] = await Promise.all(bodies.map((body) => send({ body, employee })))
  kept.push(await send({ employee: { ...canaries, firstName: [canaries.ssn] } }).catch(String))
  const text = JSON.stringify(kept)
  expect(text).toContain('Mira Solano')
  expect(text).toContain('does not document')
  for (const leak of [...Object.values(canaries), own.api_key, btoa(`${own.api_key}:x`)])
    expect(text).not.toContain(leak)
})

test('the id of a BambooHR delivery consists of its subject, time and content', async () => {
  const idOf = async (body: string, offset: number) => {
    const timestamp = seconds(offset)
    const signature = hmac(own.private_key, body, timestamp)
    const headers = { 'x-bamboohr-timestamp': timestamp, 'x-bamboohr-signature': signature }
    const context = {
      settings: v.parse(adapter.settings, own),
      now: fixtureTime,
      language: 'en' as const,
      team: emptyTeam,
      keys: noKeys,
      provider: noProvider,
    }
    const received = await adapter.receive(post(headers, body), context)
    return 'deliveryId' in received ? received.deliveryId : received.kind
  }
  const id = await idOf(json, 0)
  expect(id).toStartWith('employee.created:88120:1204:2026-11-20T08:59:41+0000:')
  expect(await idOf(json, 60)).toBe(id)
  expect(await idOf(json.replace('41+', '42+'), 0)).not.toBe(id)
  // Two groups of fields that changed at once are two events of the same second.
  expect(await idOf(updated('hireDate'), 0)).not.toBe(await idOf(updated('customQuiet'), 0))
})
