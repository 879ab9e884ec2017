import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { startApp, type TestApp } from '../../support/app.ts'
import { logIn, member, person, testPassword } from '../../support/console.ts'

let clock = new Date()
let app: TestApp

beforeAll(async () => {
  app = await startApp({ now: () => clock, trustedProxies: 1 })
})
afterAll(async () => await app.close())

const minutesLater = (minutes: number) => {
  clock = new Date(clock.getTime() + minutes * 60_000)
}

const deviceCookieOf = (email: string) =>
  `tidings_device_${createHash('sha256').update(email).digest('hex').slice(0, 8)}`

/** A sign-in form sent from a network address. */
async function tryFrom(address: string, email: string, password: string): Promise<number> {
  const visitor = person(app.base, { 'x-forwarded-for': address })
  return (await logIn(visitor, email, password)).status
}

test('60 failed sign-ins for an unknown address do not keep a colleague on the same network out', async () => {
  const { email } = await member(app, await app.team(), 'viewer')
  for (let n = 0; n < 60; n++) await tryFrom('198.51.100.7', 'nobody@people.test', 'wrong password')
  expect(await tryFrom('198.51.100.7', email, testPassword)).toBe(303)
})

test('guesses from 130 addresses do not delay a device on which the owner has signed in before', async () => {
  minutesLater(24 * 60)
  const { email } = await member(app, await app.team(), 'viewer')
  const owner = person(app.base, { 'x-forwarded-for': '203.0.113.9' })
  await logIn(owner, email)
  await owner.post('/logout')
  for (let n = 0; n < 130; n++) await tryFrom(`192.0.2.${n}`, email, 'wrong password')
  expect(await tryFrom('203.0.113.10', email, testPassword)).toBe(429)
  expect((await logIn(owner, email)).status).toBe(303)
})

test('a device cookie of one account does not exempt guesses for another account', async () => {
  minutesLater(24 * 60)
  const team = await app.team()
  const [own, other] = [await member(app, team, 'viewer'), await member(app, team, 'viewer')]
  const visitor = person(app.base, { 'x-forwarded-for': '203.0.113.20' })
  await logIn(visitor, own.email)
  await visitor.post('/logout')
  // The name of the cookie says whose it is; its signature decides.
  const device = visitor.cookies.get(deviceCookieOf(own.email))
  expect(device).toBeString()
  visitor.cookies.set(deviceCookieOf(other.email), device ?? '')
  const statuses: number[] = []
  for (let n = 0; n < 10; n++) {
    statuses.push((await logIn(visitor, other.email, 'wrong password')).status)
  }
  expect(statuses.at(-1)).toBe(429)
})

test('a device cookie that is changed or incomplete exempts no guesses, and the right password still signs in', async () => {
  minutesLater(24 * 60)
  const { email } = await member(app, await app.team(), 'viewer')
  const owner = person(app.base, { 'x-forwarded-for': '203.0.113.21' })
  await logIn(owner, email)
  const [id = '', signature = ''] = (owner.cookies.get(deviceCookieOf(email)) ?? '').split('.')
  expect(signature).not.toBe('')
  const changed = signature.startsWith('A') ? 'B' : 'A'
  const forged = [id, `${id}.`, `${id}.${signature.slice(0, 8)}`, `${id}.${signature}x`, '.', 'é']
  for (const [n, cookie] of [...forged, `${id}.${changed}${signature.slice(1)}`].entries()) {
    const guesser = person(app.base, { 'x-forwarded-for': `203.0.113.${30 + n}` })
    guesser.cookies.set(deviceCookieOf(email), encodeURI(cookie))
    expect((await logIn(guesser, email)).status).toBe(303)
    guesser.cookies.clear()
    guesser.cookies.set(deviceCookieOf(email), encodeURI(cookie))
    const statuses: number[] = []
    for (let guess = 0; guess < 9; guess++) {
      statuses.push((await logIn(guesser, email, 'wrong password')).status)
    }
    expect(statuses.at(-1)).toBe(429)
  }
})

test('a person who signs in deletes only their own wrong attempts: those for other accounts still count for the network', async () => {
  minutesLater(24 * 60)
  const { email } = await member(app, await app.team(), 'viewer')
  const address = '203.0.113.50'
  const guess = (n: number) => tryFrom(address, `somebody-${n}@people.test`, 'wrong password')
  for (let n = 0; n < 39; n++) expect(await guess(n)).toBe(422)
  expect(await tryFrom(address, email, testPassword)).toBe(303)
  expect([await guess(39), await guess(40)]).toEqual([422, 429])
})

test('a sign-in form that was refused is tried again when the same form is sent again', async () => {
  minutesLater(24 * 60)
  const team = await app.team()
  const email = `${crypto.randomUUID()}@people.test`
  const visitor = person(app.base)
  const form = { submission: crypto.randomUUID(), email, password: testPassword }
  expect((await visitor.post('/login', form)).status).toBe(422)
  await member(app, team, 'viewer', { email })
  expect((await visitor.post('/login', form)).status).toBe(303)
})

test('a session ends after 30 days, however often it is used', async () => {
  clock = new Date()
  const { email } = await member(app, await app.team(), 'viewer')
  const visitor = person(app.base)
  await logIn(visitor, email)
  const days = async (count: number) => {
    minutesLater(count * 24 * 60)
    return (await visitor.get('/library')).status
  }
  expect([await days(10), await days(10), await days(9), await days(2)]).toEqual([
    ...[200, 200, 200],
    303,
  ])
})
