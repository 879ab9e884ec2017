/**
 * Runs the service with its embedded PostgreSQL under a constant load and causes one fault after another.
 * Every acknowledged block and every acknowledged webhook event must be stored exactly once. Prints the
 * counts; exits with 1 when something is missing, doubled, or when the service does not recover.
 *
 *   nice -n 10 bun bench/soak.ts [minutes]
 */

import { createHmac } from 'node:crypto'
import { openEmbedded } from '../src/embedded-postgres/index.ts'
import { connect, type Sql } from '../src/lib/db.ts'
import { createLog } from '../src/lib/log.ts'
import { until } from '../test/support/fake-provider.ts'
import { createDataDir, type ServiceProcess, startProcess } from '../test/support/process.ts'

const minutes = Number(process.argv[2] ?? 5)
const clients = 8
const pauseMs = 1_100
const recoverySeconds = 60

const folder = await createDataDir()
let service: ServiceProcess = startProcess(folder.path)
let base = await service.ready()
const embedded = await openEmbedded({ dataDir: folder.path, log: createLog('silent') })
const address = embedded.connection

const tidings = async (...input: string[]): Promise<string> => {
  const command = Bun.spawn(['bun', 'src/cli.ts', ...input], {
    env: { ...process.env, DATA_DIR: folder.path },
    stderr: 'ignore',
  })
  return (await new Response(command.stdout).text()).trim()
}

await tidings('team', 'create', '--slug', 'acme', '--name', 'Acme')
const newKey = ['key', 'create', '--team', 'acme', '--scopes', 'read,write']
const keys = await Promise.all(
  Array.from({ length: clients }, (_, index) => tidings(...newKey, '--name', `client ${index}`)),
)
const newConnection = ['connection', 'create', '--team', 'acme', '--adapter', 'github', '--json']
const connection = JSON.parse(await tidings(...newConnection))
const hookPath = new URL(connection.url).pathname

const hookSecret = String(connection.generated.secret)

const counts = { acknowledged: 0, events: 0, unavailable: 0, unreachable: 0, other: 0 }
const blocks = new Set<string>()
let isOver = false

/** Sends a request until it is acknowledged, as a careful client does. */
async function sendUntilAcknowledged(path: string, init: RequestInit): Promise<void> {
  for (;;) {
    const response = await fetch(base + path, {
      ...init,
      signal: AbortSignal.timeout(15_000),
    }).catch(() => null)
    if (response?.ok) return
    if (response === null) counts.unreachable++
    else if (response.status === 503 || response.status === 429) counts.unavailable++
    else counts.other++
    // A client waits before it repeats a request; the service may just be starting.
    await Bun.sleep(pauseMs)
  }
}

async function ingest(client: number, key: string): Promise<void> {
  for (let n = 0; !isOver; n++) {
    const id = `soak-${client}-${n}`
    const body = JSON.stringify({ title: id, body: 'Something happened.', external_id: id })
    const headers = {
      authorization: `Bearer ${key}`,
      ...{ 'content-type': 'application/json', 'idempotency-key': id },
    }
    await sendUntilAcknowledged('/api/v1/webhooks/ingest', { method: 'POST', headers, body })
    blocks.add(id)
    counts.acknowledged++
    // A soak runs for long at a moderate load, so that faults and not throughput decide.
    await Bun.sleep(pauseMs)
  }
}

const fixture = await Bun.file('integrations/github/fixtures/release.published.json').json()
const release = (n: number) => ({
  ...fixture.body,
  release: { ...fixture.body.release, id: n, name: `Soak ${n}`, tag_name: `v${n}.0.0` },
})

async function sendReleases(): Promise<void> {
  for (let n = 1; !isOver; n++) {
    const body = JSON.stringify(release(n))
    const signature = createHmac('sha256', hookSecret).update(body).digest('hex')
    const headers = {
      ...{ 'x-github-event': 'release', 'x-github-delivery': `soak-${n}` },
      ...{ 'x-hub-signature-256': `sha256=${signature}`, 'content-type': 'application/json' },
    }
    await sendUntilAcknowledged(hookPath, { method: 'POST', headers, body })
    counts.events++
    // Half as often as blocks, because each event becomes a delivery and a block.
    await Bun.sleep(2 * pauseMs)
  }
}

const postmaster = async (): Promise<number> => {
  const text = await Bun.file(`${folder.path}/postgres/data/postmaster.pid`).text()
  return Number(text.split('\n')[0])
}

/** Runs work on a connection of its own, which the fault may break. */
async function withDatabase(work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = connect(address, { name: 'soak', max: 1, session: { statement_timeout: 0 } })
  await work(sql).catch(() => {})
  await sql.end({ timeout: 1 })
}

async function restart(signal: NodeJS.Signals): Promise<void> {
  const port = new URL(base).port
  service.process.kill(signal)
  await service.exited
  service = startProcess(folder.path, { PORT: port })
  base = await service.ready()
}

const faults: Record<string, () => Promise<void>> = {
  'kill -9 of the service': () => restart('SIGKILL'),
  'kill -9 of PostgreSQL': async () => void process.kill(await postmaster(), 'SIGKILL'),
  'stop and start': () => restart('SIGTERM'),
  'all sessions of the database end': () =>
    withDatabase(
      (sql) => sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'tidings%' and pid <> pg_backend_pid()`,
    ),
  'the table of blocks is locked for 12 s': () =>
    withDatabase(
      (sql) => sql`
      do $$ begin lock table content_blocks in access exclusive mode; perform pg_sleep(12); end $$`,
    ),
  'the service is frozen for 5 s': async () => {
    service.process.kill('SIGSTOP')
    // The fault itself: for these 5 s nothing in the process runs.
    await Bun.sleep(5_000)
    service.process.kill('SIGCONT')
  },
  'standard output is closed': () => service.closeOutput(),
}

const report: Record<string, string> = {}
const load = Promise.all([...keys.map((key, index) => ingest(index, key)), sendReleases()])
const endAt = Date.now() + minutes * 60_000
while (Date.now() < endAt) {
  for (const [name, cause] of Object.entries(faults)) {
    const startedAt = Date.now()
    await cause()
    const before = { ...counts }
    const recovers = async () =>
      counts.acknowledged >= before.acknowledged + 10 && counts.events > before.events
    const hasRecovered = await until(recovers, recoverySeconds).catch(() => false)
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    report[name] = hasRecovered ? `works again, ${seconds} s` : 'does not recover'
    process.stderr.write(`${name}: ${report[name]}; ${JSON.stringify(counts)}\n`)
  }
}
isOver = true
await load

const sql = connect(address, { name: 'soak', max: 1 })
const waits = async () =>
  (await sql`select from deliveries where status = 'waiting' limit 1`).length === 0
const isDelivered = await until(waits, 180).catch(() => false)
const rows = await sql<{ title: string; copies: number }[]>`
  select title, count(*)::int as copies from content_blocks where title like 'soak-%' group by title`
const stored = new Set(rows.map(({ title }) => title))
const [releases] = await sql<{ blocks: number; doubled: number }[]>`
  select count(*)::int as blocks, (count(*) - count(distinct external_id))::int as doubled
  from content_blocks where external_id like 'github:release:%'`
await sql.end()
const result = {
  ...{ minutes, counts, faults: report, isDelivered },
  missing: [...blocks].filter((id) => !stored.has(id)).length,
  doubled: rows.filter(({ copies }) => copies > 1).length,
  events: { acknowledged: counts.events, ...releases },
}
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
service.process.kill('SIGTERM')
await service.exited
await embedded.close()
await folder.remove()
const isComplete = result.missing + result.doubled + (releases?.doubled ?? 1) === 0
const isForwarded = isDelivered && releases?.blocks === counts.events
process.exit(
  isComplete && isForwarded && !Object.values(report).includes('does not recover') ? 0 : 1,
)
