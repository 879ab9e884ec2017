import { constants } from 'node:fs'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'
import { codeOf } from './failure.ts'
import { createSocketFolder } from './socket.ts'
import { environment, runProgram, userOptions } from './system-user.ts'

const maxLogBytes = 10_000_000

// fsync and synchronous_commit keep PostgreSQL's default (on), so that a committed change is
// durable.
const settingsOf = ({ connection: { host, port }, settings }: Cluster) => ({
  listen_addresses: '',
  unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  port,
  max_connections: 100,
  shared_buffers: '128MB',
  jit: 'off',
  log_checkpoints: 'off',
  // Without details, which contain rows.
  log_error_verbosity: 'terse',
  ...settings,
})

/** PostgreSQL's data directory as an absolute path without symbolic links. */
type DataFolder = Pick<Cluster, 'data'>

/** A PostgreSQL that this process has started. */
export interface StartedServer {
  /** True when it has ended. */
  hasEnded(): boolean
  /** What it has written to its log since it was started. */
  logTail(): Promise<string>
}

/**
 * Starts PostgreSQL in a session of its own, so that Ctrl-C and the end of this process do not stop
 * it. Returns at once; connect to find out whether it is ready.
 */
export async function startServer(cluster: Cluster): Promise<StartedServer> {
  await createSocketFolder(cluster.connection.host, cluster.systemUser)
  const log = await openLog(cluster)
  try {
    const { size } = await log.stat()
    const pid = await recordedPid(cluster)
    const stale = pid !== undefined && (await isServerOf(pid, cluster.data)) ? undefined : pid
    const server = Bun.spawn(
      [
        join(cluster.binaries.folder, 'bin', 'postgres'),
        ...['-D', cluster.data],
        ...Object.entries(settingsOf(cluster)).flatMap(([name, value]) => [
          '-c',
          `${name}=${value}`,
        ]),
      ],
      {
        ...userOptions(cluster.systemUser),
        cwd: '/',
        // PostgreSQL refuses to start while any program has the process id in its pid file. This
        // variable names an id that is not a server of this database (miscinit.c, CreateLockFile).
        env: { ...environment, PG_GRANDPARENT_PID: String(stale ?? 0) },
        stdio: ['ignore', log.fd, log.fd],
        detached: true,
      },
    )
    server.unref()
    return {
      hasEnded: () => server.exitCode !== null || server.signalCode !== null,
      logTail: () => Bun.file(cluster.logFile).slice(size).text(),
    }
  } finally {
    await log.close()
  }
}

/** The process id of the server of this data directory, or undefined when none runs. */
export async function runningPid(cluster: DataFolder): Promise<number | undefined> {
  const pid = await recordedPid(cluster)
  return pid !== undefined && (await isServerOf(pid, cluster.data)) ? pid : undefined
}

/** Stops the server and its sessions, and waits. False when that takes longer than `timeoutMs`. */
export async function stopServer(cluster: DataFolder, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  const pid = await runningPid(cluster)
  if (pid === undefined) return true
  process.kill(pid, 'SIGINT')
  while ((await runningPid(cluster)) === pid) {
    if (performance.now() > deadline) return false
    // The server is not a child of this process, so nothing reports its end.
    await Bun.sleep(10)
  }
  return true
}

async function recordedPid({ data }: DataFolder): Promise<number | undefined> {
  try {
    const [first = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
    // A server in single-user mode writes its process id as a negative number.
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
  const { output } = await runProgram(undefined, ['ps', '-ww', '-o', 'command=', '-p', String(pid)])
  return output.includes(`/postgres -D ${data} `)
}

async function openLog({ logFile, systemUser }: Cluster) {
  const found = await stat(logFile).catch(() => undefined)
  if (found !== undefined && found.size > maxLogBytes) await rename(logFile, `${logFile}.old`)
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  // The folder can belong to another user, so root must not follow links in it.
  const log = await open(logFile, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  if (systemUser !== undefined) await log.chown(systemUser.uid, systemUser.gid)
  return log
}
