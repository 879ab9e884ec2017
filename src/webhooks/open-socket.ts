import type { Adapter } from '../../integrations/kit/adapter.ts'
import type { RawRequest, Reply } from '../../integrations/kit/received.ts'
import type { Socket } from '../../integrations/kit/socket.ts'
import {
  type DecryptedConnection,
  findDecryptedConnection,
  readSettings,
  routedConnection,
} from '../features/connections/index.ts'
import { type SocketOwner, setSocketProblem } from '../features/socket-leases/index.ts'
import { toReason } from '../lib/reason.ts'
import { type Dispatcher, dispatchResult } from './dispatch.ts'
import { teamApiOf } from './team-api.ts'

export interface SocketOptions {
  /** The public base URL of the service, without a slash at the end. */
  baseUrl: string
  /** Hosts that sockets may reach beside those of providers. */
  allowedHosts: readonly string[]
  /** How often leases are renewed and missing sockets are opened. */
  tickMs?: number
  /** How long a process that died keeps the socket. */
  leaseMs?: number
  /** The delay after the first failure, which doubles with each further one. */
  firstRetryMs?: number
}

/** The sockets of this process. */
export interface Sockets {
  dispatcher: Dispatcher
  options: SocketOptions
  /** Identifies this process. */
  holder: string
  leaseMs: number
  /** The open sockets of this process, by connection. */
  open: Map<string, OpenSocket>
  /** The attempts that have failed, by connection. */
  failures: Map<string, { count: number; retryAtMs: number }>
  /** Ends the wait for the next check. */
  wake: () => void
}

export interface OpenSocket {
  socket: Socket
  owner: SocketOwner
  /** The settings with which it was opened. */
  key: string
}

const maxRetryMs = 60_000
/** A socket that was closed earlier counts as an attempt that failed. */
const stableMs = 10_000

/** Opens the socket of a connection. A failure is stored, and the attempt is repeated later and later. */
export async function openSocket(
  sockets: Sockets,
  connection: DecryptedConnection,
  given: Omit<OpenSocket, 'socket'>,
): Promise<void> {
  const { dispatcher, options, open } = sockets
  const { id } = connection
  const adapter = dispatcher.adapters.get(connection.adapter)
  const settings = adapter && readSettings(connection, adapter.settings)
  if (!adapter?.socket || !settings) return
  const log = { adapter: adapter.slug, connection: id }
  try {
    const openedAtMs = performance.now()
    const socket = await adapter.socket.open({
      settings,
      provider: { fetch: dispatcher.outbound },
      isAllowedHost: (host) => options.allowedHosts.includes(host),
      receive: (request) => receive(sockets, { adapter, connection, request }),
      onClosed() {
        dispatcher.log.info(log, 'the socket of a connection was closed')
        if (open.get(id)?.socket !== socket) return
        open.delete(id)
        if (performance.now() - openedAtMs < stableMs) countFailure(sockets, id)
        else sockets.failures.delete(id)
        sockets.wake()
      },
    })
    open.set(id, { ...given, socket })
    await setSocketProblem(dispatcher, given.owner, null)
    dispatcher.log.info(log, 'the socket of a connection is open')
  } catch (error) {
    countFailure(sockets, id)
    const problem = error instanceof Error ? toReason(error.message) : 'The socket failed.'
    await setSocketProblem(dispatcher, given.owner, problem)
    dispatcher.log.warn({ ...log, err: error }, 'the socket of a connection was not opened')
  }
}

function countFailure({ failures, options }: Sockets, id: string): void {
  const count = (failures.get(id)?.count ?? 0) + 1
  const { firstRetryMs = 1_000 } = options
  const delayMs = Math.min(maxRetryMs, firstRetryMs * 2 ** (count - 1))
  failures.set(id, { count, retryAtMs: performance.now() + delayMs })
}

interface SocketRequest {
  adapter: Adapter
  connection: DecryptedConnection
  request: RawRequest
}

/** Stores a request. Throws when that failed, so that the provider repeats it. */
async function receive(sockets: Sockets, { adapter, ...given }: SocketRequest): Promise<Reply> {
  const { dispatcher } = sockets
  const log: Record<string, unknown> = { adapter: adapter.slug, connection: given.connection.id }
  try {
    const connection = await currentConnection(sockets, { adapter, ...given })
    const settings = readSettings(connection, adapter.settings)
    if (!settings || !adapter.socket) throw new Error('the settings are not valid any more')
    const { sql, now } = dispatcher
    const team = teamApiOf({ sql, now, baseUrl: sockets.options.baseUrl }, connection)
    const context = { settings, now: now(), team, language: connection.language }
    const received = await adapter.socket.receive(given.request, context)
    log['outcome'] = received.kind
    const reply = await dispatchResult(dispatcher, { adapter, connection, log }, received)
    dispatcher.log.info(log, 'request over a socket')
    return reply
  } catch (error) {
    dispatcher.log.error({ ...log, err: error }, 'a request over a socket was not stored')
    throw error
  }
}

/** The connection as it is now, or the one to which it routes the source of the request. */
async function currentConnection(
  { dispatcher }: Sockets,
  { adapter, connection: { teamId, id }, request }: SocketRequest,
): Promise<DecryptedConnection> {
  const current = await findDecryptedConnection(dispatcher, teamId, id)
  if (!current) throw new Error('the connection was removed')
  const source = current.hasRoutes ? adapter.sourceOf?.(request) : undefined
  return source === undefined ? current : await routedConnection(dispatcher, current, source)
}
