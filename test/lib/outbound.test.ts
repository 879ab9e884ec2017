import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import * as v from 'valibot'
import { createSsrfFetch, isPublicAddress } from '../../src/lib/outbound/ssrf-fetch.ts'

let connections = 0
/** The ports from which the sink was called, one a connection. */
const ports: (number | undefined)[] = []
const sink = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request, server) {
    connections++
    ports.push(server.requestIP(request)?.port)
    const { pathname } = new URL(request.url)
    if (pathname === '/away') return Response.redirect('http://127.0.0.1/')
    if (pathname === '/huge') return new Response(Buffer.alloc(6 * 1024 * 1024))
    if (pathname === '/packed') {
      const headers = { 'content-encoding': 'gzip' }
      return new Response(Bun.gzipSync('unpacked'), { headers })
    }
    if (pathname === '/never') return new Promise(() => {})
    return new Response(`${request.method} ${request.headers.get('host')}`)
  },
})
const sinkHost = `127.0.0.1:${sink.port}`
beforeAll(() => {
  connections = 0
})
afterAll(() => sink.stop(true))

const Tls = v.object({ serverName: v.string() })

const strict = createSsrfFetch({ allowPrivate: [] })

describe('Calls to addresses that others choose', () => {
  // The addresses of threats.md, T-20, over https as well, so that it is not the scheme that saves us.
  const hosts = [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '[::]', '[::1]'],
    ...['[::ffff:169.254.169.254]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::1]'],
    ...['[fd00:ec2::254]', '169.254.169.254', 'localhost', 'localhost.', '10.0.0.1'],
    ...['172.16.0.1', '192.168.1.1', '100.64.0.1', '224.0.0.1', '255.255.255.255', '240.0.0.1'],
    ...['[fe80::1]', '[ff02::1]', '[::127.0.0.1]', '[2001::1]', '[64:ff9b:1::1]', '[fec0::1]'],
  ]
  test.each(hosts)('a call never reaches %s', async (host) => {
    const before = connections
    for (const url of [`https://${host}/`, `https://${host}:${sink.port}/`, `http://${host}/`]) {
      // A connection to most of these addresses would fail anyway. Not every machine knows `localhost.`.
      await expect(strict(url)).rejects.toThrow(/was refused: (?:its address|only https)|ENOTFOUND/)
    }
    expect(connections).toBe(before)
  })

  test.each(['file:///etc/passwd', 'gopher://example.com/', 'ftp://example.com', 'data:,x', 'x'])(
    'a call to %s is refused because it is not https',
    async (url) => {
      await expect(strict(url)).rejects.toMatchObject({
        name: 'OutboundError',
        canSucceedLater: false,
      })
    },
  )

  test('a call is refused when any address of the name is private', async () => {
    const outbound = createSsrfFetch({
      allowPrivate: [],
      resolve: async () => ['93.184.215.14', '10.0.0.1'],
    })
    await expect(outbound('https://mixed.example/')).rejects.toThrow('not public')
  })

  test('a call goes to the address that was checked, even when the name resolves to another one afterwards', async () => {
    const replies = [['93.184.215.14'], ['127.0.0.1']]
    const reached: string[] = []
    const outbound = createSsrfFetch({
      allowPrivate: [],
      resolve: async () => replies.shift() ?? [],
      fetch: Object.assign(
        async (url: unknown, init?: BunFetchRequestInit) => {
          const { serverName } = v.parse(Tls, init?.tls)
          reached.push(`${url} for ${new Headers(init?.headers).get('host')} of ${serverName}`)
          return new Response('')
        },
        { preconnect: () => {} },
      ),
    })
    await outbound('https://rebind.example/hook?x=1')
    expect(reached).toEqual(['https://93.184.215.14/hook?x=1 for rebind.example of rebind.example'])
    await expect(outbound('https://rebind.example/')).rejects.toThrow('not public')
  })

  test('a call to a URL with a password is refused', async () => {
    const call = strict('https://user:secret@example.com/')
    await expect(call).rejects.toThrow('password')
  })
})

describe('Private addresses that the operator allows', () => {
  test('an allowed private address is reached on its host and port only, also over http, with its name in the Host header', async () => {
    const resolve = async () => ['127.0.0.1']
    const outbound = createSsrfFetch({ allowPrivate: [`wiki.internal:${sink.port}`], resolve })
    const response = await outbound(`http://wiki.internal:${sink.port}/page`, { method: 'PUT' })
    expect(await response.text()).toBe(`PUT wiki.internal:${sink.port}`)
    await expect(outbound('http://wiki.internal/')).rejects.toThrow('only https')
    await expect(outbound('https://wiki.internal:1/')).rejects.toThrow('not public')
    await expect(outbound(`http://other.internal:${sink.port}/`)).rejects.toThrow('only https')
  })

  const outbound = createSsrfFetch({ allowPrivate: ['127.0.0.1'] })

  test('a call follows no redirect, reads no response above its limit, and can be aborted', async () => {
    await expect(outbound(`http://${sinkHost}/away`)).rejects.toThrow('redirect')
    await expect(outbound(`http://${sinkHost}/huge`)).rejects.toThrow('too large')
    const signal = AbortSignal.timeout(50)
    const call = outbound(`http://${sinkHost}/never`, { signal })
    await expect(call).rejects.toMatchObject({ name: 'OutboundError' })
  })

  test('a call ends after ten seconds, also one that its caller could end', async () => {
    using limit = spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    for (const init of [{}, { signal: new AbortController().signal }]) {
      const call = outbound(`http://${sinkHost}/never`, init)
      await expect(call).rejects.toThrow('The call to 127.0.0.1 failed: AbortError')
    }
    expect(limit.mock.calls).toEqual([[10_000], [10_000]])
  })

  test('each call has a connection of its own, which no call to another name at the same address can use', async () => {
    ports.length = 0
    for (let n = 0; n < 3; n++) await (await outbound(`http://${sinkHost}/`)).text()
    expect(new Set(ports).size).toBe(3)
  })

  test('a response is unpacked, and its headers say nothing else', async () => {
    const response = await outbound(`http://${sinkHost}/packed`)
    expect(await response.text()).toBe('unpacked')
    expect(response.headers.has('content-encoding')).toBe(false)
  })

  test('the error of a call says whether the host can have got the request', async () => {
    const errorOf = (url: string) =>
      outbound(url, { signal: AbortSignal.timeout(50) }).catch((error: unknown) => error)
    expect(await errorOf('http://127.0.0.1:1/')).toMatchObject({ isUnconnected: true })
    expect(await errorOf(`http://${sinkHost}/never`)).toMatchObject({ isUnconnected: false })
  })

  test('the error of a call contains no path, because a path may be a secret', async () => {
    const call = outbound('http://127.0.0.1:1/services/canary').catch((error: Error) => error)
    expect(Bun.inspect(await call)).not.toContain('canary')
  })
})

test('public addresses are not taken for private ones', () => {
  expect(['1.1.1.1', '140.82.112.3', '2606:4700::1111'].map(isPublicAddress)).toEqual([
    true,
    true,
    true,
  ])
  expect(isPublicAddress('not an address')).toBe(false)
})
