import { chmod, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import type { DatabaseAddress } from '../../../src/lib/database/db.ts'

const variable = 'TIDINGS_TEST_RUN'
const script = fileURLToPath(new URL('../processes/test-server.ts', import.meta.url))

const TestRun = v.object({
  /** The PostgreSQL that all tests share. */
  address: v.union([
    v.string(),
    v.object({
      host: v.string(),
      port: v.number(),
      database: v.string(),
      username: v.string(),
      password: v.string(),
    }),
  ]),
  /** The migrated database that tests clone. */
  template: v.string(),
  /** Where tests keep files. A PostgreSQL in it is stopped when the run ends. */
  folder: v.string(),
})
export type TestRun = v.InferOutput<typeof TestRun>

/** Starts what a run needs. It is removed by `stop`, or else when this process ends, whatever ends it. */
export async function startRun() {
  const server = Bun.spawn([process.execPath, script], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    // In a session of its own, so that Ctrl-C does not reach it and it can clean up.
    detached: true,
  })
  const { value } = await server.stdout.getReader().read()
  // Not before: `bun test` keeps a core busy while it waits for a process that it does not count.
  server.unref()
  const run = v.parse(TestRun, JSON.parse(new TextDecoder().decode(value)))
  return {
    env: { [variable]: JSON.stringify(run) },
    run,
    /** Names a process group that ends with the run. */
    owns: (group: number) => server.stdin.write(`${group}\n`),
    stop: async () => {
      server.stdin.write('end\n')
      server.stdin.end()
      await server.exited
    },
  }
}

let started: ReturnType<typeof startRun> | undefined

/** The run that this process belongs to, started on first use where `test/run.ts` has not done so. */
export async function currentRun(): Promise<TestRun> {
  const given = process.env[variable]
  if (given) return v.parse(TestRun, JSON.parse(given))
  started ??= startRun()
  return (await started).run
}

/** A new folder for one test file, which PostgreSQL's own user can enter. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join((await currentRun()).folder, `${name}-`))
  await chmod(folder, 0o711)
  return folder
}

/** The same server, another database. */
export function databaseOn(address: DatabaseAddress, database: string): DatabaseAddress {
  if (typeof address === 'object' && 'host' in address) return { ...address, database }
  const url = new URL(urlOf(address))
  url.pathname = `/${database}`
  return url.toString()
}

/** The address as DATABASE_URL contains it. */
export function urlOf(address: DatabaseAddress): string {
  if (typeof address === 'string') return address
  if ('url' in address) return address.url
  const { host, port, database, username, password } = address
  const credentials = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`
  const socket = new URLSearchParams({ host, port: String(port) })
  return `postgres://${credentials}@/${encodeURIComponent(database)}?${socket}`
}
