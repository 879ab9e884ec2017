import { connect } from 'node:net'

// An SSLRequest: every server responds to it with one byte (PostgreSQL, 54.7 "Message Formats").
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
/** Encryption is offered, is not offered, or an error, such as of a server that accepts nobody. */
const responses = 'SNE'

/**
 * False when the server at the address sends something that PostgreSQL never sends first, such as the
 * greeting of another database. True also when it sends nothing within `withinMs`, because the driver
 * reports that. The driver prints a line for each byte that it does not understand.
 */
export function isPostgresServer(
  { host, port }: { host: string; port: number },
  withinMs = 2_000,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host, port }, () => socket.write(sslRequest))
  // PostgreSQL sends nothing before its client does: a server that sends nothing may be one.
  socket.setTimeout(withinMs, () => resolve(true))
  socket.on('error', () => resolve(true))
  socket.on('close', () => resolve(true))
  socket.once('data', (data: Buffer) =>
    resolve(responses.includes(String.fromCharCode(data[0] ?? 0))),
  )
  return promise.finally(() => socket.destroy())
}
