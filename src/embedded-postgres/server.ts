import { constants } from 'node:fs'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { as, environment, run } from './account.ts'
import type { Cluster } from './cluster.ts'
import { codeOf } from './failure.ts'
import { makeSocketFolder } from './socket.ts'

const maxLogBytes = 10_000_000

// Durability stays at PostgreSQL's defaults: fsync and synchronous_commit are on.
const settings = ({ connection: { host, port } }: Cluster) => ({
  listen_addresses: '',
  unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  port,
  max_connections: 100,
  shared_buffers: '128MB',
  jit: 'off',
  log_checkpoints: 'off',
  // Leaves out the details, which hold rows.
  log_error_verbosity: 'terse',
})

/** PostgreSQL's data directory, without links in its path. */
type DataFolder = Pick<Cluster, 'data'>

/** A PostgreSQL that we have just started. */
export interface StartedServer {
  /** Whether it has ended already. */
  ended(): boolean
  /** What it has written to its log since. */
  said(): Promise<string>
}

/**
 * Starts PostgreSQL in a session of its own, so that neither Ctrl-C nor our death reaches it.
 * Returns at once; that it serves is seen by connecting.
 */
export async function startServer(cluster: Cluster): Promise<StartedServer> {
  await makeSocketFolder(cluster.connection.host, cluster.account)
  const log = await openLog(cluster)
  try {
    const { size } = await log.stat()
    const pid = await recordedPid(cluster)
    const stale = pid !== undefined && (await isServerOf(pid, cluster.data)) ? undefined : pid
    const server = Bun.spawn(
      [
        join(cluster.binaries.folder, 'bin', 'postgres'),
        ...['-D', cluster.data],
        ...Object.entries(settings(cluster)).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      {
        ...as(cluster.account),
        cwd: '/',
        // PostgreSQL takes its process file for alive when that number is in use, by whatever
        // program. This variable names a number known not to be its server (miscinit.c, CreateLockFile).
        env: { ...environment, PG_GRANDPARENT_PID: String(stale ?? 0) },
        stdio: ['ignore', log.fd, log.fd],
        detached: true,
      },
    )
    server.unref()
    return {
      ended: () => server.exitCode !== null || server.signalCode !== null,
      said: () => Bun.file(cluster.logFile).slice(size).text(),
    }
  } finally {
    await log.close()
  }
}

/** The process of the server that runs on this very data directory, if any. */
export async function runningPid(cluster: DataFolder): Promise<number | undefined> {
  const pid = await recordedPid(cluster)
  return pid !== undefined && (await isServerOf(pid, cluster.data)) ? pid : undefined
}

/** Asks the server to end its sessions and stop, and waits; false when `limit_ms` did not suffice. */
export async function stopServer(cluster: DataFolder, limit_ms: number): Promise<boolean> {
  const deadline = performance.now() + limit_ms
  const pid = await runningPid(cluster)
  if (pid === undefined) return true
  process.kill(pid, 'SIGINT')
  while ((await runningPid(cluster)) === pid) {
    if (performance.now() > deadline) return false
    await Bun.sleep(10)
  }
  return true
}

async function recordedPid({ data }: DataFolder): Promise<number | undefined> {
  try {
    const [first = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
    // A server in single-user mode writes its number negative.
    return Math.abs(Number.parseInt(first, 10)) || undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function isServerOf(pid: number, data: string) {
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const [program = '', ...args] = command.split('\0')
    return program.endsWith('/postgres') && args.includes(data)
  }
  const { output } = await run(undefined, ['ps', '-ww', '-o', 'command=', '-p', String(pid)])
  return output.includes(`/postgres -D ${data} `)
}

async function openLog({ logFile, account }: Cluster) {
  const found = await stat(logFile).catch(() => undefined)
  if (found !== undefined && found.size > maxLogBytes) await rename(logFile, `${logFile}.old`)
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  // Root may work in a folder that belongs to another user: no writing through that user's links.
  const log = await open(logFile, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  if (account !== undefined) await log.chown(account.uid, account.gid)
  return log
}
