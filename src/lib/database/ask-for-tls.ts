import { connect } from 'node:net'

// An SSLRequest: every server responds to it with one byte (PostgreSQL, 54.7 "Message Formats").
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
/**
 * What a server responds when it is asked for encryption. `not PostgreSQL`: something that PostgreSQL never
 * sends first, such as the greeting of another database. `unknown`: nothing within `withinMs`, or an error, such as of
 * a server that accepts nobody; the driver reports that.
 */
type TlsResponse = 'offered' | 'refused' | 'unknown' | 'not PostgreSQL'
const responses: Record<string, TlsResponse> = { S: 'offered', N: 'refused', E: 'unknown' }

/** Asks a server for encryption. The driver prints a line for each byte that it does not understand. */
export function askForTls(
  { host, port }: { host: string; port: number },
  withinMs = 2_000,
): Promise<TlsResponse> {
  const { promise, resolve } = Promise.withResolvers<TlsResponse>()
  const socket = connect({ host, port }, () => socket.write(sslRequest))
  // PostgreSQL sends nothing before its client does: a server that sends nothing may be one.
  socket.setTimeout(withinMs, () => resolve('unknown'))
  socket.on('error', () => resolve('unknown'))
  socket.on('close', () => resolve('unknown'))
  socket.once('data', (data: Buffer) =>
    resolve(responses[String.fromCharCode(data[0] ?? 0)] ?? 'not PostgreSQL'),
  )
  return promise.finally(() => socket.destroy())
}
