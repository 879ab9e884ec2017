/**
 * A proxy between the workers and ingest. While it loses responses, it passes every request on and answers
 * every second one with 502, as a proxy whose upstream connection breaks after the work is done.
 */
export function startIngestProxy(target: () => string) {
  let losesResponses = false
  let requests = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = await request.arrayBuffer()
      const response = await fetch(`${target()}${pathname}${search}`, {
        method,
        headers,
        body,
      }).catch(() => null)
      requests++
      if (response === null || (losesResponses && requests % 2 === 0))
        return new Response('bad gateway', { status: 502 })
      return new Response(await response.arrayBuffer(), response)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    loseResponses(value: boolean) {
      losesResponses = value
    },
    close: () => server.stop(true),
  }
}
