import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import completedInitiative from '../../integrations/linear/fixtures/initiative.completed.json'
import completed from '../../integrations/linear/fixtures/project.completed.json'
import update from '../../integrations/linear/fixtures/project_update.create.json'
import { sign } from '../../integrations/linear/fixtures/sign.ts'
import { fixtureTime } from '../support/adapters.ts'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'
import {
  openHook,
  testHostileText,
  testLeaks,
  testSignature,
  testUnreadable,
} from '../support/providers/signed-webhook.ts'

const common = {
  slug: 'linear',
  setting: 'secret',
  secrets: ['lark', 'lapwing', 'linnet'],
  sign: (body: string, { secret = '' }) => sign(body, { secret }),
} as const
const updates = await openHook({ ...common, fixture: update })
const projects = await openHook({ ...common, fixture: completed })

const withUpdate = (data: object) => ({ ...update.body, data: { ...update.body.data, ...data } })

testSignature(updates, 'linear-signature')
testUnreadable(updates, {
  body: JSON.stringify(withUpdate({ id: 'canary 7f3a' })),
  reason: 'ProjectUpdate: data.id is not as Linear documents it',
})
testHostileText(updates, (name) => withUpdate({ project: { name } }))

describe('Linear updates', () => {
  testLeaks(updates, {
    kept: 'Noor Castellan',
    leaks: ['noor@quayside.example', 'e825c109', 'profiles', 'bodyData', '498d97b2', 'webhookId'],
  })

  test.each([
    ['spaces', ' '],
    ['links to issues that do not end', '([A-1]('],
    ['links to people that do not end', '[@a](https://linear.app/a/profiles/'],
  ])('the time to read %s in a Linear update grows with their number only', async (_, unit) => {
    const send = (body: string) => updates.newsOf({ body: JSON.stringify(withUpdate({ body })) })
    const growth = await growthOf((size) => send(`a${unit.repeat(size)}b`), 4_000)
    expect(growth).toBeLessThan(maxLinearGrowth)
  })

  test('a Linear update with an unknown health does not mention its health', async () => {
    const body = JSON.stringify(withUpdate({ health: 'canary' }))
    expect((await updates.newsOf({ body })).body).not.toMatch(/Health|canary/)
  })

  test('a Linear update links to Linear only', async () => {
    for (const url of [
      'https://linear.app.evil.example/x',
      'http://linear.app/x',
      'javascript:0',
    ]) {
      const body = JSON.stringify({ ...update.body, url })
      expect((await updates.newsOf({ body })).source_url).toBeUndefined()
    }
  })
})

describe('completed Linear projects', () => {
  testLeaks(projects, {
    kept: 'One timetable for every harbour',
    leaks: ['noor@quayside.example', 'e825c109', 'Budget', 'Van Dalen', '3f2043ea', 'Phase 1'],
  })

  test('completed Linear projects, completed initiatives and updates have different content keys, which an edit keeps', async () => {
    const keys = [
      (await projects.newsOf({})).external_id,
      (await updates.newsOf({})).external_id,
      (await projects.newsOf({ body: JSON.stringify(completedInitiative.body) })).external_id,
    ]
    expect(new Set(keys).size).toBe(3)
    const edited = { ...completed.body, data: { ...completed.body.data, name: 'Another' } }
    expect((await projects.newsOf({ body: JSON.stringify(edited) })).external_id).toBe(keys[0])
  })
})

describe('Linear: the time in the body', () => {
  const at = (webhookTimestamp: unknown) => JSON.stringify({ ...update.body, webhookTimestamp })

  test.each([-61, 61, 3600])('a Linear request sent %p s from now is refused', async (seconds) => {
    const { outcome } = await updates.send({ body: at(fixtureTime.getTime() + seconds * 1000) })
    expect(outcome).toMatchObject({ rejected: 401 })
  })

  test.each([-59, 0, 59])('a Linear request sent %p s from now is accepted', async (seconds) => {
    const { outcome } = await updates.send({ body: at(fixtureTime.getTime() + seconds * 1000) })
    expect(outcome).toHaveProperty('items')
  })

  test.each([undefined, null, String(fixtureTime.getTime()), 'soon'])(
    'a Linear request with the time %p is refused',
    async (time) => {
      expect((await updates.send({ body: at(time) })).outcome).toMatchObject({ rejected: 401 })
    },
  )

  test('the time of a Linear request is not read from a header', async () => {
    const headers = { 'linear-timestamp': String(fixtureTime.getTime()) }
    const { outcome } = await updates.send({ body: at(undefined), headers })
    expect(outcome).toMatchObject({ rejected: 401 })
  })
})

test('the type of a Linear event is read from the signed body, not from a header', async () => {
  const { outcome } = await updates.send({ headers: { 'linear-event': 'Issue' } })
  expect(outcome).toHaveProperty('items')
})

test("the id of a Linear delivery is Linear's, or the digest of the body when there is none", async () => {
  expect((await updates.send()).deliveryId).toBe(update.headers['linear-delivery'])
  const headers = { 'linear-delivery': null }
  expect((await updates.send({ headers })).deliveryId).toMatch(/^sha256:/)
})

test.each([{}, { secret: '' }, { secret: ['a', 'b', 'c'] }])(
  'the Linear settings %j are refused',
  (settings) => {
    expect(v.safeParse(updates.adapter.settings, settings).success).toBe(false)
  },
)

test('people who are mentioned in a Linear update are named, without a link to their profile', async () => {
  const profiles = 'https://linear.app/marlowe/profiles'
  const text = `Thanks [@Mira Solano](${profiles}/mira), [@ines-a](${profiles}/ines-a) and ${profiles}/bob. See [the map](https://linear.app/marlowe/document/map).`
  const body = JSON.stringify(withUpdate({ body: text }))
  expect((await updates.newsOf({ body })).body).toBe(
    '<p>Thanks Mira Solano, Ines A. and bob. See <a href="https://linear.app/marlowe/document/map">the map</a>.</p>',
  )
})
