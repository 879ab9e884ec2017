import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let key: string
beforeAll(async () => {
  app = await startApp({ forward: false })
  key = await app.key(await app.team('http'), ['read', 'write'])
})
afterAll(() => app.close())

/** The first line of the response to raw bytes. */
async function statusLineOf(request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const { hostname, port } = new URL(app.base)
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => resolve(bytes.toString().split('\r\n')[0] ?? ''),
      close: () => resolve('closed without a response'),
      error: (_, error) => reject(error),
    },
  })
  socket.write(request)
  try {
    return await promise
  } finally {
    socket.end()
  }
}

test.each([
  ['Content-Length and Transfer-Encoding', 'Content-Length: 4\r\nTransfer-Encoding: chunked'],
  ['two different Content-Length headers', 'Content-Length: 4\r\nContent-Length: 5'],
  ['an unknown Transfer-Encoding', 'Transfer-Encoding: gzip'],
])(
  'a request with %s is refused with 400, so that no proxy reads it differently',
  async (_, lines) => {
    const request = `POST /api/v1/ping HTTP/1.1\r\nHost: tidings.test\r\n${lines}\r\n\r\n0\r\n\r\n`
    expect(await statusLineOf(request)).toContain(' 400 ')
  },
)

test.each(['/apis', '/api-of-others', '/hooks-of-others'])(
  'the address %s, which only begins like one for programs, is a page that does not exist',
  async (path) => {
    const response = await fetch(app.base + path, { redirect: 'manual' })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toStartWith('text/html')
  },
)

test('a page of another origin can read no response of the API', async () => {
  const origin = 'https://evil.example'
  const headers = { origin, authorization: `Bearer ${key}` }
  for (const method of ['GET', 'OPTIONS']) {
    const response = await fetch(`${app.base}/api/v1/ping`, { method, headers })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  }
})

test('the value of a key in the address is in no log line, no header and no error', async () => {
  const paths = ['/ping', '/newsletters/none', '/nowhere', '/newsletters?page=x']
  for (const path of paths) {
    const separator = path.includes('?') ? '&' : '?'
    const address = `${app.base}/api/v1${path}${separator}api_key=${key}`
    const response = await fetch(address, { redirect: 'manual' })
    const headers = JSON.stringify([...response.headers])
    expect({ path, leaks: (headers + (await response.text())).includes(key) }).toEqual({
      path,
      leaks: false,
    })
  }
  expect(app.logLines.filter((line) => line.includes('/ping')).length).toBeGreaterThan(0)
  expect(app.logLines.filter((line) => line.includes(key))).toEqual([])
})
