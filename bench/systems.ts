import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../src/embedded-postgres/index.ts'
import { hashToken, newToken, prefixOf } from '../src/features/api-keys/token.ts'
import { createTeam } from '../src/features/teams/index.ts'
import { systemClock } from '../src/lib/clock.ts'
import { connect, type DatabaseAddress, type Sql } from '../src/lib/database/db.ts'
import { newId } from '../src/lib/ids.ts'
import { createLog } from '../src/lib/log.ts'

/** A server to measure. */
export interface System {
  name: 'bare' | 'drizzle' | 'tidings'
  port: number
  pid: number
  tokens: readonly string[]
  /** How many blocks its table contains. */
  countBlocks(): Promise<number>
  /** Makes every key start with an empty rate limit window. */
  resetLimits(): Promise<void>
  stop(): Promise<void>
}

export interface Systems {
  /** Connected to the database of Tidings. */
  sql: Sql
  /** Connected to the database of the baselines. */
  bareSql: Sql
  teamId: string
  tidings: System
  baselines: readonly System[]
  /** Seconds from the start of the Tidings process to its first response. */
  startSeconds: number
  close(): Promise<void>
}

// Each key may make 60 requests in 60 s; a round of 5 s must not use them up.
const numberOfKeys = 4000
// Seeding takes longer than a statement of the service may.
const session = { statement_timeout: 0 }
/** The installation's secret. */
export const secret = 'a secret for benchmarks and for nothing else'
const source = (path: string) => new URL(path, import.meta.url).pathname

/**
 * Starts PostgreSQL with the data of a new installation, Tidings and the baselines. Stops what was
 * started when something fails.
 */
export async function startSystems(): Promise<Systems> {
  await using started = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
  started.defer(() => rm(dataDir, { recursive: true, force: true }))
  const embedded = await openEmbedded({ dataDir, log: createLog('silent') })
  started.defer(() => embedded.close())
  const startedAtMs = performance.now()
  const process = await startTidings(dataDir)
  started.defer(process.stop)
  const startSeconds = (performance.now() - startedAtMs) / 1000

  const sql = connect(embedded.connection, { name: 'tidings bench', session })
  started.defer(() => sql.end({ timeout: 5 }))
  const team = await createTeam({ sql, now: systemClock }, { slug: 'bench', name: 'Bench' })
  const tokens = await createTokens(sql, team.id)
  const tidings: System = {
    name: 'tidings',
    ...process,
    tokens,
    countBlocks: () => countRows(sql, 'content_blocks'),
    async resetLimits() {
      await sql`delete from api_key_usage`
      await sql`insert into api_key_usage (api_key_id) select id from api_keys`
    },
  }
  const bareSql = await createBareDatabase(sql, embedded.connection, tokens)
  started.defer(() => bareSql.end({ timeout: 5 }))
  const address = { ...embedded.connection, database: 'bare' }
  const baselines: System[] = []
  for (const name of ['bare', 'drizzle'] as const) {
    const baseline = await startBaseline(name, address, bareSql, tokens)
    started.defer(baseline.stop)
    baselines.push(baseline)
  }
  const all = started.move()
  const close = () => all.disposeAsync()
  return { sql, bareSql, teamId: team.id, tidings, baselines, startSeconds, close }
}

async function startTidings(dataDir: string): Promise<Pick<System, 'port' | 'pid' | 'stop'>> {
  const port = freePort()
  const child = Bun.spawn(['bun', source('../src/main.ts')], {
    cwd: source('..'),
    env: {
      ...Bun.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      DATABASE_URL: undefined,
      TIDINGS_SECRET: secret,
    },
    stdout: Bun.file(join(dataDir, 'service.log')),
    stderr: 'ignore',
  })
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    return response?.ok === true
  }
  while (!(await ready())) {
    if (child.exitCode !== null) throw new Error('Tidings did not start; run "bun run start".')
    // The process only reports that it is ready when it is asked.
    await Bun.sleep(20)
  }
  return { port, pid: child.pid, stop: () => stopProcess(child) }
}

function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const port = server.port ?? 0
  void server.stop(true)
  return port
}

async function startBaseline(
  name: 'bare' | 'drizzle',
  address: DatabaseAddress,
  sql: Sql,
  tokens: readonly string[],
): Promise<System> {
  const child = Bun.spawn(['bun', source(`./servers/${name}.ts`)], {
    env: { ...Bun.env, DATABASE: JSON.stringify(address) },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  return {
    name,
    port: Number(new TextDecoder().decode(value)),
    pid: child.pid,
    tokens,
    countBlocks: () => countRows(sql, 'bare_blocks'),
    resetLimits: async () => {},
    stop: () => stopProcess(child),
  }
}

async function stopProcess(child: Bun.Subprocess): Promise<void> {
  child.kill('SIGTERM')
  await child.exited
}

async function countRows(sql: Sql, table: string): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`select count(*)::int as rows from ${sql(table)}`
  return row?.rows ?? 0
}

/** The tokens of new keys, stored in one statement. */
async function createTokens(sql: Sql, teamId: string): Promise<string[]> {
  const keys = Array.from({ length: numberOfKeys }, (_, n) => {
    const token = newToken()
    const hash = hashToken(token).toString('hex')
    return {
      id: newId('key', new Date()),
      name: `bench ${n}`,
      token,
      hash,
      prefix: prefixOf(token),
    }
  })
  await sql`
    with item as (
      select * from json_to_recordset(${JSON.stringify(keys)}::text::json)
        as r (id id, name text, hash text, prefix text)
    ), stored as (
      insert into api_keys (id, team_id, name, token_hash, prefix, scopes, ingest_only,
        allow_auto_ready, created_at)
      select id, ${teamId}, name, decode(hash, 'hex'), prefix, '{read,write}', false, true, now()
      from item
      returning id
    )
    insert into api_key_usage (api_key_id) select id from stored`
  return keys.map(({ token }) => token)
}

async function createBareDatabase(
  sql: Sql,
  connection: Exclude<DatabaseAddress, string>,
  tokens: readonly string[],
): Promise<Sql> {
  await sql`create database bare`
  const bareSql = connect({ ...connection, database: 'bare' }, { name: 'tidings bench', session })
  await bareSql.file(source('./servers/bare.sql'))
  await bareSql`
    insert into drizzle_keys select encode(sha256(t::bytea), 'hex'), 'team_1'
    from unnest(${[...tokens]}::text[]) t`
  return bareSql
}
