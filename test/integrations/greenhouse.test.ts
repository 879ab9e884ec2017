import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import hire from '../../integrations/greenhouse/fixtures/hire_candidate.json'
import { sign } from '../../integrations/greenhouse/fixtures/sign.ts'
import {
  openHook,
  testHostileText,
  testLeaks,
  testSignature,
  testUnreadable,
} from '../support/providers/signed-webhook.ts'

const greenhouse = await openHook({
  slug: 'greenhouse',
  fixture: hire,
  setting: 'secret',
  secrets: ['cress', 'sorrel', 'purslane'],
  sign: (body, { secret = '' }) => sign(body, { secret }),
})

const { application } = hire.body.payload
const withApplication = (change: object) => ({
  ...hire.body,
  payload: { application: { ...application, ...change } },
})
const json = (change: object = {}) => JSON.stringify(withApplication(change))

testSignature(greenhouse, 'signature')
testUnreadable(greenhouse, {
  body: json({ id: 'canary-7f3a' }),
  reason: 'hire_candidate: application.id is not as Greenhouse documents it',
})
testLeaks(greenhouse, {
  kept: 'Imani Castellanos',
  leaks: [
    ...['71250', 'EUR', '61000', 'salary', '1991-03-05', 'Ethnicity', 'undisclosed', '12 Quay'],
    ...['private@example.test', '+351', 'recruiter', 'Dana', 'resume', 'Hydrography', 'Elsewhere'],
    ...['35890001', 'app.greenhouse.io', 'Harbour Jobs Fair', 'Replacement', 'Deprecated'],
  ],
})
testHostileText(greenhouse, (first_name) => withApplication({ candidate: { first_name } }))

describe('Greenhouse: signature', () => {
  const right = greenhouse.signed(json())['signature'] ?? ''

  test.each([
    ['bare', right.replace('sha256 ', '')],
    ['with an equals sign in place of the space', right.replace(' ', '=')],
    ['of SHA-1', `sha1 ${createHmac('sha1', 'cress').update(json()).digest('hex')}`],
  ])('a Greenhouse signature that is %s is refused', async (_, signature) => {
    const { outcome } = await greenhouse.send({ headers: { signature } })
    expect(outcome).toMatchObject({ rejected: 401 })
  })

  test('a Greenhouse signature is checked over the characters as Greenhouse escaped them', async () => {
    const body = json().replace('Imani', 'Im\\u00e1n \\u003cp\\u003e')
    expect((await greenhouse.newsOf({ body })).title).toStartWith('Imán <p>')
    const headers = greenhouse.signed(JSON.stringify(JSON.parse(body)))
    expect((await greenhouse.send({ body, headers })).outcome).toMatchObject({ rejected: 401 })
  })
})

test("the id of a Greenhouse delivery is Greenhouse's, or the digest of the body when there is none", async () => {
  expect((await greenhouse.send()).deliveryId).toBe(hire.headers['greenhouse-event-id'])
  const headers = { 'greenhouse-event-id': null }
  expect((await greenhouse.send({ headers })).deliveryId).toMatch(/^sha256:[0-9a-f]{64}$/)
})

test.each([
  ['2027-02-01', new Date('2027-02-01T00:00:00Z')],
  ['02/01/2027', undefined],
  ['2027-13-01', undefined],
  ['', undefined],
  [null, undefined],
])('a Greenhouse start date of %p sets publish_after to %p', async (starts_at, moment) => {
  const item = await greenhouse.newsOf({ body: json({ offer: { starts_at } }) })
  expect(item.publish_after ?? undefined).toEqual(moment)
  expect(item.auto_ready).toBe(false)
})

test.each([
  ['Scientist, Remote Sensing', 'Scientist, Remote Sensing'],
  ['Scientist (Remote Sensing)', 'Scientist (Remote Sensing)'],
  ['Principal Architect - Hybrid Cloud', 'Principal Architect - Hybrid Cloud'],
  ['Scientist, Remote Sensing - Remote', 'Scientist, Remote Sensing'],
  ['Developer (Remote)', 'Developer'],
  ['Developer - fully remote', 'Developer'],
  ['Developer (Remote, Germany)', 'Developer'],
  ['Developer - Remote (US)', 'Developer'],
  ['Developer | Hybrid / Remote', 'Developer'],
  ['Developer - Hybrid in Porto', 'Developer'],
  ['Developer, On-site, Porto', 'Developer'],
  ['Developer - Remote Porto', 'Developer'],
  ['Developer - Remote Canada', 'Developer'],
  ['Developer (Remote-first)', 'Developer'],
  ['Developer (Remote/Berlin)', 'Developer'],
  ['Developer (Remote or Berlin)', 'Developer'],
  ['Developer (Remote oder Berlin)', 'Developer'],
  ['Developer - Remote/Berlin', 'Developer'],
  ['Developer - Remote-first', 'Developer'],
  ['Developer (Hybrid, 3 days)', 'Developer'],
  ['Developer (Hybrid 3 days)', 'Developer'],
  ['Engineer, Remote Access', 'Engineer, Remote Access'],
  ['Developer (Remote & Berlin)', 'Developer'],
  ['Developer (Remote, Berlin)', 'Developer'],
  ['Engineer (Hybrid Vehicles)', 'Engineer (Hybrid Vehicles)'],
  ['JR-10442 Senior Developer', 'Senior Developer'],
  ['REQ-1234: Senior Developer', 'Senior Developer'],
  ['1234 - Senior Developer', 'Senior Developer'],
  ['Senior Developer - R1234', 'Senior Developer'],
  ['Senior Developer (Req. ID: 1234)', 'Senior Developer'],
  ['Senior Developer (Req #1234)', 'Senior Developer'],
  ['Developer (Java 21)', 'Developer (Java 21)'],
  ['Developer - Java 21', 'Developer - Java 21'],
  ['R2 Developer', 'R2 Developer'],
  ['Softwareentwickler m/w/d', 'Softwareentwickler'],
  ['Softwareentwickler m/w/d, Remote', 'Softwareentwickler'],
  ['Ingenieurin (m, w, d)', 'Ingenieurin'],
  ['Koch (mwd)', 'Koch'],
  ['Medewerker m/v', 'Medewerker'],
  ['Programista (K/M)', 'Programista'],
  ['UI/UX Designer', 'UI/UX Designer'],
  ['Sales Manager D/A/CH', 'Sales Manager D/A/CH'],
  ['Account Manager D/F/I', 'Account Manager D/F/I'],
  ['Vertrieb D/M/V', 'Vertrieb D/M/V'],
  ['Verkoper m/v/x', 'Verkoper'],
  ['Vendeur F/H/X', 'Vendeur'],
  ['Koch w/m/div', 'Koch'],
  ['2026 - Graduate Programme Lead', '2026 - Graduate Programme Lead'],
  ['1984 – Curator', '1984 – Curator'],
  ['20261 - Senior Developer', 'Senior Developer'],
  ['R 2000 Engineer', 'R 2000 Engineer'],
  ['Nurse (Remote Patient Monitoring)', 'Nurse (Remote Patient Monitoring)'],
  ['Architect (Hybrid Solutions)', 'Architect (Hybrid Solutions)'],
  ['Consultant (On-site Consulting)', 'Consultant (On-site Consulting)'],
])('a Greenhouse job named %s is shown as %s', async (name, job) => {
  const item = await greenhouse.newsOf({
    body: json({ jobs: [{ ...application.jobs[0], name }] }),
  })
  expect(item.title).toBe(`Imani Castellanos joins as ${job}`)
})

test.each([
  [{ candidate: { ...application.candidate, is_private: true } }],
  [{ is_private: true }],
  [{ jobs: [application.jobs[0], { name: 'Secret job', confidential: true }] }],
])('a private or confidential Greenhouse application makes no item: %#', async (change) => {
  const { outcome, stored } = await greenhouse.send({ body: json(change) })
  expect(outcome).toHaveProperty('ignored')
  expect(JSON.stringify([outcome, stored])).not.toContain('Castellanos')
})

test('only the number of a withdrawn Greenhouse application is stored, and nothing of a rejected one', async () => {
  const as = (action: string) => greenhouse.send({ body: json().replace('hire_candidate', action) })
  const unhired = await as('unhire_candidate')
  expect(unhired.stored).toEqual({ kind: 'withdrawn', applications: [application.id] })
  const rejected = await as('reject_candidate')
  expect(rejected.stored).toBeUndefined()
  expect(rejected.outcome).toEqual({ ignored: 'reject_candidate creates no block' })
})

test.each(['{"action":"unhire_candidate","payload":{}}', '{"action":"<b>","payload":{}}'])(
  'the signed Greenhouse request %s is refused with 400',
  async (body) => {
    expect((await greenhouse.send({ body })).outcome).toMatchObject({ rejected: 400 })
  },
)
