import { codeOf } from '../lib/errors.ts'

const finishRequestsMs = 4_000

interface ListenOptions {
  port: number
  hostname?: string
  reusePort: boolean
  maxRequestBodySize: number
  idleTimeout: number
}

/** The parts of an Elysia app that are used here, whatever its routes are. */
interface Listener {
  listen(options: ListenOptions): unknown
  readonly server: { port?: number | undefined; stop(close?: boolean): Promise<void> } | null
}

interface Listening {
  port: number
  stop(closeActiveConnections?: boolean): Promise<void>
}

interface Address {
  port: number
  /** Null: all addresses of this machine. */
  host: string | null
  /** The setting of the port, for the message of an error. */
  setting: 'PORT' | 'METRICS_PORT'
}

/**
 * Listens on the port exclusively: with Elysia's default (`reusePort`), a second service on the
 * port would receive part of the requests. Bodies are limited where they are read, with an error
 * response that states the limit.
 */
export function listen(app: Listener, address: Address): Listening {
  const { port, host } = address
  const limits = { maxRequestBodySize: Number.MAX_SAFE_INTEGER, idleTimeout: 30 }
  try {
    app.listen({ port, ...(host !== null && { hostname: host }), reusePort: false, ...limits })
  } catch (error) {
    throw whyNotListening(error, address)
  }
  const { server } = app
  if (!server) throw new Error('The server did not start.')
  return { port: server.port ?? port, stop: (close) => server.stop(close) }
}

/** The error of `listen` as a sentence that says what to do. */
function whyNotListening(error: unknown, { port, host, setting }: Address): unknown {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    return new Error(`Port ${port} is in use by another program. Set ${setting} to a free one.`)
  }
  if (code === 'EADDRNOTAVAIL') {
    return new Error(`${host} is not an address of this machine. Correct HOST, or remove it.`)
  }
  return error
}

/** The host under which this process reaches itself. */
export function ownHost(host: string | null): string {
  if (host === null || host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Accepts no new requests and waits up to 4 s for those that are running. */
export async function finish(server: Listening): Promise<void> {
  // A request that does not end must not keep the process from stopping.
  await Promise.race([server.stop(), Bun.sleep(finishRequestsMs)])
  await server.stop(true)
}
