import { afterAll, beforeAll, expect, test } from 'bun:test'
import { adapter as github } from '../../integrations/github/adapter.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { firstIdAt } from '../../src/lib/ids.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type Examples, examplesFor, pathOf, routes } from '../support/browser/console-walk.ts'
import { type Person, signedIn } from '../support/console.ts'
import { unlimitedClient } from '../support/newsletters.ts'

// Rows and index entries read are counted, so the result does not depend on the machine.

/** More than a list counts. */
const rows = 12_000
/** What reads fewer has a limit. */
const most = 11_500

let app: TestApp
let admin: Person
let call: Awaited<ReturnType<typeof unlimitedClient>>
let examples: Examples

beforeAll(async () => {
  app = await startApp({ connections: 1, adapters: [github], forward: false })
  const team = await app.team()
  admin = await signedIn(app, team, 'admin')
  call = await unlimitedClient(app, team)
  examples = await examplesFor(app, team, 'Northwind')
  const { sql } = app
  // Only the rows are of interest, not what they refer to.
  await sql`set session_replication_role = replica`
  for (const [table, columns] of Object.entries(manyRows(team.id, examples))) {
    const names = Object.keys(columns).join(', ')
    const values = Object.values(columns).join(', ')
    await sql.unsafe(
      `insert into ${table} (${names}) select ${values} from generate_series(1, ${rows}) n`,
    )
  }
  await sql`set session_replication_role = origin`
  await sql`analyze`
})
afterAll(() => app.close())

/** The columns of many rows of a team, as expressions of the row's number `n`, by table. */
function manyRows(teamId: string, { integrations = '', members = '' }: Examples) {
  const team_id = `'${teamId}'`
  const connection_id = `'${integrations}'`
  const member_id = `'${members}'`
  const block_id = `'cb_' || lpad(to_hex(n), 32, '0')`
  const newsletter_id = `'nl_' || lpad(to_hex(n), 32, '0')`
  const now = 'now()'
  const text = `'x'`
  const content = `'{}'`
  const changes = `'{}'`
  const auditStart = firstIdAt('au', systemClock()).slice(0, -8)
  return {
    audit_log: {
      id: `'${auditStart}' || lpad(to_hex(n), 8, '0')`,
      team_id,
      action: text,
      actor: text,
      created_at: now,
    },
    block_assignments: { team_id, block_id, member_id, created_at: now },
    block_comments: {
      id: `'bc_' || n`,
      team_id,
      block_id,
      member_id,
      body: text,
      created_at: now,
    },
    block_versions: { team_id, block_id, version: 1, content, changes, created_at: now },
    captured_emails: {
      id: `'ml_' || n`,
      team_id,
      recipient: text,
      subject: text,
      html: text,
      text,
      created_at: now,
    },
    chat_messages: {
      id: `'cm_' || n`,
      team_id,
      connection_id,
      kind: `'published'`,
      recipient: text,
      subject: `'x' || n`,
      status: `(array['sent', 'failed'])[1 + n % 2]`,
      created_at: now,
      settled_at: now,
    },
    deliveries: {
      id: `'dl_' || lpad(to_hex(n), 32, '0')`,
      team_id,
      connection_id,
      delivery_id: `'x' || n`,
      status: `(array['delivered', 'ignored', 'failed'])[1 + n % 3]`,
      received_at: now,
      settled_at: now,
    },
    images: {
      id: `'im_' || n`,
      team_id,
      hash: `lpad(to_hex(n), 64, '0')`,
      type: `'png'`,
      bytes: 1,
      width: 1,
      height: 1,
      created_at: now,
    },
    newsletter_versions: { team_id, newsletter_id, version: 1, content, changes, created_at: now },
    newsletters: {
      id: newsletter_id,
      team_id,
      title: `'Issue ' || n`,
      template_slug: `'clean'`,
      status: `(array['draft', 'sent'])[1 + n % 2]`,
      sent_at: `case when n % 2 = 1 then now() end`,
      sent_html: `case when n % 2 = 1 then 'x' end`,
      sent_text: `case when n % 2 = 1 then 'x' end`,
      created_at: now,
      updated_at: now,
    },
    previews: {
      id: `'pv_' || n`,
      team_id,
      newsletter_id,
      member_id,
      subject: text,
      html: text,
      text,
      queued_at: now,
    },
    receipts: { team_id, block_id, token: `lpad(n::text, 32, 'a')`, created_at: now },
    sessions: {
      id: `'s' || n`,
      account_id: `'a' || n`,
      token: `'t' || n`,
      created_at: now,
      updated_at: now,
      expires_at: `now() + interval '1 day'`,
    },
  }
}

/** How many rows and index entries of each table have been read so far. */
async function readsByTable(): Promise<Map<string, number>> {
  await app.sql`select pg_stat_force_next_flush()`
  const read = await app.sql<{ name: string; read: number }[]>`
    select t.relname as name, (t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0))::int as read
    from pg_stat_user_tables t left join pg_stat_user_indexes i on i.relid = t.relid
    where t.schemaname = 'public' group by t.relid, t.relname, t.seq_tup_read`
  return new Map(read.map(({ name, read }) => [name, read]))
}

/** The tables of which a request reads nearly all rows or more. */
async function tablesReadBy(request: () => Promise<unknown>): Promise<string[]> {
  const before = await readsByTable()
  await request()
  const after = await readsByTable()
  return [...after].flatMap(([name, read]) =>
    read - (before.get(name) ?? 0) > most ? [`${name}: ${read - (before.get(name) ?? 0)}`] : [],
  )
}

test('no page of the console reads all rows of a table that grows', async () => {
  const paths = routes
    .filter(({ method, role }) => method === 'GET' && role !== null)
    .map((route) => pathOf(route, examples))
  const large: Record<string, string[]> = {}
  for (const path of paths) {
    const tables = await tablesReadBy(() => admin.get(path))
    if (tables.length > 0) large[path] = tables
  }
  expect(large).toEqual({})
  expect(paths.length).toBeGreaterThan(80)
})

test.each(['/newsletters', '/newsletters/new'])(
  '%s reads few newsletters, and does not count the others',
  async (path) => {
    const before = await readsByTable()
    await admin.get(path)
    const read = (await readsByTable()).get('newsletters') ?? 0
    expect(read - (before.get('newsletters') ?? 0)).toBeLessThan(200)
  },
)

test('no list of the API reads all rows of a table that grows', async () => {
  const document: { paths: Record<string, { get?: object }> } = JSON.parse(
    await (await fetch(`${app.base}/openapi.json`)).text(),
  )
  const paths = Object.keys(document.paths).filter(
    (path) => document.paths[path]?.get && !path.includes('{'),
  )
  const large: Record<string, string[]> = {}
  for (const path of paths) {
    const tables = await tablesReadBy(() => call('GET', path.replace('/api/v1', '')))
    if (tables.length > 0) large[path] = tables
  }
  expect(large).toEqual({})
  expect(paths.length).toBeGreaterThan(5)
})
