/**
 * The PostgreSQL of a test run, as a process of its own. It prints what tests need to know and lives
 * until its standard input ends, which happens however the run ends: also by Ctrl-C and by `kill -9`.
 * SIGTERM does not end it.
 * Then it ends the process groups that it has read from there, stops every PostgreSQL that the run
 * has left behind, and deletes the run's folder.
 */
import {
  access,
  appendFile,
  chmod,
  constants,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  statfs,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ConnectionOptions } from '../../../src/embedded-postgres/cluster.ts'
import { openEmbedded } from '../../../src/embedded-postgres/index.ts'
import { stopServer } from '../../../src/embedded-postgres/server.ts'
import { forwarderJobs } from '../../../src/forwarding/index.ts'
import { emailJobs } from '../../../src/jobs/emails.ts'
import { connect, type DatabaseAddress } from '../../../src/lib/database/db.ts'
import { migrate } from '../../../src/lib/database/migrate.ts'
import { createLog } from '../../../src/lib/log.ts'
import { startQueue } from '../../../src/lib/queue/index.ts'
import { databaseOn } from '../run/test-run.ts'

const migrationsFolder = fileURLToPath(new URL('../../../src/migrations', import.meta.url))
const stopWithinMs = 5_000

const memoryFolder = '/dev/shm'
// A run uses up to half of it. Docker gives a container 64 MB, which is not enough.
const minMemoryBytes = 2 ** 30

interface SharedDatabase {
  address: DatabaseAddress
  close(): Promise<void>
}

/**
 * Where the run's folder is created: in memory where the system has a folder for that (Linux), or else
 * the folder for temporary files. A clone of a database has 600 files, and creating them on a disk
 * takes ten times as much CPU time.
 */
async function parentFolder(): Promise<string> {
  try {
    await access(memoryFolder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(memoryFolder)
    return bavail * bsize >= minMemoryBytes ? memoryFolder : tmpdir()
  } catch {
    return tmpdir()
  }
}

function endProcessGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

/** Stops the servers whose data is in `folder`, such as those of a service that a test has started. */
async function stopServers(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  const running = files.filter((file) => file.endsWith('postmaster.pid'))
  await Promise.all(
    running.map((file) => stopServer({ data: join(folder, dirname(file)) }, stopWithinMs)),
  )
}

async function startDatabase(folder: string): Promise<SharedDatabase> {
  const given = process.env['DATABASE_URL']
  if (given) return { address: given, close: async () => {} }
  const dataDir = join(folder, 'shared')
  const settings = {
    // Many files and services use it at the same time.
    max_connections: 400,
    // The database is temporary: it need not survive a power failure.
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: '128MB',
    // An autovacuum worker would prevent `drop database`.
    autovacuum: 'off',
  }
  const log = createLog('silent')
  const { connection, close } = await openEmbedded({ dataDir, log, settings })
  await prepareRole(join(dataDir, 'postgres/data'), connection)
  return { address: connection, close }
}

/** Lets the role of the tests do what they need, and makes its password cheap to check in every connection. */
async function prepareRole(data: string, connection: ConnectionOptions): Promise<void> {
  const rules = join(data, 'pg_hba.conf')
  // Only this user can reach the socket.
  await appendFile(rules, 'local all postgres trust\n')
  // PostgreSQL reads its files before it accepts the next connection.
  process.kill(Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8'), 10), 'SIGHUP')
  const superuser = connect(
    { ...connection, username: 'postgres' },
    { name: 'tidings tests', max: 1, session: { scram_iterations: 1 } },
  )
  await superuser.unsafe(`alter role tidings password '${connection.password}'`)
  // `emptyDatabase` sets it.
  await superuser`grant set on parameter session_replication_role to tidings`
  await superuser.end({ timeout: 1 })
}

/** Creates the migrated database that tests clone, with the tables and queues of jobs. */
async function createTemplate(address: DatabaseAddress, template: string): Promise<void> {
  const admin = connect(address, {
    name: 'tidings tests',
    max: 1,
    session: { statement_timeout: 0 },
  })
  await admin`create database ${admin(template)}`
  await admin.end({ timeout: 1 })
  const sql = connect(databaseOn(address, template), {
    name: 'tidings tests',
    max: 1,
    session: { statement_timeout: 0 },
  })
  await migrate(sql, migrationsFolder)
  await sql.end({ timeout: 1 })
  const types = [...forwarderJobs, ...emailJobs]
  const log = createLog('silent')
  const queue = await startQueue({
    database: databaseOn(address, template),
    types,
    log,
    supervise: false,
  })
  await queue.stop()
}

/** Deletes the run's databases on a server that outlives it. The server of a run is deleted as a whole. */
async function dropDatabases(template: string): Promise<void> {
  const given = process.env['DATABASE_URL']
  if (!given) return
  const admin = connect(given, { name: 'tidings tests', max: 1 })
  const databases = await admin<{ datname: string }[]>`
    select datname from pg_database where starts_with(datname, ${template})`
  for (const { datname } of databases) {
    await admin`drop database if exists ${admin(datname)} with (force)`
  }
  await admin.end({ timeout: 1 })
}

// `bun test` sends it to what its tests have started when one of them exceeds its time limit.
process.on('SIGTERM', () => undefined)
const folder = await realpath(await mkdtemp(join(await parentFolder(), 'tidings-test-')))
const template = `tidings_template_${process.pid}`
// A run that is interrupted while this process starts does not read what it prints.
process.stdout.on('error', () => undefined)
let database: SharedDatabase | undefined
let interrupted = true
try {
  // Under root, PostgreSQL's own user has to get in, or the data would be kept elsewhere.
  await chmod(folder, 0o711)
  database = await startDatabase(folder)
  await createTemplate(database.address, template)
  process.stdout.write(`${JSON.stringify({ address: database.address, template, folder })}\n`)
  const lines = (await Bun.stdin.text()).split('\n')
  interrupted = !lines.includes('end')
  for (const line of lines) if (/^\d+$/.test(line)) endProcessGroup(Number(line))
} finally {
  // Whatever fails here, the rest is still cleaned up.
  await Promise.allSettled([dropDatabases(template), database?.close()])
  await stopServers(folder)
  // Programs of an interrupted run may start a server again before they notice that it is over.
  for (let round = 0; interrupted && round < 8; round++) {
    // They notice it within two seconds, and nothing announces that.
    await Bun.sleep(250)
    await stopServers(folder)
  }
  await rm(folder, { recursive: true, force: true })
}
process.exit()
