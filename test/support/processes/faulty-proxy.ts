import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/** How requests fail: a response of the chat, or `cut`, when their connections are closed. */
export type Fault = 'cut' | { status: number; headers?: Record<string, string>; body?: object }

/** Requests about credentials, which are made before all others. */
const isCredential = (url: string) => /^\/(?:token|keys)\b/.test(url)

/** A server before that of a chat, whose requests fail while `fault` is set. */
export async function startFaultyProxy(target: string) {
  const { hostname, port } = new URL(target)
  const state: { fault: Fault | null; failed: number } = { fault: null, failed: 0 }

  function forward(from: IncomingMessage, to: ServerResponse): void {
    const { url: path = '/', method, headers } = from
    const forwarded = request({ hostname, port, path, method, headers }, (response) => {
      to.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(to)
    })
    forwarded.on('error', () => to.destroy())
    from.pipe(forwarded)
  }

  const server = createServer((from, to) => {
    const { fault } = state
    if (fault === null || isCredential(from.url ?? '')) {
      forward(from, to)
      return
    }
    from.resume().on('end', () => {
      state.failed += 1
      if (fault === 'cut') to.destroy()
      else
        to.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers }).end(
          JSON.stringify(fault.body ?? {}),
        )
    })
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const { pathname } = new URL(target)
  return {
    state,
    url: `http://127.0.0.1:${address.port}${pathname}`,
    async stop(): Promise<void> {
      const { promise: closed, resolve: close } = Promise.withResolvers<void>()
      server.closeAllConnections()
      server.close(() => close())
      await closed
    },
  }
}

export type FaultyProxy = Awaited<ReturnType<typeof startFaultyProxy>>
