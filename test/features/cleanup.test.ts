import { afterAll, beforeAll, expect, test } from 'bun:test'
import { folderStorage } from '../../src/features/images/index.ts'
import { cleanupJobs } from '../../src/jobs/cleanup.ts'
import { daysBefore, isoWeek, systemClock, utcDay } from '../../src/lib/clock.ts'
import { firstIdAt } from '../../src/lib/ids.ts'
import { createDatabase, type TestDatabase } from '../support/database/database.ts'
import { temporaryFolder } from '../support/run/test-run.ts'

/** Tables without a retention period: what people or operators create, which stays until they delete it. */
const kept = [
  'app_installations',
  'socket_leases',
  'polled_sources',
  ...['accounts', 'api_key_usage', 'api_keys', 'connections', 'content_blocks', 'credentials'],
  'connection_routes',
  'content_block_counts',
  'content_block_changes',
  ...[
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
    'prompt_channels',
    'prompt_schedules',
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

/** Inserts the rows that those of the tables with a retention period refer to. */
async function insertOwners({ sql }: TestDatabase, { name, at }: OwnedRow): Promise<void> {
  await sql`insert into teams (id, slug, name, created_at) values (${name}, ${name}, 'x', ${at})`
  await sql`insert into members (id, team_id, email, name, role, created_at) values (${name}, ${name}, 'a@b.test', 'x', 'admin', ${at})`
  await sql`insert into accounts (id, email, name, created_at, updated_at) values (${name}, ${`${name}@b.test`}, 'x', ${at}, ${at})`
  await sql`insert into api_keys (id, team_id, name, prefix, scopes, token_hash, created_at) values (${name}, ${name}, 'x', 'x', '{}', ${Buffer.from(name)}, ${at})`
  await sql`insert into connections (id, team_id, adapter, api_key_id, settings, encrypted, webhook_token_hash, created_at) values (${name}, ${name}, 'generic', ${name}, '{}', ${Buffer.from('x')}, ${Buffer.from(name)}, ${at})`
  await sql`insert into newsletters (id, team_id, title, template_slug, created_at, updated_at) values (${name}, ${name}, 'x', 'clean', ${at}, ${at})`
}

interface OwnedRow {
  /** The team of the row, and its other keys. */
  name: string
  at: Date
}

const later = (at: Date) => new Date(at.getTime() + 60_000)

/** One row for each table with a retention period, whose time is `at`. */
const rowsAt = (
  sql: TestDatabase['sql'],
  { name, at }: OwnedRow,
): Record<string, () => PromiseLike<unknown>> => ({
  account_changes: () =>
    sql`insert into account_changes (id, account_id, change, created_at) values (${name}, ${name}, 'passkey_added', ${at})`,
  account_emails: () =>
    sql`insert into account_emails (id, team_id, encrypted, created_at, expires_at) values (${name}, ${name}, 'x', ${at}, ${later(at)})`,
  account_tokens: () =>
    sql`insert into account_tokens (id, identifier, value, created_at, updated_at, expires_at) values (${name}, ${name}, 'x', ${at}, ${at}, ${later(at)})`,
  ai_usage: () =>
    sql`insert into ai_usage (team_id, period, used) values (${name}, ${utcDay(at)}, 1)`,
  audit_log: () =>
    sql`insert into audit_log (id, team_id, action, actor, created_at) values (${firstIdAt('au', at)}, ${name}, 'x', 'x', ${at})`,
  block_versions: () =>
    sql`insert into block_versions (team_id, block_id, version, content, changes, created_at) values (${name}, ${name}, 1, '{}', '{}', ${at})`,
  newsletter_versions: () =>
    sql`insert into newsletter_versions (team_id, newsletter_id, version, content, changes, created_at) values (${name}, ${name}, 1, '{}', '{}', ${at})`,
  block_assignments: () =>
    sql`insert into block_assignments (team_id, block_id, member_id, created_at) values (${name}, ${name}, ${name}, ${at})`,
  block_comments: () =>
    sql`insert into block_comments (id, team_id, block_id, member_id, body, created_at) values (${name}, ${name}, ${name}, ${name}, 'x', ${at})`,
  block_contributors: () =>
    sql`insert into block_contributors (team_id, block_id, connection_id, user_id, role, from_private, created_at) values (${name}, ${firstIdAt('cb', at)}, ${name}, 'x', 'sender', false, ${at})`,
  captured_emails: () =>
    sql`insert into captured_emails (id, team_id, recipient, subject, html, text, created_at) values (${name}, ${name}, 'x', 'x', 'x', 'x', ${at})`,
  chat_conversations: () =>
    sql`insert into chat_conversations (team_id, connection_id, conversation, delivery_id, user_id, from_private, questions, texts, people, updated_at) values (${name}, ${name}, 'x', ${name}, 'x', true, 0, '{}', '{}', ${at})`,
  chat_homes: () =>
    sql`insert into chat_homes (team_id, connection_id, user_id, is_editor, fingerprint, opened_at) values (${name}, ${name}, 'x', false, 'x', ${at})`,
  chat_messages: () =>
    sql`insert into chat_messages (id, team_id, connection_id, kind, recipient, subject, status, created_at, settled_at) values (${name}, ${name}, ${name}, 'review', 'x', 'x', 'sent', ${at}, ${at})`,
  chat_people: () =>
    sql`insert into chat_people (team_id, connection_id, user_id, updated_at) values (${name}, ${name}, 'x', ${at})`,
  deliveries: () =>
    sql`insert into deliveries (id, team_id, connection_id, delivery_id, status, received_at, settled_at) values (${firstIdAt('dl', at)}, ${name}, ${name}, 'x', 'delivered', ${at}, ${at})`,
  draft_reviews: () =>
    sql`insert into draft_reviews (team_id, connection_id, block_id, title, created_at) values (${name}, ${name}, ${name}, 'x', ${at})`,
  events: () =>
    sql`insert into events (team_id, slug, name, event_date, category, source_updated_at, created_at) values (${name}, 'x', 'x', ${utcDay(at)}, 'corporate', ${at}, ${at})`,
  form_submissions: () =>
    sql`insert into form_submissions (team_id, member_id, hash, location, cookies, created_at) values (${name}, ${name}, ${Buffer.alloc(32)}, '/', '{}', ${at})`,
  signed_out_submissions: () =>
    sql`insert into signed_out_submissions (hash, created_at) values (${Buffer.from(name.padEnd(32).slice(0, 32))}, ${at})`,
  form_drafts: () =>
    sql`insert into form_drafts (team_id, member_id, form, content, saved_at) values (${name}, ${name}, 'x', 'x', ${at})`,
  idempotency_keys: () =>
    sql`insert into idempotency_keys (api_key_id, path, key, request_hash, status, response_body, created_at) values (${name}, 'x', 'x', 'x', 201, '{}', ${at})`,
  idempotency_locks: () =>
    sql`insert into idempotency_locks (api_key_id, path, key, owner, locked_until) values (${name}, 'x', 'x', 'x', ${at})`,
  images: () =>
    sql`insert into images (id, team_id, hash, type, bytes, width, height, created_at, unreferenced_since) values (${name}, ${name}, ${'0'.repeat(64)}, 'png', 1, 1, 1, ${at}, ${at})`,
  invitations: () =>
    sql`insert into invitations (token_hash, team_id, member_id, expires_at, created_at) values (${Buffer.from(name)}, ${name}, ${name}, ${later(at)}, ${at})`,
  item_sync_state: () =>
    sql`insert into item_sync_state (team_id, connection_id, external_id, delivery_id, received_at, source_updated_at) values (${name}, ${name}, 'x', 'x', ${at}, ${at})`,
  newsletter_reminders: () =>
    sql`insert into newsletter_reminders (team_id, newsletter_id, planned_date, created_at) values (${name}, ${name}, ${utcDay(at)}, ${at})`,
  newsletter_slots: () =>
    sql`insert into newsletter_slots (team_id, newsletter_id, planned_date, created_at) values (${name}, ${name}, ${utcDay(at)}, ${at})`,
  notification_emails: () =>
    sql`insert into notification_emails (id, team_id, member_id, subject, html, text, created_at) values (${name}, ${name}, ${name}, 'x', 'x', 'x', ${at})`,
  one_time_tokens: () =>
    sql`insert into one_time_tokens (token_hash, team_id, purpose, data, expires_at) values (${Buffer.from(name)}, ${name}, 'install_app', '{}', ${later(at)})`,
  previews: () =>
    sql`insert into previews (id, team_id, newsletter_id, member_id, subject, html, text, queued_at) values (${name}, ${name}, 'nl', ${name}, 'x', 'x', 'x', ${at})`,
  preview_daily_usage: () =>
    sql`insert into preview_daily_usage (team_id, day, emails) values (${name}, ${utcDay(at)}, 1)`,
  preview_emails: () =>
    sql`insert into preview_emails (id, team_id, preview_id, recipient) values (${name}, ${name}, ${name}, 'x')`,
  polled_entries: async () => {
    await sql`insert into polled_sources (team_id, connection_id, read_at) values (${name}, ${name}, now())`
    await sql`insert into polled_entries (team_id, connection_id, key, version, source_hash, seen_at) values (${name}, ${name}, 'x', '', ${Buffer.alloc(32)}, ${at})`
  },
  preview_links: () =>
    sql`insert into preview_links (team_id, token_hash, newsletter_id, created_at) values (${name}, ${Buffer.alloc(32)}, ${name}, ${at})`,
  rate_limits: () =>
    sql`insert into rate_limits (subject, tat) values (${Buffer.from(name)}, ${later(at)})`,
  prompts: () =>
    sql`insert into prompts (team_id, connection_id, message_id, channel, day, created_at) values (${name}, ${name}, ${name}, 'x', '2026-01-01', ${at})`,
  prompt_replies: () =>
    sql`insert into prompt_replies (team_id, message_id, block_id) values (${name}, ${name}, ${name})`,
  receipts: () =>
    sql`insert into receipts (team_id, block_id, token, created_at) values (${name}, ${name}, ${name.padEnd(32)}, ${at})`,
  rollup_items: () =>
    sql`insert into rollup_items (team_id, connection_id, external_id, block_id, heading, sort_key) values (${name}, ${name}, 'x', 'x', 'x', ${firstIdAt('dl', at)})`,
  rollups: () =>
    sql`insert into rollups (team_id, connection_id, group_key, week, block_id, title) values (${name}, ${name}, 'x', ${isoWeek(at)}, 'x', 'x')`,
  sessions: () =>
    sql`insert into sessions (id, account_id, token, created_at, updated_at, expires_at) values (${name}, ${name}, ${name}, ${at}, ${at}, ${later(at)})`,
  setup_links: () =>
    sql`insert into setup_links (token_hash, created_at) values (${Buffer.from(name)}, ${at})`,
  trashed_blocks: () =>
    sql`insert into trashed_blocks (id, team_id, block, deleted_at) values (${name}, ${name}, '{}', ${at})`,
})

/** Tables without a column that names the team, and the column that names the row. */
const namedBy: Record<string, string> = {
  account_changes: 'id',
  account_tokens: 'id',
  idempotency_keys: 'api_key_id',
  idempotency_locks: 'api_key_id',
  rate_limits: "convert_from(subject, 'UTF8')",
  sessions: 'id',
  setup_links: "convert_from(token_hash, 'UTF8')",
  signed_out_submissions: "rtrim(convert_from(hash, 'UTF8'))",
}

test('the cleanup deletes what is older than its retention period, and nothing newer, from each table', async () => {
  const { sql } = database
  const now = systemClock()
  // People of a chat stay as long as its connection, so that of the old rows is removed.
  const old = { name: 'team_old', at: daysBefore(now, 500) }
  const recent = { name: 'team_new', at: now }
  for (const row of [old, recent]) {
    await insertOwners(database, row)
    for (const insert of Object.values(rowsAt(sql, row))) await insert()
  }
  await sql`update connections set removed_at = ${now}, encrypted = null where id = 'team_old'`
  const cleaned = cleanupJobs.flatMap((job) => job.tables)
  expect(Object.keys(rowsAt(sql, recent)).toSorted()).toEqual(cleaned.toSorted())
  const storage = folderStorage(await temporaryFolder('media'))
  // Comments are deleted in the night after their block was purged.
  for (const { run } of [...cleanupJobs, ...cleanupJobs]) {
    await run({ sql, now: systemClock, storage })
  }
  const left = Object.fromEntries(
    await Promise.all(
      cleaned.map(async (table) => {
        const name = namedBy[table] ?? 'team_id'
        const rows = await sql.unsafe<{ name: string }[]>(
          `select (${name})::text as name from ${table} order by 1`,
        )
        return [table, rows.map((row) => row.name)]
      }),
    ),
  )
  expect(left).toEqual(Object.fromEntries(cleaned.map((table) => [table, ['team_new']])))
})

test('every cleanup job finds what it deletes by an index', async () => {
  // One connection: its statistics are complete when it has flushed them.
  const own = await createDatabase(1)
  const { sql } = own
  const row = { name: 'team_new', at: systemClock() }
  await insertOwners(own, row)
  for (const insert of Object.values(rowsAt(sql, row))) await insert()
  // PostgreSQL reads a small table as a whole, even with an index that fits.
  await sql`set enable_seqscan = off`
  const readAsWhole = async (): Promise<string[]> => {
    await sql`select pg_stat_force_next_flush()`
    const tables = await sql<{ name: string; scans: number }[]>`
      select relname as name, seq_scan::int as scans from pg_stat_user_tables
      where schemaname = 'public' order by 1`
    return tables.map(({ name, scans }) => `${name}: ${scans}`)
  }
  const before = await readAsWhole()
  const storage = folderStorage(await temporaryFolder('media'))
  for (const { run } of cleanupJobs) await run({ sql, now: systemClock, storage })
  expect(await readAsWhole()).toEqual(before)
  await own.drop()
})

test('the cleanup deletes more rows than one statement may delete, slice by slice', async () => {
  const own = await createDatabase(1)
  const { sql } = own
  const old = { name: 'team_old', at: daysBefore(systemClock(), 500) }
  await insertOwners(own, old)
  await sql`
    insert into deliveries (id, team_id, connection_id, delivery_id, status, received_at, settled_at)
    select 'dl_' || n, ${old.name}, ${old.name}, n, 'delivered', ${old.at}, ${old.at} from generate_series(1, 20001) n`
  await sql`
    insert into idempotency_keys (api_key_id, path, key, request_hash, status, response_body, created_at)
    select ${old.name}, 'x', n, 'x', 201, '{}', ${old.at} from generate_series(1, 20001) n`
  await sql`
    insert into audit_log (id, team_id, action, actor, created_at)
    select ${firstIdAt('au', old.at)} || n, ${old.name}, 'x', 'x', ${old.at} from generate_series(1, 20001) n`
  await sql`
    create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > 10000 then raise exception 'too many rows for one statement'; end if;
      return null;
    end $$`
  const tables = ['deliveries', 'idempotency_keys', 'audit_log']
  for (const table of tables)
    await sql`
      create trigger refuse_many after delete on ${sql(table)} referencing old table as gone
      for each statement execute function refuse_many()`
  const storage = folderStorage(await temporaryFolder('media'))
  const jobs = cleanupJobs.filter((job) => job.tables.some((table) => tables.includes(table)))
  for (const { run } of jobs) await run({ sql, now: systemClock, storage })
  for (const table of tables)
    expect([table, (await sql`select from ${sql(table)} limit 1`).length]).toEqual([table, 0])
  await own.drop()
})
