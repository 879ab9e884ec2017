import type { Logger } from 'pino'
import type { Cluster } from './cluster.ts'
import { EmbeddedError, friendlyError } from './failure.ts'
import { runningPid, type StartedServer, startServer } from './server.ts'
import { joinSession, type Session } from './session.ts'

const wait_ms = 120_000
const patience_ms = 3_000
const pause_ms = 10

/**
 * Joins the database's server: the one that runs, also if it is just starting, stopping or
 * recovering, or else one that we start. Throws a sentence when that fails, and the reason of
 * `signal` when it is aborted.
 */
export async function connectToCluster(
  cluster: Cluster,
  name: string,
  log: Logger,
  signal: AbortSignal,
): Promise<Session> {
  const begin = performance.now()
  const waited_ms = () => performance.now() - begin
  let server: StartedServer | undefined
  let told = false
  for (;;) {
    const joined = await joinSession(cluster, name)
    if (typeof joined === 'object') {
      if (server) announce(cluster, log, waited_ms())
      return joined
    }
    signal.throwIfAborted()
    server = await startIfAbsent(cluster, joined, server, log)
    if (!told && waited_ms() > patience_ms) {
      told = true
      log.info('Waiting for PostgreSQL, which is starting, recovering or stopping')
    }
    if (waited_ms() > wait_ms) throw notReady(cluster)
    await Bun.sleep(pause_ms)
  }
}

/** The server that we have started, now or before, if it is for us to start one. */
async function startIfAbsent(
  cluster: Cluster,
  joined: 'absent' | 'busy',
  server: StartedServer | undefined,
  log: Logger,
): Promise<StartedServer | undefined> {
  if (server?.ended()) {
    await checkRetry(cluster, await server.said(), log)
    return undefined
  }
  if (server || joined === 'busy' || (await runningPid(cluster)) !== undefined) return server
  return startServer(cluster)
}

function announce({ account, data }: Cluster, log: Logger, duration_ms: number) {
  const who = account === undefined ? '' : ` as user ${account.name}, since Tidings runs as root`
  log.info({ data, duration_ms: Math.round(duration_ms) }, `PostgreSQL started${who}`)
}

// Somebody else was faster, or the sessions of a killed server are still ending: worth another try.
const passing = /lock file .* already exists|shared memory block .* still in use/

/** Returns when a start that ended early may be tried again; throws a sentence otherwise. */
async function checkRetry(cluster: Cluster, said: string, log: Logger) {
  if (passing.test(said)) return Bun.sleep(200)
  log.error({ postgres: said.trim().split('\n').slice(-20) }, 'PostgreSQL did not start')
  throw (
    friendlyError(said, cluster.data) ??
    new EmbeddedError(`PostgreSQL did not start; what it says about it is in ${cluster.logFile}.`)
  )
}

const notReady = ({ logFile }: Cluster) =>
  new EmbeddedError(
    `PostgreSQL is not ready after ${wait_ms / 1000} seconds; what it is doing is in ${logFile}. Start again when it has finished.`,
  )
