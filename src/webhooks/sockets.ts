import { setTimeout } from 'node:timers/promises'
import {
  type DecryptedConnection,
  listDecryptedConnections,
  readSettings,
} from '../features/connections/index.ts'
import { acquireSocket, releaseSocket } from '../features/socket-leases/index.ts'
import { createDispatcher, type WebhookDeps } from './dispatch.ts'
import { openSocket, type SocketOptions, type Sockets } from './open-socket.ts'

const defaultTickMs = 4_000
/** Without sockets, connections are looked for less often. */
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
    open: new Map(),
    failures: new Map(),
    wake: () => {},
  }
  const stopped = new AbortController()
  const running = run(sockets, tickMs, stopped.signal)
  return {
    async stop() {
      stopped.abort()
      await running
      await Promise.allSettled([...sockets.open.keys()].map((id) => release(sockets, id)))
    },
  }
}

async function run(sockets: Sockets, tickMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await tick(sockets)
    } catch (error) {
      sockets.dispatcher.log.error({ err: error }, 'sockets were not checked')
    }
    const delayMs = sockets.open.size + sockets.failures.size > 0 ? tickMs : tickMs * idleFactor
    const woken = new AbortController()
    sockets.wake = () => woken.abort()
    const ends = { signal: AbortSignal.any([signal, woken.signal]) }
    // The lease has to be renewed before it ends.
    await setTimeout(delayMs, undefined, ends).catch(() => undefined)
  }
}

/** Renews the leases, opens missing sockets and closes those that nobody wants any more. */
async function tick(sockets: Sockets): Promise<void> {
  const { dispatcher } = sockets
  const adapters = [...dispatcher.adapters.values()].filter(({ socket }) => socket !== undefined)
  const connections = await listDecryptedConnections(
    dispatcher,
    adapters.map(({ slug }) => slug),
  )
  const wanted = connections.flatMap((connection) => {
    const key = keyOf(dispatcher, connection)
    return key === null ? [] : [{ connection, key }]
  })
  const ids = new Set(wanted.map(({ connection }) => connection.id))
  for (const id of sockets.open.keys()) if (!ids.has(id)) await release(sockets, id)
  await Promise.all(wanted.map((one) => maintain(sockets, one)))
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
  const { dispatcher, holder, leaseMs, open, failures } = sockets
  const owner = { teamId: connection.teamId, connectionId: connection.id, holder }
  const isOurs = await acquireSocket(dispatcher, owner, leaseMs)
  const existing = open.get(connection.id)
  if (existing && (!isOurs || existing.key !== key)) closeSocket(sockets, connection.id)
  if (!isOurs || open.has(connection.id)) return
  if ((failures.get(connection.id)?.retryAtMs ?? 0) > performance.now()) return
  await openSocket(sockets, connection, { owner, key })
}

function closeSocket({ open }: Sockets, id: string): void {
  const found = open.get(id)
  open.delete(id)
  found?.socket.close()
}

async function release(sockets: Sockets, id: string): Promise<void> {
  const found = sockets.open.get(id)
  closeSocket(sockets, id)
  if (found) await releaseSocket(sockets.dispatcher, found.owner)
}
