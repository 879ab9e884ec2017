import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cleanupJobs } from '../../src/cleanup.ts'
import { folderStorage } from '../../src/features/images/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/test-run.ts'

/** Tables without a retention period: what people or operators create, which stays until they delete it. */
const kept = [
  'app_installations',
  'socket_leases',
  ...['accounts', 'api_key_usage', 'api_keys', 'connections', 'content_blocks', 'credentials'],
  'connection_routes',
  'content_block_counts',
  ...[
    'events',
    'installation',
    'members',
    'migration_jobs',
    'migrations',
    'newsletter_blocks',
    'newsletter_elements',
    'newsletter_posts',
    'newsletter_schedules',
    'newsletters',
  ],
  ...[
    'passkeys',
    'plans',
    'sample_content',
    'saved_filters',
    'submission_links',
    'teams',
    'templates',
    'two_factors',
  ],
]

const operating = new URL('../../docs/operating.md', import.meta.url)

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test('every table either has a cleanup job or is listed as kept until somebody deletes', async () => {
  const tables = await database.sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const cleaned = cleanupJobs.flatMap((job) => job.tables)
  expect([...kept, ...cleaned].toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
})

test('docs/operating.md names every table with a retention period', async () => {
  const text = await Bun.file(operating).text()
  const cleaned = cleanupJobs.flatMap((job) => job.tables)
  expect(cleaned.filter((table) => !text.includes(`\`${table}\``))).toEqual([])
})

test('the cleanup deletes what is older than its retention period, and nothing newer', async () => {
  const { sql } = database
  const insertAt = async (at: Date, name: string) => {
    const day = at.toISOString().slice(0, 10)
    await sql`insert into teams (id, slug, name, created_at) values (${name}, ${name}, 'x', ${at})`
    await sql`insert into members (id, team_id, email, name, role, created_at) values (${name}, ${name}, 'a@b.test', 'x', 'admin', ${at})`
    await sql`insert into ai_usage (team_id, period, used) values (${name}, ${day}, 1)`
    await sql`insert into captured_emails (id, team_id, recipient, subject, html, text, created_at) values (${name}, ${name}, 'x', 'x', 'x', 'x', ${at})`
    await sql`insert into previews (id, team_id, newsletter_id, member_id, subject, html, text, queued_at) values (${name}, ${name}, 'nl', ${name}, 'x', 'x', 'x', ${at})`
    await sql`insert into preview_emails (id, team_id, preview_id, recipient) values (${name}, ${name}, ${name}, 'x')`
    await sql`insert into preview_daily_usage (team_id, day, emails) values (${name}, ${day}, 1)`
    await sql`insert into invitations (token_hash, team_id, member_id, expires_at, created_at) values (${Buffer.from(name)}, ${name}, ${name}, ${new Date(at.getTime() + 60_000)}, ${at})`
    await sql`insert into setup_links (token_hash, created_at) values (${Buffer.from(name)}, ${at})`
    await sql`insert into rate_limits (subject, tat) values (${Buffer.from(name)}, ${new Date(at.getTime() + 60_000)})`
    await sql`insert into receipts (team_id, block_id, token, created_at) values (${name}, ${name}, ${name.padEnd(32)}, ${at})`
    await sql`insert into trashed_blocks (id, team_id, block, deleted_at) values (${name}, ${name}, '{}', ${at})`
  }
  const now = systemClock()
  await insertAt(new Date(now.getTime() - 500 * 24 * 3_600_000), 'team_old')
  await insertAt(now, 'team_new')
  const storage = folderStorage(await temporaryFolder('media'))
  for (const { run } of cleanupJobs) await run({ sql, now: systemClock, storage })
  const left = await sql<{ name: string; rows: string[] }[]>`
    select 'ai_usage' as name, array_agg(team_id::text) as rows from ai_usage
    union all select 'captured_emails', array_agg(id::text) from captured_emails
    union all select 'previews', array_agg(id::text) from previews
    union all select 'preview_emails', array_agg(id::text) from preview_emails
    union all select 'preview_daily_usage', array_agg(team_id::text) from preview_daily_usage
    union all select 'invitations', array_agg(team_id::text) from invitations
    union all select 'setup_links', array_agg(convert_from(token_hash, 'UTF8')) from setup_links
    union all select 'rate_limits', array_agg(convert_from(subject, 'UTF8')) from rate_limits
    union all select 'receipts', array_agg(team_id::text) from receipts
    union all select 'trashed_blocks', array_agg(id::text) from trashed_blocks`
  expect(left.filter(({ rows }) => rows?.join() !== 'team_new')).toEqual([])
})
