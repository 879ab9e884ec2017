import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { DatabaseAddress } from '../../../src/lib/database/db.ts'
import { urlOf } from '../run/test-run.ts'

/**
 * The PostgreSQL of the tests, encrypted with this certificate: it offers TLS as PostgreSQL does, and
 * passes what it decrypts to the address.
 */
export async function startTlsServer(
  address: DatabaseAddress,
  certificate: { cert: string; key: string },
) {
  const secureContext = createSecureContext(certificate)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    // The SSLRequest, which is the first message.
    socket.once('data', () => {
      socket.write('S')
      const client = new TLSSocket(socket, { isServer: true, secureContext })
      const database = connect(endpointOf(address))
      sockets.add(database)
      for (const [from, to] of [
        [client, database],
        [database, client],
      ] as const) {
        from.on('error', () => to.destroy())
        from.on('close', () => to.destroy())
        from.pipe(to)
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  const { port } = at
  return {
    port,
    /** The database on this server, as DATABASE_URL contains it. */
    url(parameters: string): string {
      const { username, password, pathname } = partsOf(address)
      return `postgres://${username}:${password}@localhost:${port}${pathname}?${parameters}`
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Where the PostgreSQL of the tests listens: a socket, or a host and a port. */
export function endpointOf(address: DatabaseAddress) {
  const { hostname, port, searchParams } = partsOf(address)
  const folder = searchParams.get('host')
  return folder === null
    ? { host: hostname, port: Number(port || 5432) }
    : { path: `${folder}/.s.PGSQL.${searchParams.get('port')}` }
}

/** The parts of an address, whose host is `localhost` when it has none. */
export const partsOf = (address: DatabaseAddress) =>
  new URL(urlOf(address).replace('@/', '@localhost/'))
