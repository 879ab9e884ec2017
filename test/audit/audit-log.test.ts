import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { adapter as github } from '../../integrations/github/adapter.ts'
import { adapter as mattermost } from '../../integrations/mattermost/adapter.ts'
import { adapter as slack } from '../../integrations/slack/adapter.ts'
import type { Team } from '../../src/features/teams/index.ts'
import type { Sql } from '../../src/lib/database/db.ts'
import { client, type TestApp } from '../support/app.ts'
import { routes } from '../support/browser/console-walk.ts'
import { signedIn } from '../support/console.ts'
import { type Installation, install } from '../support/processes/cli.ts'
import { type FakeProvider, startProvider } from '../support/providers/ai-provider.ts'
import { operations } from '../support/response-check.ts'
import { apiOperations } from './api-operations.ts'
import { cliOperations } from './cli-operations.ts'
import { consoleOperations } from './console-operations.ts'
import type { AuditSetup, OperationCase, RecordedOperation } from './operation.ts'

let provider: FakeProvider
let at: Installation
let setup: AuditSetup
let adminName = ''

beforeAll(async () => {
  provider = startProvider()
  const ai = { baseUrl: provider.baseUrl, apiKey: null, model: 'test-model' }
  at = await install({ adapters: [github, mattermost, slack], forward: false, ai })
  const { app, tidings } = at
  const team = await app.team()
  const api = await newClient(app, team)
  const admin = await signedIn(app, team, 'admin', { name: 'Ada' })
  adminName = `Ada (${admin.email})`
  setup = { app, team, api, admin, tidings }
  // The first command stores a check of the secret.
  await tidings('team', 'list')
})
afterAll(async () => {
  await at.remove()
  await provider.close()
})

/**
 * A client with a key of its own, because the limit of one key is smaller than this test. Earlier keys
 * expire, because a team can have 100 active keys.
 */
async function newClient(app: TestApp, team: Team) {
  await app.sql`
    update api_keys set expires_at = now() where team_id = ${team.id} and name = 'test key'`
  return client(app.base, await app.key(team, ['read', 'write', 'send_preview']))
}

const changing = ({ method }: { method: string }) => method !== 'GET' && method !== 'HEAD'
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

describe('The table of operations', () => {
  test('the table of operations names every route of the API that changes data', () => {
    expect(Object.keys(apiOperations).toSorted()).toEqual(
      operations.filter(changing).map(nameOf).toSorted(),
    )
  })

  test('the table of operations names every form of the console', () => {
    const forms = Object.keys(consoleOperations).filter((name) => !name.startsWith('GET '))
    expect(forms.toSorted()).toEqual(routes.filter(changing).map(nameOf).toSorted())
  })

  test('the table of operations names every command', async () => {
    const { out } = await at.tidings('--help')
    const listed = [...out.matchAll(/^ {2}([a-z]+(?: [a-z-]+)?)(?= )/gm)].map(([, name]) => name)
    expect(listed).toEqual(Object.keys(cliOperations))
  })
})

const recordedOf = (table: Record<string, OperationCase | readonly RecordedOperation[]>) =>
  Object.entries(table).flatMap(([name, found]) =>
    [found]
      .flat()
      .flatMap((one) =>
        typeof one === 'string' ? [] : [[`${name} (${one.actions.join(', ')})`, one] as const],
      ),
  )

describe.each(recordedOf(apiOperations))('%s with an API key', (name, operation) => {
  test(`${name} is rolled back without its audit log entry, and stored together with it`, () =>
    expectRecorded(operation, 'test key'))
})

describe.each(recordedOf(consoleOperations))('%s in the console', (name, operation) => {
  test(`${name} is rolled back without its audit log entry, and stored together with it`, () =>
    expectRecorded(operation, adminName))
})

describe.each(recordedOf(cliOperations))('tidings %s', (name, operation) => {
  test(`${name} is rolled back without its audit log entry, and stored together with it`, () =>
    expectRecorded(operation, 'The command line'))
})

/**
 * Runs an operation while the database refuses audit log entries, which must change nothing, and again
 * without the refusal, which must write the entries.
 */
async function expectRecorded(operation: RecordedOperation, actor: string): Promise<void> {
  const { app, team } = setup
  const { sql } = app
  const run = await operation.prepare({ ...setup, api: await newClient(app, team) })
  const before = await rowsOf(sql)
  const last = await lastEntry(sql)
  await sql`alter table audit_log add constraint refused_by_test check (false) not valid`
  const failed = await run().finally(
    () => sql`alter table audit_log drop constraint refused_by_test`,
  )
  expect(failed).toSatisfy(isFailure)
  expect(await rowsOf(sql)).toEqual(before)
  expect(await run()).not.toSatisfy(isFailure)
  const entries = await sql<{ action: string; actor: string }[]>`
    select action, actor from audit_log where id > ${last} order by id`
  expect(entries.map((entry) => ({ ...entry }))).toEqual(
    operation.actions.map((action) => ({ action, actor })),
  )
}

/** True for an internal error of the service or of a command. */
const isFailure = (result: unknown): boolean =>
  typeof result === 'object' &&
  result !== null &&
  (('status' in result && Number(result.status) >= 400) || ('code' in result && result.code === 1))

async function lastEntry(sql: Sql): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select max(id) as id from audit_log`
  return row?.id ?? ''
}

/** Tables that a request changes although its operation fails, and the log itself. */
const exempt = new Set(['audit_log', 'api_key_usage', 'rate_limits', 'sessions'])

/** A hash of the rows of each table. */
async function rowsOf(sql: Sql): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`
  const hashes = tables
    .filter(({ name }) => !exempt.has(name))
    .map(async ({ name }) => {
      const [row] = await sql<{ hash: string }[]>`
        select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash
        from ${sql(name)} t`
      return [name, row?.hash ?? ''] as const
    })
  return Object.fromEntries(await Promise.all(hashes))
}
