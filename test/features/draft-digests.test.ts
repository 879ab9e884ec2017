import { afterAll, beforeAll, expect, test } from 'bun:test'
import { digestEmail } from '../../src/console/index.ts'
import { runDigests } from '../../src/features/draft-digests/index.ts'
import { newId } from '../../src/lib/ids.ts'
import type { OutgoingMail } from '../../src/lib/mail/mail.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { signedIn } from '../support/console.ts'
import { until } from '../support/until.ts'

let app: TestApp
const sent: OutgoingMail[] = []
beforeAll(async () => {
  app = await startApp({ mail: { send: async (mail) => void sent.push(mail) } })
})
afterAll(() => app.close())

const runAt = (at: string) =>
  runDigests({
    sql: app.sql,
    now: () => new Date(at),
    queue: app.forwarder.queue,
    email: digestEmail('http://tidings.test'),
  })

/** A person of a new team in this time zone who has chosen a digest, and whose digests begin on 3 January 2028. */
async function memberWithDigest(
  draft_digest: 'off' | 'daily' | 'weekly',
  { role = 'editor' as 'editor' | 'viewer', timeZone = 'Europe/Berlin' } = {},
) {
  const team = await app.team()
  const who = await signedIn(app, team, role, { name: 'Sam Petrov' })
  await who.post('/account/notifications', { draft_digest })
  await app.sql`update accounts set time_zone = ${timeZone} where email = ${who.email}`
  await app.sql`
    update members set draft_digest_at = '2028-01-03T07:30:00Z' where team_id = ${team.id}`
  const addDraft = (title: string, at: string) => app.sql`
    insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source, created_at, updated_at)
    values (${newId('cb', new Date(at))}, ${team.id}, ${title}, 'x', 'text', 'general', 'draft', 'webhook', ${at}, ${at})`
  const emails = () => sent.filter(({ recipient }) => recipient === who.email)
  return { team, who, addDraft, emails }
}

test('new drafts are sent once a day, at 8:00 in the time zone of the person, by any number of processes', async () => {
  const { addDraft, emails, team } = await memberWithDigest('daily')
  await addDraft('The lift works', '2028-01-03T12:00:00Z')
  // 07:59 in Berlin on the next day.
  await runAt('2028-01-04T06:59:00Z')
  await addDraft('A new colleague', '2028-01-04T06:54:30Z')
  await Promise.all(['2028-01-04T07:00:00Z', '2028-01-04T07:00:00Z'].map(runAt))
  await runAt('2028-01-04T20:00:00Z')
  await until(async () => emails().length > 0)
  // Nothing new, so there is no email.
  await runAt('2028-01-05T08:00:00Z')
  await addDraft('Tuesday', '2028-01-05T09:00:00Z')
  await runAt('2028-01-06T08:00:00Z')
  await until(async () => emails().length > 1)
  expect(emails().map(({ subject }) => subject)).toEqual([
    `2 new drafts in ${team.name}`,
    `1 new draft in ${team.name}`,
  ])
  expect(emails()[0]?.text).toContain('• A new colleague\n• The lift works')
  expect(emails()[0]?.text).toContain('http://tidings.test/account#notifications')
  expect(emails()[0]?.html).toMatch(
    /href="http:\/\/tidings\.test\/library\/cb_\w+"[^>]*>The lift works</,
  )
  expect(emails()[1]?.text).not.toContain('The lift works')
})

test('a draft whose transaction is open while a digest is prepared is in the next one, once', async () => {
  const { team, addDraft, emails } = await memberWithDigest('daily')
  await addDraft('The lift works', '2028-01-04T06:50:00Z')
  const { promise: prepared, resolve: commit } = Promise.withResolvers<void>()
  const { promise: inserted, resolve: isInserted } = Promise.withResolvers<void>()
  // Not transaction(): its deadline may pass before the test commits.
  const slow = app.sql.begin(async (tx) => {
    const at = '2028-01-04T06:59:59Z'
    await tx`
      insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source, created_at, updated_at)
      values (${newId('cb', new Date(at))}, ${team.id}, 'Late', 'x', 'text', 'general', 'draft', 'webhook', ${at}, ${at})`
    isInserted()
    await prepared
  })
  await inserted
  await addDraft('A new colleague', '2028-01-04T07:00:00Z')
  await runAt('2028-01-04T07:00:00Z')
  commit()
  await slow
  await until(async () => emails().length > 0)
  await runAt('2028-01-05T07:00:00Z')
  await runAt('2028-01-06T07:00:00Z')
  await until(async () => emails().length > 1)
  const titles = emails().map(({ text }) => [...text.matchAll(/• (.+)/g)].map(([, title]) => title))
  expect(titles).toEqual([['The lift works'], ['A new colleague', 'Late']])
})

test('a weekly digest is sent on Monday, or on the first day on which the service is on again', async () => {
  const { addDraft, emails } = await memberWithDigest('weekly')
  await addDraft('The lift works', '2028-01-04T12:00:00Z')
  await runAt('2028-01-09T12:00:00Z')
  await runAt('2028-01-11T12:00:00Z')
  // Two emails that wait at the same time are sent in any order.
  await until(async () => emails().length > 0)
  await addDraft('A new colleague', '2028-01-11T13:00:00Z')
  await runAt('2028-01-14T12:00:00Z')
  await runAt('2028-01-17T07:00:00Z')
  await until(async () => emails().length > 1)
  const texts = emails().map(({ text }) => text)
  expect(texts.map((text) => text.includes('The lift works'))).toEqual([true, false])
})

test('a digest is in the language of the person, with ten titles and how many more there are', async () => {
  const { addDraft, emails, who, team } = await memberWithDigest('daily')
  await app.sql`update accounts set language = 'de' where email = ${who.email}`
  for (let n = 1; n <= 12; n++) await addDraft(`Entwurf ${n}.`, '2028-01-03T12:00:00Z')
  await runAt('2028-01-04T08:00:00Z')
  await until(async () => emails().length > 0)
  expect(emails()[0]?.subject).toBe(`12 neue Entwürfe in ${team.name}`)
  expect(emails()[0]?.text).toContain('und 2 weitere')
})

test('people who chose none, viewers and removed members get no digest', async () => {
  const people = [
    await memberWithDigest('off'),
    await memberWithDigest('daily', { role: 'viewer' }),
    await memberWithDigest('daily'),
    await memberWithDigest('daily'),
  ]
  const [, , removed, last] = people
  await app.sql`update members set removed_at = now() where team_id = ${removed?.team.id ?? ''}`
  for (const { addDraft } of people) await addDraft('The lift works', '2028-01-03T12:00:00Z')
  await runAt('2028-01-04T08:00:00Z')
  await until(async () => (last?.emails().length ?? 0) > 0)
  expect(people.map(({ emails }) => emails().length)).toEqual([0, 0, 0, 1])
})

test('a digest that is switched on again has nothing that was new before', async () => {
  const { who, team } = await memberWithDigest('daily')
  await who.post('/account/notifications', { draft_digest: 'off' })
  const before = new Date()
  await who.post('/account/notifications', { draft_digest: 'weekly' })
  const [row] = await app.sql<{ draft_digest_at: Date }[]>`
    select draft_digest_at from members where team_id = ${team.id}`
  expect(row?.draft_digest_at.getTime()).toBeGreaterThanOrEqual(before.getTime())
})
