import { afterEach, beforeEach, expect, test } from 'bun:test'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emailJobs } from '../../../src/jobs/emails.ts'
import { migrate } from '../../../src/lib/database/migrate.ts'
import { createLog } from '../../../src/lib/log.ts'
import { addMigrationJobs, startQueue } from '../../../src/lib/queue/index.ts'
import { createDatabase, type TestDatabase } from '../../support/database/database.ts'
import { dumpSchema } from '../../support/database/dump-schema.ts'

const migrations = fileURLToPath(new URL('../../../src/migrations', import.meta.url))
const rowsOf0014 = fileURLToPath(
  new URL('../../support/database/rows-of-0014.sql', import.meta.url),
)

/** The tables and columns that later migrations have renamed, by their name of release 0014. */
const renamedTables: Record<string, string> = {
  account_mails: 'account_emails',
  attempts: 'rate_limits',
  deleted_blocks: 'trashed_blocks',
  idempotency_holds: 'idempotency_locks',
  outbox: 'captured_emails',
  preview_counts: 'preview_daily_usage',
  preview_mails: 'preview_emails',
  told_news: 'item_sync_state',
}
const renamedColumns: Record<string, Record<string, string>> = {
  account_mails: { sealed: 'encrypted' },
  api_key_usage: { hits: 'recent_requests' },
  api_keys: { start: 'prefix', hash: 'token_hash' },
  attempts: { full_again_at: 'tat' },
  connections: { sealed: 'encrypted', hook_hash: 'webhook_token_hash' },
  deliveries: { transient: 'ephemeral_context' },
  idempotency_keys: { answer: 'response_body' },
  idempotency_holds: { holder: 'owner', held_until: 'locked_until' },
  newsletter_blocks: { sent_block: 'snapshot' },
  preview_counts: { mails: 'emails' },
  rollup_items: { place: 'sort_key' },
  told_news: { heard_at: 'received_at', as_of: 'source_updated_at' },
}

/** A column that nothing reads any more. */
const droppedColumns = new Set([
  'api_key_usage.accepted',
  ...['account_mails.attempts', 'account_mails.due_at'],
  ...['preview_mails.attempts', 'preview_mails.due_at'],
])

let database: TestDatabase
let folderOf0014: string
const folders: string[] = []

beforeEach(async () => {
  database = await createDatabase()
  await database.sql`drop schema public cascade`
  await database.sql`create schema public`
  folderOf0014 = await migrationsBefore('0015')
})

afterEach(async () => {
  await database.drop()
  while (folders.length > 0) await rm(folders.pop() ?? '', { recursive: true })
})

/** A folder with the migrations of an earlier release. */
async function migrationsBefore(next: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-migrations-'))
  folders.push(folder)
  for (const name of (await readdir(migrations)).filter((name) => name < next)) {
    await cp(join(migrations, name), join(folder, name))
  }
  return folder
}

type Row = Record<string, unknown>

/** All rows of all tables, as JSON and in the order of their text. */
async function readRows(): Promise<Record<string, Row[]>> {
  const { sql } = database
  const tables = await sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations'
    order by relname`
  const read = async ({ name }: { name: string }) => {
    const rows = await sql<{ row: Row }[]>`
      select to_jsonb(t) as row from ${sql(name)} t order by to_jsonb(t)::text`
    return [name, rows.map(({ row }) => row)] as const
  }
  return Object.fromEntries(await Promise.all(tables.map(read)))
}

/** Rows of release 0014 as they are to be found after the renames. */
function expected(rows: Record<string, Row[]>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(rows).map(([table, list]) => {
      const names = renamedColumns[table] ?? {}
      const renamed = list.map((row) =>
        Object.fromEntries(
          Object.entries(row)
            .filter(([name]) => !droppedColumns.has(`${table}.${name}`))
            .map(([name, value]) => [names[name] ?? name, value]),
        ),
      )
      return [renamedTables[table] ?? table, renamed.map((row) => expect.objectContaining(row))]
    }),
  )
}

test('a database of release 0014 with a row in every table migrates without losing a value', async () => {
  await migrate(database.sql, folderOf0014)
  await database.sql.unsafe(await Bun.file(rowsOf0014).text())
  const before = await readRows()
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])

  expect(await migrate(database.sql, migrations)).toContain('0016_standard_names.sql')

  expect(await readRows()).toEqual(expect.objectContaining(expected(before)))
})

test('emails that waited in release 0014 become jobs, each once however many processes start', async () => {
  const { sql, address } = database
  await migrate(sql, folderOf0014)
  await sql.unsafe(await Bun.file(rowsOf0014).text())
  const waiting = await sql<{ id: string }[]>`
    select id from preview_mails where status = 'queued' union all select id from account_mails`
  expect(waiting.length).toBeGreaterThan(0)
  await migrate(sql, migrations)
  const queue = await startQueue({
    database: address,
    types: emailJobs,
    log: createLog('silent'),
    supervise: false,
  })
  try {
    await Promise.all([1, 2, 3].map(() => addMigrationJobs(sql, queue)))
    const jobs = await sql<{ id: string }[]>`select data->>'emailId' as id from pgboss.job`
    expect(jobs.map(({ id }) => id).toSorted()).toEqual(waiting.map(({ id }) => id).toSorted())
  } finally {
    await queue.stop()
  }
})

test('text of dry runs and of routes that earlier releases stored on the server is deleted, and that of other forms stays', async () => {
  const { sql } = database
  await migrate(sql, folderOf0014)
  await sql.unsafe(await Bun.file(rowsOf0014).text())
  await migrate(sql, await migrationsBefore('0098'))
  const connection = `/integrations/cn_${'7'.repeat(32)}`
  const deleted = ['try', 'routes'].map((page) => `${connection}/${page} ${connection}/${page}`)
  const others = [
    `${connection}/settings ${connection}/settings`,
    '/integrations/connect/github /integrations/connect/github',
    '/library/new /library/new',
  ]
  for (const form of [...deleted, ...others]) {
    await sql`
      insert into form_drafts (team_id, member_id, form, content, saved_at)
      select team_id, id, ${form}, '[]', now() from members limit 1`
  }
  await migrate(sql, migrations)
  const left = await sql<{ form: string }[]>`select form from form_drafts`
  expect(left.map(({ form }) => form).toSorted()).toEqual(others.toSorted())
})

test('a migrated database has the schema of a new one', async () => {
  await migrate(database.sql, folderOf0014)
  await migrate(database.sql, migrations)
  expect(await dumpSchema(database.sql)).toBe(await Bun.file(join(migrations, 'schema.sql')).text())
})

test('a database that is newer than the code is refused', async () => {
  await migrate(database.sql, migrations)
  expect(migrate(database.sql, folderOf0014)).rejects.toThrow(
    /which this version of Tidings does not know/,
  )
})
