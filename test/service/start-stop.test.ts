import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdir, rename, rmdir, writeFile } from 'node:fs/promises'
import { loadConfig } from '../../src/config/index.ts'
import { openEmbedded } from '../../src/embedded-postgres/index.ts'
import { connect, type Tx, transaction } from '../../src/lib/database/db.ts'
import { createLog } from '../../src/lib/log.ts'
import { startQueue } from '../../src/lib/queue/index.ts'
import { startService } from '../../src/service.ts'
import {
  createDatabase,
  type TestDatabase,
  withoutTimeLimits,
} from '../support/database/database.ts'
import { createDataDir, type ServiceProcess, startProcess } from '../support/processes/process.ts'
import { urlOf } from '../support/run/test-run.ts'
import { until } from '../support/until.ts'

let folder: Awaited<ReturnType<typeof createDataDir>>
beforeAll(async () => {
  folder = await createDataDir()
})
afterAll(() => folder.remove())
beforeEach(async () => {
  // Every test leaves a stopped database behind, also the one before this one.
  expect(await postgresRuns()).toBe(false)
})

const started: ServiceProcess[] = []
// Also what a failed test has left, so that the tests after it do not fail for the same reason.
afterEach(async () => {
  for (const service of started.splice(0)) {
    service.process.kill('SIGTERM')
    await service.exited
  }
})

/** Starts the service, which is stopped after the test. */
function start(env: Record<string, string> = {}, options = {}): ServiceProcess {
  const service = startProcess(folder.path, env, options)
  started.push(service)
  return service
}

const postgresRuns = () => Bun.file(`${folder.path}/postgres/data/postmaster.pid`).exists()

test('a service that is stopped while it starts leaves no PostgreSQL behind', async () => {
  const service = start()
  await until(postgresRuns)
  service.process.kill('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(service.printed()).not.toContain('Tidings is ready')
  expect(await postgresRuns()).toBe(false)
})

test('a service whose log cannot be written any more keeps running and stops cleanly', async () => {
  const service = start({ LOG_LEVEL: 'debug' })
  const base = await service.ready()
  await service.closeOutput()
  // Each of these writes a line. An error of the log that nothing handles ends the process with 1.
  for (let request = 0; request < 200; request++)
    expect((await fetch(`${base}/api/v1/ping`)).status).toBeOneOf([401, 429])
  service.process.kill('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(await postgresRuns()).toBe(false)
})

test('HOST limits the service to one address, and SIGQUIT stops it with its PostgreSQL', async () => {
  const service = start({ HOST: '127.0.0.2' })
  const { port } = new URL(await service.ready())
  const ask = (host: string) =>
    fetch(`http://${host}:${port}/healthz`).then(
      ({ status }) => status,
      () => 'no connection',
    )
  expect(await ask('127.0.0.2')).toBe(200)
  // Other tests listen on the same port of 127.0.0.1, where it is free.
  expect(await ask('127.0.0.3')).toBe('no connection')
  service.process.kill('SIGQUIT')
  expect(await service.exited).toBe(0)
  expect(await postgresRuns()).toBe(false)
})

test('a service that stops is first not ready, then closes a connection with its next response', async () => {
  const service = start({}, { drains: true })
  const base = await service.ready()
  const connection = await keepAlive(Number(new URL(base).port))
  expect(await connection.ask('/healthz')).not.toMatch(/connection: close/i)
  service.process.kill('SIGTERM')
  const state = await until(async () => {
    const response = await fetch(`${base}/readyz`)
    return response.status === 503 && (await response.json())
  })
  expect(state).toEqual({ status: 'stopping', reason: 'The process is stopping.' })
  const last = await connection.ask('/healthz')
  expect(last).toStartWith('HTTP/1.1 200')
  expect(last).toMatch(/connection: close/i)
  await connection.closed
  service.process.kill('SIGUSR2')
  expect(await service.exited).toBe(0)
})

/** A connection to the service that stays open between requests. */
async function keepAlive(port: number) {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const responses: ((text: string) => void)[] = []
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data: (_, bytes) => responses.shift()?.(bytes.toString()),
      close: () => resolve(),
    },
  })
  const ask = (path: string) =>
    new Promise<string>((reply) => {
      responses.push(reply)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    })
  return { ask, closed }
}

test('a process uses no more database connections than DB_POOL says, and SIGHUP stops it', async () => {
  const service = start({ DB_POOL: '6' })
  const base = await service.ready()
  const embedded = await openEmbedded({ dataDir: folder.path, log: createLog('silent') })
  const sql = connect(embedded.connection, { name: 'test', max: 1, ...withoutTimeLimits })
  await Promise.all(Array.from({ length: 50 }, () => fetch(`${base}/readyz`)))
  const sessions = await sql<{ name: string }[]>`
    select application_name as name from pg_stat_activity where usename = 'tidings'`
  const pools = ['tidings', 'tidings key checks', 'tidings queue']
  expect(sessions.filter(({ name }) => pools.includes(name)).length).toBeLessThanOrEqual(6)
  expect(sessions.map(({ name }) => name)).toContain('tidings')
  await sql.end()
  await embedded.close()
  service.process.kill('SIGHUP')
  expect(await service.exited).toBe(0)
  expect(await postgresRuns()).toBe(false)
})

describe('Errors that prevent the start', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  /** Why the service does not start with these settings. */
  async function refusalOf(settings: Record<string, string>): Promise<string> {
    const env = { DATABASE_URL: urlOf(database.address), DATA_DIR: folder.path, ...settings }
    const service = await startService(loadConfig(env), createLog('silent'), () => {}).catch(
      (error: Error) => error.message,
    )
    if (typeof service === 'string') return service
    await service.stop()
    return ''
  }

  test('a service that stops takes no delivery while it waits for an email that is being sent', async () => {
    const { sql } = database
    const env = { DATABASE_URL: urlOf(database.address), DATA_DIR: folder.path, PORT: '0' }
    const log = createLog('silent')
    const service = await startService(loadConfig({ ...env, DRAIN_SECONDS: '0' }), log, () => {})
    const queue = await startQueue({
      database: database.address,
      types: [],
      log,
      supervise: false,
    })
    const stateOf = async (name: string) =>
      (await sql<{ state: string }[]>`select state from pgboss.job where name = ${name}`)[0]?.state
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const waitForStop = async (tx: Tx) => {
      await tx`lock table account_emails`
      locked.resolve()
      await released.promise
    }
    const locking = transaction(sql, waitForStop, 240_000)
    await locked.promise
    const email = { teamId: null, emailId: 'em_1' }
    await transaction(sql, (tx) => queue.add(tx, { name: 'send-account-email' }, email))
    await until(async () => (await stateOf('send-account-email')) === 'active')
    const stopping = service.stop()
    // The service has begun to stop when it has served this.
    await fetch(`http://127.0.0.1:${service.port}/readyz`)
    await transaction(sql, (tx) => queue.add(tx, { name: 'forward' }, {}))
    await stopping
    expect(await stateOf('forward')).toBe('created')
    released.resolve()
    await locking
    await sql`delete from pgboss.job where name in ('forward', 'send-account-email')`
    await queue.stop()
  })

  test('a port that another service uses prevents the start', async () => {
    // Elysia sets this option, so that two processes could share a port without noticing.
    const other = Bun.serve({ port: 0, reusePort: true, fetch: () => new Response() })
    const port = String(other.port)
    const service = start({ PORT: port, DATABASE_URL: urlOf(database.address) })
    expect(await service.exited).toBe(1)
    other.stop(true)
    expect(service.printed()).toContain(`Port ${port} is in use by another program. Set PORT`)
  })

  test('a HOST that is not an address of this machine prevents the start', async () => {
    expect(await refusalOf({ PORT: '0', HOST: '192.0.2.1' })).toBe(
      '192.0.2.1 is not an address of this machine. Correct HOST, or remove it.',
    )
  })

  test.each(['postgres/access.json', 'postgres/data/PG_VERSION'])(
    'a damaged file %s prevents the start',
    async (name) => {
      const path = `${folder.path}/${name}`
      const text = await Bun.file(path).text()
      await writeFile(path, name.endsWith('.json') ? '{"port": ' : '')
      expect(await refusalOf({ DATABASE_URL: '' })).toMatch(
        /^The file .* is missing or damaged: restore it from a backup/,
      )
      await writeFile(path, text)
    },
  )

  test('a secret that cannot be read prevents the start', async () => {
    const path = `${folder.path}/secret`
    await rename(path, `${path}.kept`)
    await mkdir(path)
    expect(await refusalOf({})).toContain(
      `The secret in ${path} cannot be read: give the user who starts Tidings`,
    )
    await rmdir(path)
    await rename(`${path}.kept`, path)
  })
})
