import { once } from 'node:events'
import type { Logger } from 'pino'
import { type Cluster, type Connection, openCluster } from './cluster.ts'
import { connectToCluster } from './connect.ts'
import { isFriendlyError } from './failure.ts'
import { stopServer } from './server.ts'
import type { Session } from './session.ts'

export { EmbeddedError } from './failure.ts'

/** The PostgreSQL of a data folder, in use by this process until `close`. */
export interface EmbeddedPostgres {
  /** Fits `postgres({ ...connection })`. Stays the same when the server is restarted. */
  connection: Connection
  /**
   * Makes this process the one service of the database, on `port`, until `close` or its death.
   * Gives undefined then, else the one who is, such as `tidings service, process 71, port 3000`.
   * `onLost` is told who took our place, which can happen only while PostgreSQL is restarted.
   */
  becomeService(port: number, onLost: (holder: string) => void): Promise<string | undefined>
  /** Leaves the database; its last user stops it, in at most 5 seconds. Close pools first. */
  close(): Promise<void>
}

const stopWithin_ms = 5_000
const retryAfter_ms = 1_000

interface Service {
  name: string
  onLost: (holder: string) => void
}

/**
 * Opens the PostgreSQL of a data folder: makes the database the first time, starts the server or
 * joins the one that runs, and starts it again should it die. Any number of processes may do so.
 * Under root, `stagingDir` takes what PostgreSQL's own user could not reach.
 * Throws an `EmbeddedError`, a sentence for people, when that is impossible.
 */
export async function openEmbedded({
  dataDir,
  log,
  stagingDir = '/var/lib/tidings',
}: {
  dataDir: string
  log: Logger
  stagingDir?: string
}): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir, stagingDir, log)
  const closing = new AbortController()
  const aborted = once(closing.signal, 'abort')
  const joinServer = () =>
    isFriendlyError(dataDir, () =>
      connectToCluster(cluster, `tidings, process ${process.pid}`, log, closing.signal),
    )

  let session = await joinServer()
  let service: Service | undefined

  const rejoin = async () => {
    log.warn('The connection to the embedded PostgreSQL broke: joining it again')
    await session.end()
    session = await joinServer()
    const holder = service && (await session.becomeService(service.name))
    if (holder !== undefined) service?.onLost(holder)
  }
  const keep = async () => {
    for (;;) {
      await Promise.race([session.lost, aborted])
      if (closing.signal.aborted) return
      await rejoin().catch(async (error: unknown) => {
        if (closing.signal.aborted) return
        log.error({ reason: String(error) }, 'PostgreSQL cannot be joined again yet')
        await Bun.sleep(retryAfter_ms)
      })
    }
  }
  const keeping = keep()

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
      const leaving = keeping.then(() => leave(session, cluster))
      const left = await within(stopWithin_ms, leaving)
      if (!left) log.warn('PostgreSQL is still stopping, which it will finish by itself')
    },
  }
}

/** Ends the session, and the server with it if nobody else uses it. False when it takes longer. */
async function leave(session: Session, cluster: Cluster): Promise<boolean> {
  try {
    return !(await session.wasLast()) || (await stopServer(cluster, stopWithin_ms))
  } catch {
    // The server went away by itself: nothing to leave.
    return true
  } finally {
    await session.end()
  }
}

/** What `work` gives, or false when it takes longer than `limit_ms`. */
function within(limit_ms: number, work: Promise<boolean>): Promise<boolean> {
  const limit = new Promise<boolean>((resolve) => {
    setTimeout(resolve, limit_ms, false).unref()
  })
  return Promise.race([work, limit])
}
