import { openEmbedded } from '../../src/embedded-postgres/index.ts'
import { connect, type Sql } from '../../src/lib/database/db.ts'
import { createLog } from '../../src/lib/log.ts'
import { startProcess } from '../../test/support/processes/process.ts'
import { createDisk } from './disk.ts'
import { startIngestProxy } from './ingest-proxy.ts'
import { startFaultyMailServer } from './mail-server.ts'

export type Installation = Awaited<ReturnType<typeof startInstallation>>

/** Starts the service with its embedded PostgreSQL, a mail server, and a proxy between workers and ingest. */
export async function startInstallation() {
  const disk = await createDisk()
  const mailServer = await startFaultyMailServer()
  const proxy = startIngestProxy(() => base)
  const settings = {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'soak@example.com',
    INGEST_URL: proxy.url,
  }
  const startService = (env: Record<string, string>) =>
    startProcess(disk.path, { ...settings, ...env }, { hasTimeLimits: true })
  let service = startService({})
  let base = await service.ready()
  const port = new URL(base).port
  const embedded = await openEmbedded({ dataDir: disk.path, log: createLog('silent') })
  const openSql = () =>
    connect(embedded.connection, { name: 'soak', max: 1, session: { statement_timeout: 0 } })
  const start = () => {
    service = startService({ PORT: port })
  }
  /** Starts a command. */
  const runTidings = (...input: string[]) =>
    Bun.spawn(['bun', 'src/cli.ts', ...input], {
      env: { ...process.env, DATA_DIR: disk.path },
      stdout: 'pipe',
      stderr: 'ignore',
    })
  const awaitStart = async () => {
    base = await service.ready()
  }
  return {
    disk,
    /** What clients do besides sending each request until it is acknowledged. */
    clients: { breakOff: false, sendTwice: false },
    mailServer,
    proxy,
    /** The address of the database. */
    address: embedded.connection,
    url: () => base,
    service: () => service,
    openSql,
    /** Runs work on a connection of its own, which a fault may break. */
    async withDatabase(work: (sql: Sql) => Promise<unknown>): Promise<void> {
      const sql = openSql()
      await work(sql).catch(() => {})
      await sql.end({ timeout: 1 })
    },
    async postmaster(): Promise<number> {
      const text = await Bun.file(`${disk.path}/postgres/data/postmaster.pid`).text()
      return Number(text.split('\n')[0])
    },
    start,
    awaitStart,
    /** Starts the service when it has ended by itself, as a service manager does. */
    async startIfEnded(): Promise<void> {
      if (service.process.exitCode === null && service.process.signalCode === null) return
      start()
      await awaitStart()
    },
    /** Ends the service and waits for its end. */
    async stop(): Promise<void> {
      service.process.kill('SIGTERM')
      await service.exited
    },
    /** Starts a second process, a worker, on the database and with the secret of the first. */
    async startWorker() {
      const { host, port: databasePort, username, password, database } = embedded.connection
      const at = `/${database}?host=${host}&port=${databasePort}`
      const second = startProcess(
        `${disk.path}/worker`,
        {
          ...settings,
          DATABASE_URL: `postgres://${username}:${encodeURIComponent(password)}@${at}`,
          TIDINGS_SECRET: (await Bun.file(`${disk.path}/secret`).text()).trim(),
          ROLE: 'worker',
        },
        { hasTimeLimits: true },
      )
      // On a busy machine a start can end at its time limits, as a service manager would then repeat it.
      await second.prints(/"msg":"ready"/).catch(() => {})
      return second
    },
    /** Starts a second service in the same data folder. */
    startSecond: () => startService({}),
    /** Ends the service with a signal, waits for its end and starts it again. */
    async restart(signal: NodeJS.Signals): Promise<void> {
      service.process.kill(signal)
      await service.exited
      start()
      await awaitStart()
    },
    runTidings,
    /** The output of a command. */
    tidings: async (...input: string[]): Promise<string> =>
      (await new Response(runTidings(...input).stdout).text()).trim(),
    async close() {
      service.process.kill('SIGTERM')
      await service.exited
      await embedded.close()
      await proxy.close()
      await mailServer.close()
      await disk.remove()
    },
  }
}
