/**
 * The load generator, a process of its own: reads a `Load` from stdin as JSON, sends requests over
 * keep-alive connections for the given time, waits for every response, and prints a `LoadResult`.
 */

/** What one round sends. */
export interface Load {
  port: number
  connections: number
  seconds: number
  method: 'GET' | 'POST'
  path: string
  /** Each connection takes the next token for each request, so that no key exceeds its limit. */
  tokens: readonly string[]
  /** JSON; null for a request without a body. */
  body: string | null
}

/** What one round measured; times are in milliseconds. */
export interface LoadResult {
  seconds: number
  /** Number of responses by status. */
  statuses: Record<string, number>
  p50: number
  p99: number
}

interface Exchange {
  buffer: Buffer
  sentAt: number
  ended: () => void
}

const endOfHead = Buffer.from('\r\n\r\n')
// JSON and HTML of the measured responses contain no such line.
const lastChunk = Buffer.from('\r\n0\r\n\r\n')

if (import.meta.main) {
  const load: Load = JSON.parse(await Bun.stdin.text())
  process.stdout.write(JSON.stringify(await run(load)))
}

/** Sends requests for `load.seconds` and waits for the last responses. */
async function run(load: Load): Promise<LoadResult> {
  const requests = load.tokens.map((token) => requestBytes(load, token))
  const statuses: Record<string, number> = {}
  const times: number[] = []
  const started = performance.now()
  const deadline = started + load.seconds * 1000
  let next = 0

  const send = (socket: Bun.Socket<Exchange>) => {
    const now = performance.now()
    if (now >= deadline) return void socket.end()
    socket.data.sentAt = now
    const request = requests[next++ % requests.length]
    if (request) socket.write(request)
  }
  const socket = {
    open: send,
    data(socket: Bun.Socket<Exchange>, chunk: Buffer) {
      const { data } = socket
      data.buffer = data.buffer.length === 0 ? chunk : Buffer.concat([data.buffer, chunk])
      const status = completeStatus(data.buffer)
      if (status === null) return
      data.buffer = Buffer.alloc(0)
      statuses[status] = (statuses[status] ?? 0) + 1
      times.push(performance.now() - data.sentAt)
      send(socket)
    },
    close: (socket: Bun.Socket<Exchange>) => socket.data.ended(),
    error: (_socket: Bun.Socket<Exchange>, error: Error) => {
      throw error
    },
  }
  const connections = Array.from({ length: load.connections }, async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const data = { buffer: Buffer.alloc(0), sentAt: 0, ended: resolve }
    await Bun.connect({ hostname: '127.0.0.1', port: load.port, data, socket })
    await promise
  })
  await Promise.all(connections)
  times.sort((a, b) => a - b)
  const percentile = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return {
    seconds: (performance.now() - started) / 1000,
    statuses,
    p50: percentile(0.5),
    p99: percentile(0.99),
  }
}

function requestBytes({ method, path, body }: Load, token: string): Buffer {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    'accept: application/json',
    ...(body === null
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

/** The status of a response that has arrived completely, else null. */
function completeStatus(buffer: Buffer): string | null {
  const headEnd = buffer.indexOf(endOfHead)
  if (headEnd === -1) return null
  const head = buffer.toString('latin1', 0, headEnd)
  const status = head.slice(9, 12)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) {
    return buffer.length >= headEnd + endOfHead.length + Number(length) ? status : null
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head))
    throw new Error(`A body without an end: ${head}`)
  return buffer.subarray(-lastChunk.length).equals(lastChunk) ? status : null
}
