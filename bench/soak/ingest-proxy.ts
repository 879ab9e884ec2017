/**
 * What a proxy does: it passes requests and responses on; answers every second request with 502 after it has
 * passed it on, as one whose upstream connection breaks after the work is done; or passes nothing on and says
 * that there are too many requests.
 */
type Behavior = 'works' | 'loses responses' | 'limits requests'

/** A proxy between the workers and ingest, whose behavior can change. */
export function startIngestProxy(target: () => string) {
  let behavior: Behavior = 'works'
  let requests = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (behavior === 'limits requests')
        return new Response('too many requests', { status: 429, headers: { 'retry-after': '2' } })
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = await request.arrayBuffer()
      const response = await fetch(`${target()}${pathname}${search}`, {
        method,
        headers,
        body,
      }).catch(() => null)
      requests++
      if (response === null || (behavior === 'loses responses' && requests % 2 === 0))
        return new Response('bad gateway', { status: 502 })
      return new Response(await response.arrayBuffer(), response)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    behave(as: Behavior) {
      behavior = as
    },
    close: () => server.stop(true),
  }
}
