import type { Adapter } from '../../integrations/kit/adapter.ts'
import type { RawRequest, Reply } from '../../integrations/kit/requests/received.ts'
import {
  type DecryptedConnection,
  findDecryptedConnection,
  readSettings,
  routedConnection,
} from '../features/connections/index.ts'
import { type SocketOwner, setSocketProblem } from '../features/socket-leases/index.ts'
import { toReason } from '../lib/text/reason.ts'
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
  /** How long an attempt to open a socket can take. */
  openTimeoutMs?: number
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
  /** The sockets whose lease this process has, by connection. */
  managed: Map<string, ManagedSocket>
  /** The attempts in progress. */
  attempts: Set<Promise<void>>
  /** Ends the wait for the next check. */
  wake: () => void
}

/** The socket of a connection: open, being opened, or waiting for the next attempt. */
export interface ManagedSocket {
  owner: SocketOwner
  /** The settings with which it is opened. */
  key: string
  /** Closes the socket, or ends the attempt to open it; null when there is neither. */
  ended: AbortController | null
  /** The attempts that have failed one after the other. */
  failures: number
  retryAtMs: number
}

const defaultOpenTimeoutMs = 20_000
const maxRetryMs = 60_000
/** A socket that was closed earlier counts as an attempt that failed. */
const stableMs = 10_000

/** Opens the socket of a connection. A failure is stored, and the attempt is repeated later and later. */
export async function openSocket(
  sockets: Sockets,
  connection: DecryptedConnection,
  managed: ManagedSocket,
): Promise<void> {
  const { dispatcher } = sockets
  const log = { adapter: connection.adapter, connection: connection.id }
  const ended = new AbortController()
  managed.ended = ended
  try {
    await open(sockets, connection, { managed, ended })
    await setSocketProblem(dispatcher, { ...managed.owner, problem: null })
    dispatcher.log.info(log, 'the socket of a connection is open')
  } catch (error) {
    if (ended.signal.aborted) return
    ended.abort()
    countFailure(sockets, managed)
    dispatcher.log.warn({ ...log, err: error }, 'the socket of a connection was not opened')
    const problem = error instanceof Error ? toReason(error.message) : 'The socket failed.'
    await setSocketProblem(dispatcher, { ...managed.owner, problem })
  }
}

/** Opens the socket, and closes it when `ended` is aborted. */
async function open(
  sockets: Sockets,
  connection: DecryptedConnection,
  { managed, ended }: { managed: ManagedSocket; ended: AbortController },
): Promise<void> {
  const { dispatcher, options } = sockets
  const { openTimeoutMs = defaultOpenTimeoutMs } = options
  const adapter = dispatcher.adapters.get(connection.adapter)
  const settings = adapter && readSettings(connection, adapter.settings)
  if (!adapter?.socket || !settings) throw new Error('The settings are not valid any more.')
  const openedAtMs = performance.now()
  const closed = new AbortController()
  const socket = await adapter.socket.open({
    settings,
    provider: { fetch: dispatcher.outbound },
    // A provider that does not respond must not stop the attempts.
    signal: AbortSignal.any([ended.signal, AbortSignal.timeout(openTimeoutMs)]),
    isAllowedHost: (host) => options.allowedHosts.includes(host),
    receive: (request) => receive(sockets, { adapter, connection, request }),
    onClosed: () => closed.abort(),
  })
  ended.signal.addEventListener('abort', () => socket.close())
  if (ended.signal.aborted) socket.close()
  if (closed.signal.aborted) throw new Error('The provider closed the socket at once.')
  closed.signal.addEventListener('abort', () => {
    if (ended.signal.aborted) return
    const log = { adapter: adapter.slug, connection: connection.id }
    dispatcher.log.info(log, 'the socket of a connection was closed')
    if (performance.now() - openedAtMs < stableMs) countFailure(sockets, managed)
    else Object.assign(managed, { ended: null, failures: 0 })
    sockets.wake()
  })
}

/** Stores that there is no socket, and when the next attempt is. */
function countFailure({ options }: Sockets, managed: ManagedSocket): void {
  const { firstRetryMs = 1_000 } = options
  managed.ended = null
  managed.failures += 1
  const delayMs = Math.min(maxRetryMs, firstRetryMs * 2 ** (managed.failures - 1))
  managed.retryAtMs = performance.now() + delayMs
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
    const { sql, now, keys, messageReader, outbound } = dispatcher
    const { baseUrl } = sockets.options
    const team = teamApiOf(
      { sql, now, baseUrl, readsMessages: messageReader.available },
      connection,
    )
    const provider = { fetch: outbound }
    const { language } = connection
    const context = { settings, now: now(), team, language, keys, provider }
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
