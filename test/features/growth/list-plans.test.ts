import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type BlockStatus, blockSources, blockTypes } from '../../../src/contract/vocabulary.ts'
import { type BlockFilter, listBlocks } from '../../../src/features/content-blocks/index.ts'
import { listNewsletters } from '../../../src/features/newsletters/index.ts'
import { createTeam } from '../../../src/features/teams/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { connect, type Sql, type Tx } from '../../../src/lib/database/db.ts'
import { listPositionOf } from '../../../src/lib/lists/list-order.ts'
import { countLimit, type PageRequest } from '../../../src/lib/lists/pagination.ts'
import { createDatabase, type TestDatabase } from '../../support/database/database.ts'
import { rowsRead } from '../../support/database/rows-read.ts'

// Rows and index entries read are counted, so the result does not depend on the machine.

const everything: BlockFilter = {
  status: [],
  blockType: [],
  source: [],
  eventSlug: [],
  words: null,
  fromId: null,
  beforeId: null,
}
const filters: Record<string, Partial<BlockFilter>> = {
  'no filter': {},
  'a status': { status: ['ready'] },
  'two statuses': { status: ['ready', 'used'] },
  'a type': { blockType: ['poll'] },
  'a source': { source: ['manual'] },
  'an event': { eventSlug: ['spring-party'] },
  'the order of changes': { sort: '-updated_at' },
  'the order of changes and a status': { sort: 'updated_at', status: ['ready'] },
  'the order of changes and an event': { sort: 'updated_at', eventSlug: ['spring-party'] },
  'changes before a time': { sort: '-updated_at', updatedBefore: new Date(0) },
  'the oldest first and a status': { sort: 'created_at', status: ['ready'] },
  'an external id': { externalId: ['item-20', 'item-40'], status: ['draft'] },
  'an external id that no block has': { externalId: ['unknown'], status: ['draft'] },
  'a status, a type and a source': { status: ['ready'], blockType: ['poll'], source: ['manual'] },
}

const busyBlocks = 32_000
/** More than a list counts, and further away from the newest block than a search reads the list for its first page. */
const oldBlocks = 10_200
const quietBlocks = 60

let database: TestDatabase
let sql: Sql
let busy: string
let quiet: string
beforeAll(async () => {
  database = await createDatabase()
  // One connection: its statistics are complete when it has flushed them.
  sql = connect(database.address, {
    name: 'tidings test',
    max: 1,
    session: { statement_timeout: 0 },
  })
  busy = (await createTeam({ sql, now: systemClock }, { slug: 'busy', name: 'Busy' })).id
  quiet = (await createTeam({ sql, now: systemClock }, { slug: 'quiet', name: 'Quiet' })).id
  // PostgreSQL must not refresh the statistics by itself.
  await sql`alter table content_blocks set (autovacuum_enabled = false)`
  await sql`analyze content_blocks`
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

/** Blocks of a team, the older ones first, with a word of their own; one in `rare` is a ready poll by hand about an event. */
async function insertBlocks(teamId: string, firstId: number, count: number, rare: number) {
  await sql`
    insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source,
      event_slug, external_id, created_at, updated_at)
    select 'cb_' || lpad(n::text, 32, '0'), ${teamId}, 'Block',
      case when n < ${firstId + oldBlocks}::int then 'common heirloom' else 'common word' end, 'text',
      case when n % ${rare}::int = 0 then 'poll' else 'general' end,
      case when n % ${rare}::int = 0 then 'ready' else 'draft' end,
      case when n % ${rare}::int = 0 then 'manual' else 'webhook' end,
      case when n % ${rare}::int = 0 then 'spring-party' end, 'item-' || n, now(), now()
    from generate_series(${firstId}::int, ${firstId + count - 1}::int) n`
}

async function readsOfList(
  teamId: string,
  filter: Partial<BlockFilter>,
  page: Partial<PageRequest> = {},
): Promise<number> {
  const before = await rowsRead(sql, 'content_blocks')
  await listBlocks(systemContext({ sql, now: systemClock }, teamId), {
    filter: { ...everything, ...filter },
    page: { page: 1, perPage: 20, ...page },
  })
  return (await rowsRead(sql, 'content_blocks')) - before
}

// The last state has fresh statistics; the others have those of an empty table.
const states: [name: string, prepare: () => Promise<unknown>][] = [
  [
    'a quiet team wrote before a busy one',
    async () => {
      await insertBlocks(quiet, 1, quietBlocks, 10)
      await insertBlocks(busy, 1_000, busyBlocks, 10_000)
    },
  ],
  ['the statistics are fresh', () => sql`analyze content_blocks`],
]

for (const [state, prepare] of states) {
  describe(`A page of a list when ${state}`, () => {
    beforeAll(async () => void (await prepare()))

    test.each(Object.keys(filters))(
      `a page of a list with %s reads few rows for the quiet team when ${state}`,
      async (name) => {
        expect(await readsOfList(quiet, filters[name] ?? {})).toBeLessThan(8 * quietBlocks)
      },
    )

    test.each(['-created_at', 'created_at', '-updated_at', 'updated_at'] as const)(
      `a page of a list sorted by %s reads as few rows by a cursor in the middle as at the start when ${state}`,
      async (sort) => {
        const [middle] = await sql<{ id: string; updated_at: Date }[]>`
          select id, updated_at from content_blocks where team_id = ${busy}
          order by id offset ${busyBlocks / 2} limit 1`
        const position = listPositionOf(sort, {
          id: middle?.id ?? '',
          updated_at: middle?.updated_at.toISOString() ?? '',
        })
        const some = [{}, { status: ['draft' as const] }, { eventSlug: ['spring-party'] }]
        for (const filter of some.map((one) => ({ ...one, sort }))) {
          const atStart = await readsOfList(busy, filter)
          const inTheMiddle = await readsOfList(busy, filter, { afterId: position })
          expect(inTheMiddle).toBeLessThan(atStart + quietBlocks)
        }
      },
    )

    test.each(Object.keys(filters))(
      `a page of a list with %s reads few rows for the busy team when ${state}`,
      async (name) => {
        expect(await readsOfList(busy, filters[name] ?? {})).toBeLessThan(8 * quietBlocks)
      },
    )

    test(`a search for a common word without a count reads few rows for the busy team when ${state}`, async () => {
      const reads = await readsOfList(busy, { words: 'common' }, { isCounted: false })
      expect(reads).toBeLessThan(8 * quietBlocks)
    })

    // PostgreSQL plans the first page without a filter once, for all teams (a generic plan).
    test.each(['busy', 'quiet'])(
      `a page of a list reads few rows for the %s team with a generic plan when ${state}`,
      async (slug) => {
        await sql`set plan_cache_mode = force_generic_plan`
        const reads = await readsOfList(slug === 'busy' ? busy : quiet, {})
        await sql`reset plan_cache_mode`
        expect(reads).toBeLessThan(8 * quietBlocks)
      },
    )
  })
}

describe('long lists', () => {
  const filter = { ...everything, status: ['draft' as const] }
  const list = async (tx: Sql | Tx) => {
    const page = { page: 1, perPage: 20 }
    const { counted } = await listBlocks(systemContext({ sql: tx, now: systemClock }, busy), {
      filter,
      page,
    })
    return counted
  }

  test('a list with more blocks than are counted is counted again only when so many blocks have left it that it can be shorter', async () => {
    expect(await list(sql)).toBe(countLimit + 1)
    expect(await readsOfList(busy, filter)).toBeLessThan(8 * quietBlocks)
    await sql`
      update content_blocks set status = 'used' where id = (
        select max(id) from content_blocks where team_id = ${busy} and status = 'draft')`
    expect(await list(sql)).toBe(countLimit + 1)
    expect(await readsOfList(busy, filter)).toBeLessThan(8 * quietBlocks)
  })

  test('a list with more blocks than are counted has its exact number after changes of status, type and source, deletions and new blocks', async () => {
    const isUndone = new Error('undone')
    const changes = sql.begin(async (tx) => {
      expect(await list(tx)).toBe(countLimit + 1)
      const last = tx`
        select id from content_blocks where team_id = ${busy} and status = 'draft' order by id limit 1`
      await tx`
        delete from content_blocks where team_id = ${busy} and id in (
          select id from content_blocks where team_id = ${busy} and status = 'draft'
          order by id offset ${countLimit + 1})`
      expect(await list(tx)).toBe(countLimit + 1)
      await tx`update content_blocks set status = 'ready' where id = (${last})`
      expect(await list(tx)).toBe(countLimit)
      await tx`update content_blocks set title = 'Other' where id = (${last})`
      expect(await list(tx)).toBe(countLimit)
      await tx`delete from content_blocks where id = (${last})`
      expect(await list(tx)).toBe(countLimit - 1)
      await tx`update content_blocks set status = 'draft' where team_id = ${busy} and status = 'ready'`
      expect(await list(tx)).toBeGreaterThan(countLimit - 1)
      throw isUndone
    })
    await expect(changes).rejects.toBe(isUndone)
  })
})

describe('A team with blocks of all statuses, types and sources', () => {
  const mixedBlocks = 3_000
  let mixed: string
  beforeAll(async () => {
    mixed = (await createTeam({ sql, now: systemClock }, { slug: 'mixed', name: 'Mixed' })).id
    await sql`
      insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source,
        created_at, updated_at)
      select 'cb_' || lpad((200000 + n)::text, 32, '0'), ${mixed}, 'Block', 'Text', 'text',
        (${[...blockTypes]}::text[])[1 + n % ${blockTypes.length}::int],
        case when n <= 100 then 'used' else (array['draft', 'ready'])[1 + (n / 7) % 2] end,
        (${[...blockSources]}::text[])[1 + (n / 11) % ${blockSources.length}::int], now(), now()
      from generate_series(1, ${mixedBlocks}::int) n`
    await sql`analyze content_blocks`
  })
  const pageOf = async (status: BlockStatus) => {
    const before = await rowsRead(sql, 'content_blocks')
    const { items } = await listBlocks(systemContext({ sql, now: systemClock }, mixed), {
      filter: { ...everything, status: [status] },
      page: { page: 1, perPage: 20, isCounted: false },
    })
    return { items, read: (await rowsRead(sql, 'content_blocks')) - before }
  }

  test('the first page of a status reads hardly more of them than it shows', async () => {
    const { items, read } = await pageOf('ready')
    expect(items).toHaveLength(20)
    expect(read).toBeLessThan(8 * 20)
  })

  test('the first page of a status that only the oldest have shows the newest of these', async () => {
    const { items } = await pageOf('used')
    const numbers = items.map(({ id }) => Number(id.slice('cb_'.length)))
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => 200_100 - n))
  })
})

test('a session has the memory that the positions of all matches of a search in a million blocks need', async () => {
  const [row] = await sql`select pg_size_bytes(current_setting('work_mem'))::int as bytes`
  expect(row?.['bytes']).toBeGreaterThanOrEqual(16 * 1024 * 1024)
})

test('a search is planned with its words, however often it was executed: a generic plan would read them again for each block', async () => {
  for (let execution = 0; execution < 8; execution++) {
    await readsOfList(busy, { words: 'common', status: ['ready'] })
  }
  const generic = await sql`
    select statement from pg_prepared_statements
    where statement like ${'%search_query(%'} and generic_plans > 0`
  expect(generic.map(({ statement }) => statement)).toEqual([])
})

test('a search for the beginning of a word reads the newest 1,000 blocks for the page and for the count, and no others', async () => {
  const reads = await readsOfList(busy, { words: 'unheardof' })
  const readsOfTyped = await readsOfList(busy, { words: 'unheardof', isTyped: true })
  expect(readsOfTyped - reads).toBeLessThanOrEqual(2_000)
})

test('a search for a word of every block reads hardly more in the order of changes than in the order of creation', async () => {
  const reads = await readsOfList(busy, { words: 'common' })
  const readsByChange = await readsOfList(busy, { words: 'common', sort: '-updated_at' })
  expect(readsByChange).toBeLessThan(reads + 8 * quietBlocks)
})

test('a search among the blocks of an event reads no others, also with a generic plan', async () => {
  await sql`set plan_cache_mode = force_generic_plan`
  const reads = await readsOfList(busy, { words: 'common', eventSlug: ['spring-party'] })
  await sql`reset plan_cache_mode`
  expect(reads).toBeLessThan(8 * quietBlocks)
})

test.each(['-created_at', 'created_at'] as const)(
  'a search sorted by %s shows the first blocks with a word that only many old blocks contain, and goes on to the last',
  async (sort) => {
    const ctx = systemContext({ sql, now: systemClock }, busy)
    const filter = { ...everything, words: 'heirloom', sort }
    const first = await listBlocks(ctx, { filter, page: { page: 1, perPage: 20 } })
    const numbers = first.items.map(({ id }) => Number(id.slice('cb_'.length)))
    const expected = Array.from({ length: 20 }, (_, n) =>
      sort === '-created_at' ? 1_000 + oldBlocks - 1 - n : 1_000 + n,
    )
    expect(numbers).toEqual(expected)
    const beforeLast = sort === '-created_at' ? 1_001 : 1_000 + oldBlocks - 2
    const afterId = `cb_${String(beforeLast).padStart(32, '0')}`
    const last = await listBlocks(ctx, { filter, page: { page: 1, perPage: 20, afterId } })
    expect(last.items).toHaveLength(1)
  },
)

describe('A member who works on all blocks of the busy team', () => {
  const assignee = 'mb_of_the_busy_team'
  beforeAll(async () => {
    // Only the assignments are of interest, not the member.
    await sql`set session_replication_role = replica`
    await sql`
      insert into block_assignments (team_id, block_id, member_id, created_at)
      select team_id, id, ${assignee}, now() from content_blocks where team_id = ${busy}`
    await sql`set session_replication_role = origin`
    await sql`analyze block_assignments`
  })

  test.each<Partial<BlockFilter>>([{ status: ['draft'] }, { words: 'common' }])(
    'the first page of what a member works on with %j reads few rows',
    async (filter) => {
      const before = await rowsRead(sql, 'content_blocks')
      await listBlocks(systemContext({ sql, now: systemClock }, busy), {
        filter: { ...everything, ...filter, assignee },
        page: { page: 1, perPage: 20, isCounted: false },
      })
      expect((await rowsRead(sql, 'content_blocks')) - before).toBeLessThan(8 * quietBlocks)
    },
  )

  test('a page of what a member works on with a rare status contains the same as the list of the team', async () => {
    const ctx = systemContext({ sql, now: systemClock }, busy)
    const page = { page: 1, perPage: 20 }
    const rare = { ...everything, status: ['ready' as const] }
    const assigned = await listBlocks(ctx, { filter: { ...rare, assignee }, page })
    expect(assigned).toEqual(await listBlocks(ctx, { filter: rare, page }))
    expect(assigned.items.length).toBeGreaterThan(1)
  })
})

test('a page of newsletters searches the blocks of its own team only, however many teams there are', async () => {
  // PostgreSQL must not refresh the statistics by itself.
  await sql`alter table newsletter_blocks set (autovacuum_enabled = false)`
  const insert = async (from: number, to: number) => {
    await sql`
      insert into teams (id, slug, name, created_at)
      select 'team_' || t, 'team-' || t, 'x', now() from generate_series(${from}::int, ${to}::int) t`
    await sql`
      insert into newsletters (id, team_id, title, template_slug, created_at, updated_at)
      select 'nl_' || t || '_' || n, 'team_' || t, 'x', 'clean', now(), now()
      from generate_series(${from}::int, ${to}::int) t, generate_series(1, 20) n`
    await sql`
      insert into newsletter_blocks (id, team_id, newsletter_id, position, snapshot)
      select 'nb_' || t || '_' || n || '_' || b, 'team_' || t, 'nl_' || t || '_' || n, b, '{}'
      from generate_series(${from}::int, ${to}::int) t, generate_series(1, 20) n, generate_series(1, 3) b`
    await sql`analyze newsletter_blocks`
  }
  const searches = async () => {
    await sql`select pg_stat_force_next_flush()`
    const [row] = await sql<[{ count: number }]>`
      select (idx_scan + seq_tup_read)::integer as count from pg_stat_user_tables
      where schemaname = 'public' and relname = 'newsletter_blocks'`
    return row.count
  }
  await insert(1, 200)
  const before = await searches()
  const page = { page: 1, perPage: 100, isCounted: false }
  const ctx = systemContext({ sql, now: systemClock, baseUrl: 'https://news.test' }, 'team_1')
  const listed = await listNewsletters(ctx, { page })
  expect(listed.items.map((item) => item.blocks_count)).toEqual(Array(20).fill(3))
  expect((await searches()) - before).toBeLessThanOrEqual(20)
})
