import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { DatabaseAddress } from '../../../src/lib/database/db.ts'
import { endpointOf, partsOf } from './tls-server.ts'

const ignored = /^(?:statement_timeout|lock_timeout|idle_in_transaction_session_timeout|work_mem)$/

/**
 * The PostgreSQL of the tests without the settings with which a session begins, as behind PgBouncer with
 * `ignore_startup_parameters`.
 */
export async function startPooler(address: DatabaseAddress) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(endpointOf(address))
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
    client.on('data', function begin(data: Buffer) {
      // An SSLRequest has eight bytes, and a start with its settings follows.
      if (data.length === 8) {
        client.write('N')
        return
      }
      client.off('data', begin)
      database.write(withoutSettings(data))
      client.pipe(database)
      database.pipe(client)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  const { port } = at
  const { username, password, pathname } = partsOf(address)
  return {
    port,
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A StartupMessage: its length, the version of the protocol, and names with their values (PostgreSQL, 55.7). */
function withoutSettings(message: Buffer): Buffer {
  const words = message.toString('utf8', 8).split('\0')
  const kept = words.flatMap((word, at) =>
    at % 2 === 0 && word !== '' && !ignored.test(word) ? [word, words[at + 1] ?? ''] : [],
  )
  const body = Buffer.from(`${kept.join('\0')}\0\0`)
  const head = Buffer.from(message.subarray(0, 8))
  head.writeInt32BE(head.length + body.length)
  return Buffer.concat([head, body])
}
