import type { Logger } from 'pino'
import type { Cluster } from './cluster.ts'
import { EmbeddedError, friendlyError } from './failure.ts'
import { runningPid, type StartedServer, startServer } from './server.ts'
import { joinSession, type Session } from './session.ts'

const maxWaitMs = 120_000
const noticeAfterMs = 3_000
const pollMs = 10

/**
 * Opens a session on the server of the database. Waits for a server that is starting, stopping or
 * recovering, and starts one when none runs. Throws `EmbeddedError` when that fails, and the reason
 * of `signal` when it is aborted.
 */
export async function connectToCluster(
  cluster: Cluster,
  name: string,
  log: Logger,
  signal: AbortSignal,
): Promise<Session> {
  const startedAt = performance.now()
  const waitedMs = () => performance.now() - startedAt
  let server: StartedServer | undefined
  let isAnnounced = false
  for (;;) {
    const joined = await joinSession(cluster, name)
    if (typeof joined === 'object') {
      if (server) logStart(cluster, log, waitedMs())
      return joined
    }
    signal.throwIfAborted()
    server = await startIfAbsent(cluster, joined, server, log)
    if (!isAnnounced && waitedMs() > noticeAfterMs) {
      isAnnounced = true
      log.info('Waiting for PostgreSQL, which is starting, recovering or stopping')
    }
    if (waitedMs() > maxWaitMs) throw notReady(cluster)
    // PostgreSQL does not announce that it accepts connections.
    await Bun.sleep(pollMs)
  }
}

/**
 * Starts a server when none runs. Returns the server that this process has started, if it still
 * runs.
 */
async function startIfAbsent(
  cluster: Cluster,
  joined: 'absent' | 'busy',
  server: StartedServer | undefined,
  log: Logger,
): Promise<StartedServer | undefined> {
  if (server?.hasEnded()) {
    await checkRetry(cluster, await server.logTail(), log)
    return undefined
  }
  if (server || joined === 'busy' || (await runningPid(cluster)) !== undefined) return server
  return startServer(cluster)
}

function logStart({ systemUser, data }: Cluster, log: Logger, durationMs: number) {
  const who =
    systemUser === undefined ? '' : ` as user ${systemUser.name}, because Tidings runs as root`
  log.info({ data, duration_ms: Math.round(durationMs) }, `PostgreSQL started${who}`)
}

// Another process was faster, or the sessions of a killed server are still ending: a retry can
// succeed.
const retryable = /lock file .* already exists|shared memory block .* still in use/

/** Waits when a start that ended early may be retried. Throws `EmbeddedError` otherwise. */
async function checkRetry(cluster: Cluster, logTail: string, log: Logger) {
  // The other process or the old sessions need a moment.
  if (retryable.test(logTail)) return Bun.sleep(200)
  log.error({ postgres: logTail.trim().split('\n').slice(-20) }, 'PostgreSQL did not start')
  throw (
    friendlyError(logTail, cluster.data) ??
    new EmbeddedError(`PostgreSQL did not start: the reason is in ${cluster.logFile}.`)
  )
}

const notReady = ({ logFile }: Cluster) =>
  new EmbeddedError(
    `PostgreSQL is not ready after ${maxWaitMs / 1000} seconds: see ${logFile} for what it is doing, and start Tidings again when it has finished.`,
  )
