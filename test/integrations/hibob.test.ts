import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { adapter } from '../../integrations/hibob/adapter.ts'
import created from '../../integrations/hibob/fixtures/employee.created.json'
import { loadAdapters } from '../../integrations/index.ts'
import { itemsOf, post, runAdapter } from '../support/adapters.ts'

const loaded = (await loadAdapters()).get(adapter.slug)
if (loaded === undefined) throw new Error('there is no HiBob adapter')
const hibob = loaded

const own = {
  secret: 'lighthouse',
  service_user_id: 'SERVICE-12',
  service_user_token: 'token-canary-77ab',
}
const json = JSON.stringify(created.body)
const number = created.body.data.employeeId
const hmac = (key: string, body: string | Uint8Array, algorithm = 'sha512') =>
  createHmac(algorithm, key).update(body)

const mira = {
  '/root/firstName': { value: 'Mira' },
  '/root/surname': { value: 'Solano' },
  '/work/startDate': { value: '2027-01-11' },
  humanReadable: { work: { title: 'Harbour Pilot', department: 'Navigation', site: 'Porto' } },
  home: { privateEmail: 'private-canary@example.test' },
  payroll: { salary: { payment: 'salary-canary' } },
}

interface Changes {
  body?: string | Uint8Array
  /** `null` leaves the signature out. */
  signature?: string | null
  settings?: object
  /** What HiBob answers when it is asked. */
  employee?: object
}

/** A created employee, right in everything but the given changes, and what HiBob was asked. */
async function send({ body = json, signature, settings, employee = mira }: Changes = {}) {
  const right = signature === undefined ? hmac(own.secret, body).digest('base64') : signature
  const asked: Request[] = []
  const provider = {
    fetch: async (url: string | URL, init?: RequestInit) => {
      asked.push(new Request(String(url), init))
      return Response.json(employee)
    },
  }
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (right !== null) headers['bob-signature'] = right
  return {
    ...(await runAdapter(hibob, post(headers, body), { ...own, ...settings }, { provider })),
    asked,
  }
}

const employee = (first: string, last: string, department: string, site: string) => ({
  '/root/firstName': { value: first },
  '/root/surname': { value: last },
  humanReadable: { work: { title: null, department, site } },
})

test.each([
  [
    employee('MARIA', 'DE LA CRUZ', 'MARKETING', 'NYC'),
    'Maria de la Cruz joins the team',
    '<p>Maria starts in Marketing in NYC.</p>',
  ],
  [
    employee('ruud', 'van der berg', 'R&D', 'ROTTERDAM'),
    'Ruud van der Berg joins the team',
    '<p>Ruud starts in R&amp;D in Rotterdam.</p>',
  ],
  [
    employee('VAN ANH', 'NGUYEN', 'LA PAZ', 'LA PAZ'),
    'Van Anh Nguyen joins the team',
    '<p>Van Anh starts in La Paz in La Paz.</p>',
  ],
  [
    employee('MARIA DEL MAR', 'VAN DER BERG', 'Sales', 'Porto'),
    'Maria del Mar van der Berg joins the team',
    '<p>Maria del Mar starts in Sales in Porto.</p>',
  ],
  [
    employee('Vanessa', 'DELGADO', 'EMEA', 'São Paulo'),
    'Vanessa Delgado joins the team',
    '<p>Vanessa starts in EMEA in São Paulo.</p>',
  ],
])(
  'names that HiBob has in capitals or in small letters are written as people write them: %#',
  async (stored, title, body) => {
    const [item] = itemsOf((await send({ employee: stored })).outcome)
    expect(item).toMatchObject({ title, body })
  },
)

describe('HiBob: signature', () => {
  const right = hmac(own.secret, json).digest('base64')

  test.each<[string, string | null]>([
    ['no signature', null],
    ['an empty signature', ''],
    ['a truncated signature', right.slice(0, -1)],
    ['a signature in hex', hmac(own.secret, json).digest('hex')],
    ['a signature with SHA-256', hmac(own.secret, json, 'sha256').digest('base64')],
    ['the signature of another key', hmac('foghorn', json).digest('base64')],
    ['the signature of other bytes', hmac(own.secret, `${json} `).digest('base64')],
  ])('a HiBob request with %s is refused', async (_, signature) => {
    const { outcome, asked } = await send({ signature })
    expect(outcome).toMatchObject({ rejected: 401 })
    expect(asked).toBeEmpty()
  })

  test('both HiBob secrets are accepted while one is being replaced, and no third', async () => {
    const settings = { secret: ['next', 'lighthouse'] }
    const outcomes = ['next', 'lighthouse', 'third'].map(async (key) => {
      const signature = hmac(key, json).digest('base64')
      return Object.keys((await send({ settings, signature })).outcome)[0]
    })
    expect(await Promise.all(outcomes)).toEqual(['items', 'items', 'rejected'])
  })

  test.each(['Ping test', '"Ping test"', '{"text":"Ping test"}'])(
    'the HiBob test of the address %j is confirmed before the secret is known, and nothing else is',
    async (body) => {
      const settings = { secret: undefined }
      const ping = await send({ body, settings, signature: null })
      expect(ping.outcome).toHaveProperty('immediateReply')
      expect(ping.asked).toBeEmpty()
      expect((await send({ settings })).outcome).toMatchObject({ rejected: 401 })
      const more = `{"text":"Ping test",${json.slice(1)}`
      expect((await send({ body: more, signature: null })).outcome).toMatchObject({ rejected: 401 })
    },
  )

  test('a HiBob request with an empty body or bytes that are not UTF-8 is refused', async () => {
    for (const body of ['', new Uint8Array([0x7b, 0xff, 0x7d])])
      expect((await send({ body })).outcome).toMatchObject({ rejected: 401 })
  })
})

test.each([
  ['invalid JSON', '{"type":'],
  ['a list', '[]'],
  ['no employee', '{"type":"employee.created","data":{}}'],
  ['an employee of the first version', '{"type":"employee.created","employee":{"id":"12"}}'],
  ['a number that leads elsewhere', json.replace(number, '../company')],
  ['an email address in place of the number', json.replace(number, 'mira@example.test')],
  ['a type that is not a word', json.replace('employee.created', '<b>')],
])('a signed HiBob request with %s is refused with 400', async (_, body) => {
  expect((await send({ body })).outcome).toMatchObject({ rejected: 400 })
})

test('only the name of the event and the number of a HiBob employee are stored, and nothing private is shown', async () => {
  const body = json.replace('"data":{', '"data":{"salary":"salary-canary",')
  const { stored, outcome } = await send({ body })
  expect(stored).toEqual({ type: 'employee.created', employee_id: number })
  expect(JSON.stringify([stored, outcome])).not.toContain('canary')
})

test('a HiBob employee is known by a number that is sent as a number, too', async () => {
  const id = '2147483648'
  const { stored } = await send({ body: json.replace(`"${number}"`, id) })
  expect(stored).toEqual({ type: 'employee.created', employee_id: id })
})

describe('requests to HiBob', () => {
  test('HiBob is asked for the allowed fields of one employee, with the service user', async () => {
    const [request, ...more] = (await send()).asked
    expect(more).toBeEmpty()
    expect(request?.url).toBe(`https://api.hibob.com/v1/people/${number}`)
    expect(request?.method).toBe('POST')
    expect(request?.headers.get('authorization')).toBe(
      `Basic ${btoa('SERVICE-12:token-canary-77ab')}`,
    )
    expect(await request?.json()).toEqual({
      fields: [
        'root.firstName',
        'root.surname',
        'work.title',
        'work.department',
        'work.site',
        'work.startDate',
      ],
      humanReadable: 'APPEND',
    })
  })

  test.each(['employee.left', 'employee.deleted'])(
    'HiBob is not asked about an employee after %s',
    async (type) => {
      const { outcome, asked } = await send({ body: json.replace('employee.created', type) })
      expect(outcome).toEqual({ withdraw: [`hibob:employee:${number}`] })
      expect(asked).toBeEmpty()
    },
  )

  test('the sandbox of HiBob is asked when api_base_url names it', async () => {
    const settings = { api_base_url: 'https://api.sandbox.hibob.com' }
    const [request] = (await send({ settings })).asked
    expect(request?.url).toBe(`https://api.sandbox.hibob.com/v1/people/${number}`)
  })

  test('an employee whose name HiBob does not show yet is asked for again after 20 seconds', async () => {
    const hidden = { ...mira, '/root/firstName': { value: null }, '/root/surname': undefined }
    await expect(send({ employee: hidden })).rejects.toMatchObject({
      problem: 'unavailable',
      retryAfterSeconds: 20,
      message: expect.stringContaining('Check service_user_id'),
    })
  })

  test('fields of HiBob in another form than documented are left out', async () => {
    const odd = { ...mira, '/work/startDate': '2027-01-11', humanReadable: { work: 'Navigation' } }
    const { outcome } = await send({ employee: odd })
    expect(outcome).toMatchObject({ items: [{ title: 'Mira Solano joins the team' }] })
    expect(JSON.stringify(outcome)).not.toContain('publish_after')
  })
})

test.each(['SERVICE:12', '', 'a b', 'SERVICE\n12'])(
  'the service_user_id %j, which could change the credentials, is refused',
  (service_user_id) => {
    expect(v.safeParse(hibob.settings, { ...own, service_user_id }).success).toBe(false)
  },
)
