import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../../support/app.ts'
import { type Person, signedIn } from '../../support/console.ts'
import { rowsRead } from '../../support/database/rows-read.ts'
import { newsletterOf, unlimitedClient } from '../../support/newsletters.ts'

// Rows and index entries read are counted, so the result does not depend on the machine.

const viewers = 2_000
const perPage = 50

let app: TestApp
let admin: Person
let newsletter: string
beforeAll(async () => {
  app = await startApp({ connections: 1 })
  const team = await app.team()
  admin = await signedIn(app, team, 'admin')
  newsletter = await newsletterOf(await unlimitedClient(app, team), [])
  await app.sql`alter table members set (autovacuum_enabled = false)`
  await app.sql`
    insert into members (id, team_id, email, name, role, created_at)
    select 'mb_' || lpad(to_hex(n), 32, '0'), ${team.id}, 'p' || n || '@northwind.test',
      'Person ' || lpad(n::text, 4, '0'), 'viewer', now()
    from generate_series(1, ${viewers}::int) n`
  await app.sql`analyze members`
})
afterAll(() => app.close())

const namesOn = (html: string) => html.match(/Person \d{4}/g) ?? []

/** A page of the console, and how many rows of members it has read. */
async function pageAndReads(path: string): Promise<{ html: string; read: number }> {
  const before = await rowsRead(app.sql, 'members')
  const { html } = await admin.get(path)
  return { html, read: (await rowsRead(app.sql, 'members')) - before }
}

test('the members of a large team are shown page by page in the order of their names, and a page reads no others', async () => {
  const seen = new Set<string>()
  let path: string | undefined = '/settings/members'
  for (let page = 0; page < 4 && path; page++) {
    const { html, read } = await pageAndReads(path)
    expect(read).toBeLessThan(3 * perPage)
    for (const name of namesOn(html)) seen.add(name)
    path = /href="(\/settings\/members\?after=[^"]+)"/.exec(html)?.[1]
  }
  expect([...seen].toSorted()).toEqual([...seen])
  expect(seen.size).toBeGreaterThan(3 * perPage)
})

test('a member of a large team is found by a part of the name or of the address', async () => {
  for (const text of ['son 1999', 'P1999@north']) {
    const { html } = await admin.get(`/settings/members?q=${encodeURIComponent(text)}`)
    expect(new Set(namesOn(html))).toEqual(new Set(['Person 1999']))
  }
  const { html } = await admin.get('/settings/members?q=nobody')
  expect(html).toContain('No member has this name or address.')
})

test('the form that sends a preview lists the first members, and takes the address of another', async () => {
  const { html, read } = await pageAndReads(`${newsletter}/preview`)
  expect(read).toBeLessThan(3 * perPage)
  expect(html.match(/name="recipients\[\]"/g)?.length).toBeLessThanOrEqual(perPage + 1)
  expect(html).toContain('The list shows the first 50 members by name.')
  const sent = await admin.post(`${newsletter}/preview`, { recipient: 'p1999@northwind.test' })
  expect(sent.status).toBe(303)
  const stored = await app.sql`select recipient from preview_emails`
  expect(stored.map(({ recipient }) => recipient)).toEqual(['p1999@northwind.test'])
})
