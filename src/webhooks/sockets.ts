import { setTimeout } from 'node:timers/promises'
import {
  type DecryptedConnection,
  listConnectionsWithSocket,
  readSettings,
} from '../features/connections/index.ts'
import { acquireSocket, releaseSocket } from '../features/socket-leases/index.ts'
import { createDispatcher, type WebhookDeps } from './dispatch.ts'
import { type ManagedSocket, openSocket, type SocketOptions, type Sockets } from './open-socket.ts'

const defaultTickMs = 4_000
/** How many times longer the interval is while there is no socket. */
const idleFactor = 4
const defaultLeaseMs = 15_000

/**
 * Opens a socket for each connection that asks for one, in one of all processes, and opens it again when it
 * was closed. Requests are stored as those of webhooks are. Returns a function that closes all.
 */
export function startSockets(deps: WebhookDeps, options: SocketOptions) {
  const { tickMs = defaultTickMs, leaseMs = defaultLeaseMs } = options
  const sockets: Sockets = {
    dispatcher: createDispatcher(deps),
    options,
    holder: crypto.randomUUID(),
    leaseMs,
    managed: new Map(),
    attempts: new Set(),
    wake: () => {},
  }
  const stopped = new AbortController()
  const running = run(sockets, tickMs, stopped.signal)
  return {
    async stop() {
      stopped.abort()
      await running
      await Promise.allSettled([...sockets.managed.keys()].map((id) => release(sockets, id)))
      await Promise.allSettled(sockets.attempts)
    },
  }
}

async function run(sockets: Sockets, tickMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await tick(sockets)
    } catch (error) {
      logFailure(sockets, error)
    }
    const delayMs = sockets.managed.size > 0 ? tickMs : tickMs * idleFactor
    const woken = new AbortController()
    sockets.wake = () => woken.abort()
    const ends = { signal: AbortSignal.any([signal, woken.signal]) }
    // The lease has to be renewed before it ends.
    await setTimeout(delayMs, undefined, ends).catch(() => undefined)
  }
}

const logFailure = ({ dispatcher }: Sockets, error: unknown): void =>
  dispatcher.log.error({ err: error }, 'sockets were not checked')

/** Renews the leases, opens missing sockets and closes those that nobody wants any more. */
async function tick(sockets: Sockets): Promise<void> {
  const { dispatcher } = sockets
  const adapters = [...dispatcher.adapters.values()].filter(({ socket }) => socket !== undefined)
  const connections = await listConnectionsWithSocket(dispatcher, adapters)
  const wanted = connections.flatMap((connection) => {
    const key = keyOf(dispatcher, connection)
    return key === null ? [] : [{ connection, key }]
  })
  const ids = new Set(wanted.map(({ connection }) => connection.id))
  const unwanted = [...sockets.managed.keys()].filter((id) => !ids.has(id))
  const results = await Promise.allSettled([
    ...unwanted.map((id) => release(sockets, id)),
    ...wanted.map((one) => maintain(sockets, one)),
  ])
  for (const result of results) if (result.status === 'rejected') logFailure(sockets, result.reason)
}

/** The settings of the socket that a connection asks for; null when it asks for none. */
function keyOf({ adapters }: WebhookDeps, connection: DecryptedConnection): string | null {
  const adapter = adapters.get(connection.adapter)
  const settings = adapter && readSettings(connection, adapter.settings)
  return (settings && !connection.isDisconnected && adapter.socket?.key(settings)) || null
}

async function maintain(
  sockets: Sockets,
  { connection, key }: { connection: DecryptedConnection; key: string },
): Promise<void> {
  const { dispatcher, holder, leaseMs, managed } = sockets
  const owner = { teamId: connection.teamId, connectionId: connection.id, holder }
  const isOurs = await acquireSocket(dispatcher, { ...owner, leaseMs })
  if (!isOurs || managed.get(connection.id)?.key !== key) end(sockets, connection.id)
  if (!isOurs) return
  const socket = managed.get(connection.id) ?? newSocket(owner, key)
  managed.set(connection.id, socket)
  if (socket.ended || socket.retryAtMs > performance.now()) return
  attempt(sockets, connection, socket)
}

const newSocket = (owner: ManagedSocket['owner'], key: string): ManagedSocket => ({
  owner,
  key,
  ended: null,
  failures: 0,
  retryAtMs: 0,
})

/** Nothing waits for the provider, because all leases have to be renewed meanwhile. */
function attempt(sockets: Sockets, connection: DecryptedConnection, socket: ManagedSocket): void {
  const { attempts } = sockets
  const opening = openSocket(sockets, connection, socket)
    .catch((error) => logFailure(sockets, error))
    .finally(() => attempts.delete(opening))
  attempts.add(opening)
}

/** Closes the socket of a connection, or ends the attempt to open it. */
function end({ managed }: Sockets, id: string): ManagedSocket | undefined {
  const found = managed.get(id)
  managed.delete(id)
  found?.ended?.abort()
  return found
}

async function release(sockets: Sockets, id: string): Promise<void> {
  const found = end(sockets, id)
  if (found) await releaseSocket(sockets.dispatcher, found.owner)
}
