import { openEmbedded } from '../../src/embedded-postgres/index.ts'
import { connect, type Sql } from '../../src/lib/database/db.ts'
import { createLog } from '../../src/lib/log.ts'
import { startProcess } from '../../test/support/process.ts'
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
  let service = startProcess(disk.path, settings)
  let base = await service.ready()
  const port = new URL(base).port
  const embedded = await openEmbedded({ dataDir: disk.path, log: createLog('silent') })
  const openSql = () =>
    connect(embedded.connection, { name: 'soak', max: 1, session: { statement_timeout: 0 } })
  const start = () => {
    service = startProcess(disk.path, { ...settings, PORT: port })
  }
  return {
    disk,
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
    /** Ends the service with a signal, waits for its end and starts it again. */
    async restart(signal: NodeJS.Signals): Promise<void> {
      service.process.kill(signal)
      await service.exited
      start()
      base = await service.ready()
    },
    /** The output of a command. */
    async tidings(...input: string[]): Promise<string> {
      const command = Bun.spawn(['bun', 'src/cli.ts', ...input], {
        env: { ...process.env, DATA_DIR: disk.path },
        stderr: 'ignore',
      })
      return (await new Response(command.stdout).text()).trim()
    },
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
