import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { adapter as github } from '../../../integrations/github/adapter.ts'
import { daysBefore, systemClock } from '../../../src/lib/clock.ts'
import { firstIdAt } from '../../../src/lib/ids.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { type Examples, examplesFor, pathOf, routes } from '../../support/browser/console-walk.ts'
import { type Person, signedIn } from '../../support/console.ts'
import { rowsRead } from '../../support/database/rows-read.ts'
import { blockOf, newsletterOf, unlimitedClient } from '../../support/newsletters.ts'

const storedBlocks = 10_000
const chosenBlocks = 20

let app: TestApp
let admin: Person
let newsletter: string
let examples: Examples

beforeAll(async () => {
  app = await startApp({ connections: 1, adapters: [github], forward: false })
  const team = await app.team()
  admin = await signedIn(app, team, 'admin')
  const call = await unlimitedClient(app, team)
  const yesterday = firstIdAt('cb', daysBefore(systemClock(), 1)).slice(0, -8)
  await app.sql`
    insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source,
      created_at, updated_at)
    select ${yesterday} || lpad(to_hex(n), 8, '0'), ${team.id}, 'Story ' || n,
      repeat('<p>Something happened that readers would like to hear about.</p>', 12), 'html',
      'general', (array['ready', 'ready', 'draft', 'used'])[1 + n % 4], 'manual', now(), now()
    from generate_series(1, ${storedBlocks}::int) n`
  await app.sql`analyze content_blocks`
  const blocks: string[] = []
  for (let n = 0; n < chosenBlocks; n++) blocks.push(await blockOf(call, { title: `Chosen ${n}` }))
  newsletter = await newsletterOf(call, blocks)
  examples = await examplesFor(app, team, 'Northwind')
})
afterAll(() => app.close())

describe('A team with 10,000 blocks', () => {
  // The navigation counts up to 100 drafts.
  const navigation = 101

  // The tabs of the library count up to 1,000 blocks of each status.
  const tabs = 3 * 1_001

  // The newest 1,000 are read for the beginnings of words, for the page and for the count.
  const beginnings = 2_000

  test.each([
    ['/library', tabs + 500],
    ['/library?status=all', tabs + 500],
    ['/library?status=ready&type=general', tabs + 500],
    ['/library?q=nobody', tabs + 500 + beginnings],
    ['/library?q=story', tabs + 800],
    ['/library?q=something', tabs + 800],
    ['/library/new', navigation],
    ['/newsletters', navigation],
  ])('%s reads at most %i rows of blocks and is a small page', async (path, rows) => {
    await expectSmall(path, rows)
  })

  test.each([
    ['', 20 * chosenBlocks + navigation],
    ['?status=all', 20 * chosenBlocks + navigation],
    ['?q=story', 20 * chosenBlocks + 500],
    ['?q=nobody', 20 * chosenBlocks + navigation + 300 + beginnings],
    ['/html?scheme=dark', 5 * chosenBlocks],
    ['/export', 5 * chosenBlocks + navigation],
    ['/eml', 5 * chosenBlocks],
  ])(
    'the page "%s" of a newsletter with 20 blocks reads at most %i rows of blocks and is small',
    async (end, rows) => {
      await expectSmall(newsletter + end, rows)
    },
  )

  test('no page of the console reads more than 4,000 rows of blocks or is larger than 100 kB', async () => {
    const paths = routes
      .filter(({ method, role }) => method === 'GET' && role !== null)
      .map((route) => pathOf(route, examples))
    const large: unknown[] = []
    for (const path of paths) {
      const { read, bytes } = await costOf(path)
      if (read > 4_000 || bytes >= 100_000) large.push({ path, read, bytes })
    }
    expect(large).toEqual([])
    expect(paths.length).toBeGreaterThan(80)
  })

  test('the page that asks before a key is revoked counts its blocks among the newest 2,000', async () => {
    const path = `/settings/keys/${examples['keys']}/revoke`
    await expectSmall(path, navigation + 2_000)
    expect((await admin.get(path)).html).toContain('0 of the 2000 newest blocks of the library')
  })

  test('the composer and its files are together smaller than 100 kB', async () => {
    const { html } = await admin.get(newsletter)
    let bytes = Buffer.byteLength(html)
    for (const [, file] of html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
      const response = await fetch(app.base + file, {
        decompress: false,
        headers: { 'accept-encoding': 'gzip' },
      })
      bytes += (await response.arrayBuffer()).byteLength
    }
    expect(bytes).toBeLessThan(100_000)
  })
})

async function expectSmall(path: string, rows: number): Promise<void> {
  const { status, read, bytes } = await costOf(path)
  expect(status).toBe(200)
  expect(bytes).toBeLessThan(100_000)
  expect(read).toBeLessThanOrEqual(rows)
}

/** The status of a page, its size, and how many rows of blocks it has read. */
async function costOf(path: string): Promise<{ status: number; bytes: number; read: number }> {
  const before = await rowsRead(app.sql, 'content_blocks')
  const { status, html } = await admin.get(path)
  const read = (await rowsRead(app.sql, 'content_blocks')) - before
  return { status, bytes: Buffer.byteLength(html), read }
}
