import { afterAll, beforeAll, expect, test } from 'bun:test'
import { getArchivedNewsletter, listArchive } from '../../src/features/archive/index.ts'
import { createTeam } from '../../src/features/teams/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { connect, type Sql } from '../../src/lib/database/db.ts'
import {
  createDatabase,
  type TestDatabase,
  withoutTimeLimits,
} from '../support/database/database.ts'
import { rowsRead } from '../support/database/rows-read.ts'

// Rows and index entries read are counted, so the result does not depend on the machine.

const sent = 10_000

let database: TestDatabase
let sql: Sql
let teamId: string
beforeAll(async () => {
  database = await createDatabase()
  // One connection: its statistics are complete when it has flushed them.
  sql = connect(database.address, { name: 'tidings test', max: 1, ...withoutTimeLimits })
  teamId = (await createTeam({ sql, now: systemClock }, { slug: 'acme', name: 'Acme' })).id
  await sql`
    insert into newsletters (id, team_id, title, template_slug, status, sent_at, sent_html, sent_text,
      created_at, updated_at)
    select 'nl_' || lpad(n::text, 32, '0'), ${teamId}, 'Issue ' || n, 'clean', 'sent',
      now() + n * interval '1 minute', '<p>Text</p>', 'Text', now(), now()
    from generate_series(1, ${sent}::int) n`
  await sql`analyze newsletters`
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

const idOf = (n: number) => `nl_${String(n).padStart(32, '0')}`

async function readsOf(work: () => Promise<unknown>): Promise<number> {
  const before = await rowsRead(sql, 'newsletters')
  await work()
  return (await rowsRead(sql, 'newsletters')) - before
}

test.each([
  ['the first page', null],
  ['a page in the middle', idOf(sent / 2)],
])('%s of an archive reads as many rows as it shows', async (_, afterId) => {
  const reads = await readsOf(async () => {
    const { newsletters } = await listArchive({ sql }, { teamId, words: null, afterId })
    expect(newsletters).toHaveLength(20)
  })
  expect(reads).toBeLessThan(60)
})

test('a newsletter of an archive is read with its neighbors, and no other newsletter', async () => {
  const reads = await readsOf(async () => {
    const found = await getArchivedNewsletter({ sql }, { teamId, id: idOf(sent / 2) })
    expect(found).toMatchObject({
      older: { id: idOf(sent / 2 - 1) },
      newer: { id: idOf(sent / 2 + 1) },
    })
  })
  expect(reads).toBeLessThan(20)
})

test('a word that one newsletter contains is found by the index of words', async () => {
  const reads = await readsOf(async () => {
    const { newsletters } = await listArchive({ sql }, { teamId, words: '4711', afterId: null })
    expect(newsletters.map(({ title }) => title)).toEqual(['Issue 4711'])
  })
  expect(reads).toBeLessThan(20)
})

test('a sent newsletter of any length can be stored and is found by its beginning', async () => {
  const words = Array.from({ length: 300_000 }, (_, at) =>
    String.fromCodePoint(0x20000 + (at % 40_000)),
  )
  await sql`
    insert into newsletters (id, team_id, title, template_slug, status, sent_at, sent_html, sent_text,
      created_at, updated_at)
    values (${idOf(sent + 1)}, ${teamId}, 'Endless', 'clean', 'sent', now(), '<p></p>',
      ${words.join('')}, now(), now())`
  const search = { teamId, words: words.slice(5, 9).join(''), afterId: null }
  const { newsletters } = await listArchive({ sql }, search)
  expect(newsletters.map(({ title }) => title)).toEqual(['Endless'])
})
