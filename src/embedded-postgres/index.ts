import { once } from 'node:events'
import type { Logger } from 'pino'
import { type Cluster, type ConnectionOptions, openCluster } from './cluster.ts'
import { connectToCluster } from './connect.ts'
import { withFriendlyErrors } from './failure.ts'
import { stopServer } from './server.ts'
import type { Session } from './session.ts'

export { EmbeddedError } from './failure.ts'

/** The PostgreSQL of a data folder, which this process uses until `close`. */
export interface EmbeddedPostgres {
  /** The options for `postgres()`. They stay the same when the server is restarted. */
  connection: ConnectionOptions
  /**
   * Registers this process as the one service of the database, on `port`, until it closes or ends.
   * Returns undefined, or the name of the process that is the service already, such as `tidings
   * service, process 71, port 3000`. `onLost` is called with the name of a process that became the
   * service instead, which can happen only while PostgreSQL restarts.
   */
  becomeService(port: number, onLost: (holder: string) => void): Promise<string | undefined>
  /**
   * Stops using the database. The last process that uses it stops the server, in at most 5 seconds.
   * Close all pools first.
   */
  close(): Promise<void>
}

const stopTimeoutMs = 5_000
const retryDelayMs = 1_000

interface Service {
  name: string
  onLost: (holder: string) => void
}

/**
 * Opens the PostgreSQL of a data folder: creates the database the first time, starts the server
 * unless it runs, and starts it again when it ends. Any number of processes can do so. When Tidings
 * runs as root, `stagingDir` contains the files that PostgreSQL's user cannot reach otherwise. A start
 * uses `settings` besides those of every start.
 * Throws `EmbeddedError`.
 */
export async function openEmbedded({
  dataDir,
  log,
  stagingDir = '/var/lib/tidings',
  settings = {},
}: {
  dataDir: string
  log: Logger
  stagingDir?: string
  settings?: Cluster['settings']
}): Promise<EmbeddedPostgres> {
  const cluster = { ...(await openCluster(dataDir, stagingDir, log)), settings }
  const closing = new AbortController()
  const aborted = once(closing.signal, 'abort')
  const connectSession = () =>
    withFriendlyErrors(dataDir, () =>
      connectToCluster(cluster, `tidings, process ${process.pid}`, log, closing.signal),
    )

  let session = await connectSession()
  let service: Service | undefined

  const reconnect = async () => {
    log.warn('The connection to the embedded PostgreSQL broke: connecting again')
    await session.end()
    session = await connectSession()
    const holder = service && (await session.becomeService(service.name))
    if (holder !== undefined) service?.onLost(holder)
  }
  const reconnectWhenLost = async () => {
    for (;;) {
      await Promise.race([session.lost, aborted])
      if (closing.signal.aborted) return
      await reconnect().catch(async (error: unknown) => {
        if (closing.signal.aborted) return
        log.error(
          { reason: String(error) },
          'PostgreSQL cannot be reached yet; the next attempt follows',
        )
        // Without a pause, a server that does not start would use a whole core.
        await Bun.sleep(retryDelayMs)
      })
    }
  }
  const reconnecting = reconnectWhenLost()

  return {
    connection: cluster.connection,
    becomeService: async (port, onLost) => {
      const name = `tidings service, process ${process.pid}, port ${port}`
      service = { name, onLost }
      const holder = await session.becomeService(name)
      if (holder !== undefined) service = undefined
      return holder
    },
    close: async () => {
      if (closing.signal.aborted) return
      closing.abort()
      const stopping = reconnecting.then(() => leave(session, cluster))
      const stopped = await withTimeout(stopTimeoutMs, stopping)
      if (!stopped) log.warn('PostgreSQL is still stopping and will finish without Tidings')
    },
  }
}

/**
 * Ends the session, and stops the server when no other process uses it. False when that takes
 * longer than allowed.
 */
async function leave(session: Session, cluster: Cluster): Promise<boolean> {
  try {
    return !(await session.unregister()) || (await stopServer(cluster, stopTimeoutMs))
  } catch {
    // The server has ended already.
    return true
  } finally {
    await session.end()
  }
}

/** The result of `work`, or false when it takes longer than `timeoutMs`. */
function withTimeout(timeoutMs: number, work: Promise<boolean>): Promise<boolean> {
  const limit = new Promise<boolean>((resolve) => {
    // `work` can wait for a connection that never responds.
    setTimeout(resolve, timeoutMs, false).unref()
  })
  return Promise.race([work, limit])
}
