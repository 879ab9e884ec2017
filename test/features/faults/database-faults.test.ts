import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { adapter as github } from '../../../integrations/github/adapter.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { cleanupJobs, scheduleCleanup } from '../../../src/jobs/cleanup.ts'
import { connect, type Sql, transaction } from '../../../src/lib/database/db.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { type Examples, examplesFor, pathOf, routes } from '../../support/browser/console-walk.ts'
import { type Person, signedIn } from '../../support/console.ts'
import { withoutTimeLimits } from '../../support/database/database.ts'
import { fieldNames } from '../../support/hostile/forged-forms.ts'
import { connectFakeProvider, createFakeAdapter } from '../../support/providers/fake-provider.ts'
import { until } from '../../support/until.ts'

let app: TestApp
/** Sessions of its own, because the service ends those whose database is read-only. */
let operator: Sql
let team: Team
let admin: Person
let examples: Examples
beforeAll(async () => {
  const adapters = [createFakeAdapter().adapter, github]
  app = await startApp({ adapters, forward: false, connections: 2 })
  operator = connect(app.database.address, { name: 'operator', max: 2, ...withoutTimeLimits })
  team = await app.team()
  admin = await signedIn(app, team, 'admin')
  examples = await examplesFor(app, team, 'Present')
  await app.sql`create table fault (code text)`
  await app.sql`
    create function fail() returns trigger language plpgsql as $$
    declare known text;
    begin
      select code into known from fault;
      if known is not null then raise exception 'fault' using errcode = known; end if;
      return null;
    end $$`
  const tables = await app.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not in ('fault', 'api_key_usage', 'rate_limits')`
  for (const { name } of tables) {
    await app.sql`
      create trigger fail before insert or update or delete on ${app.sql(name)}
      for each statement execute function fail()`
  }
})
afterAll(async () => {
  await operator.end()
  await app.close()
})

/** Runs `work` while every change of a row fails with an SQLSTATE. */
async function whileFailing<Result>(code: string, work: () => Promise<Result>): Promise<Result> {
  await operator`insert into fault (code) values (${code})`
  try {
    return await work()
  } finally {
    await operator`delete from fault`
  }
}

const states = {
  'The disk is full': '53100',
  'The memory is full': '53200',
  'Too many connections are open': '53300',
  'A file cannot be written': '58030',
  'The server is shut down': '57P01',
  'A statement takes too long': '57014',
  'A row stays locked': '55P03',
  'Two changes conflict again and again': '40001',
  'The database is read-only': '25006',
}

describe.each(Object.entries(states))('%s:', (_, code) => {
  test('the API, webhooks and forms get 503 with Retry-After, and nothing is stored', async () => {
    const call = client(app.base, await app.key(team, ['write']))
    const { send } = await connectFakeProvider(app, team)
    const item = { title: `Fault ${code}`, body: 'Text.' }
    const replies = await whileFailing(code, () =>
      Promise.all([
        call('POST', '/webhooks/ingest', item, { 'idempotency-key': code }),
        call('POST', '/content_blocks', item, { 'idempotency-key': code }),
        call('POST', '/newsletters', { title: item.title }),
        send({ id: code, items: [] }),
        admin.post('/library/new', { title: item.title, body: 'Text.', block_type: 'general' }),
        admin.post('/newsletters', { title: item.title, template_slug: 'clean' }),
      ]),
    )
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503, 503])
    for (const { headers } of replies) expect(headers.get('retry-after')).toBe('2')
    expect(
      await operator`
        select title from content_blocks where title like 'Fault%'
        union all select title from newsletters where title like 'Fault%'
        union all select delivery_id from deliveries where delivery_id = ${code}`,
    ).toHaveLength(0)
    const again = await until(async () => {
      // The service may still be ending sessions that were read-only.
      const reply = await call('POST', '/webhooks/ingest', item, { 'idempotency-key': code })
      return reply.status === 503 ? null : reply
    })
    expect([again.status, again.json.duplicate]).toEqual([201, false])
    await operator`delete from content_blocks where title like 'Fault%'`
  })

  test('a bulk request gets 503 as a whole', async () => {
    const call = client(app.base, await app.key(team, ['write']))
    const items = [
      { title: 'Fault', body: 'Text.' },
      { title: 'Fault', body: 'Text.' },
    ]
    const { status } = await whileFailing(code, () =>
      call('POST', '/webhooks/ingest/bulk', { items }),
    )
    expect(status).toBe(503)
  })
})

test.each(
  routes
    .filter(({ method, role }) => method === 'POST' && role !== null)
    .map((one) => [one.path, one] as const),
)('the form of %s gets no 500 while the database refuses every change', async (_, route) => {
  const common = { role: 'admin', grace: '0', to: 'ready', title: 'x', name: 'x', body: 'x' }
  const names = fieldNames(route).filter((name) => !(name in common) && name !== 'csrf')
  const fields = { ...Object.fromEntries(names.map((name) => [name, ''])), ...common }
  const { status } = await whileFailing('53100', () => admin.post(pathOf(route, examples), fields))
  expect(status).not.toBe(500)
})

test('a page and a form whose session cannot be read get 503, not 500', async () => {
  for (const request of [
    () => admin.get('/library'),
    () => admin.post('/account/password', { current: 'x', next: 'a new password of mine' }),
  ]) {
    // The lock is that of an operator: the transactions of the product end by themselves.
    const reply = await operator.begin(async (tx) => {
      await tx`lock table sessions in access exclusive mode`
      const sent = request()
      const pids = await until(async () => {
        // Not in the pool of the service, all of whose connections may wait for the lock.
        const rows = await operator<{ pid: number }[]>`
          select pid from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`
        return rows.length > 0 && rows.map(({ pid }) => pid)
      })
      await tx`select pg_terminate_backend(pid) from unnest(${pids}::integer[]) pid`
      return await sent
    })
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2'])
  }
})

test('an error has its page also when what the navigation shows cannot be read', async () => {
  await app.sql`alter table content_blocks rename to renamed_content_blocks`
  try {
    const reply = await admin.get('/library')
    expect(reply.status).toBe(500)
    expect(reply.html).toContain('class="error-page"')
  } finally {
    await app.sql`alter table renamed_content_blocks rename to content_blocks`
  }
})

test('requests wait while all connections of the pool are in use, and then succeed', async () => {
  const call = client(app.base, await app.key(team, ['read', 'write']))
  const ends = Promise.withResolvers<void>()
  const held = Array.from({ length: 2 }, () => transaction(app.sql, () => ends.promise))
  const requests = Array.from({ length: 20 }, (_, n) =>
    call('POST', '/content_blocks', { title: `Waits ${n}`, body: 'Text.' }),
  )
  ends.resolve()
  await Promise.all(held)
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([201]))
})

test('a cleanup job that fails is reported to the queue and stops no other', async () => {
  const jobs = new Map<string, () => Promise<unknown>>()
  const { queue, log } = app.forwarder
  await scheduleCleanup({
    sql: app.sql,
    storage: app.images.storage,
    log,
    queue: { ...queue, schedule: async (name, _cron, work) => void jobs.set(name, work) },
  })
  await app.sql`alter table receipts rename to receipts_elsewhere`
  const failed: string[] = []
  for (const [name, run] of jobs) await run().catch(() => failed.push(name))
  expect(failed).toEqual(['purge-receipts'])
  expect(jobs.size).toBe(cleanupJobs.length)
})
