import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { client } from './support/app.ts'
import { person } from './support/console.ts'
import { until } from './support/fake-provider.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

let dataDir: string
let service: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
let setupLink: URL

/** The product as it is started, with everything that runs in it. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tidings-service-'))
  // Under root, PostgreSQL's own user has to get in, or the data would be kept elsewhere.
  await chmod(dataDir, 0o711)
  service = Bun.spawn(['bun', main], {
    env: { ...Bun.env, DATABASE_URL: '', DATA_DIR: dataDir, PORT: String(freePort()) },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const printed = [read(service.stdout), read(service.stderr)]
  const whole = () => printed.map((text) => text()).join('')
  // All of it runs, so that whatever holds something back does so now.
  await until(async () => whole().includes('forwards deliveries now'), 50)
  const link = await until(async () => /Set it up\s+(http\S+)/.exec(whole())?.[1])
  setupLink = new URL(link)
}, 60_000)
afterAll(async () => {
  service.kill('SIGKILL')
  await service.exited
  await rm(dataDir, { recursive: true, force: true })
})

function freePort(): number {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port = 0 } = probe
  probe.stop(true)
  return port
}

/** Reads a stream to its end; gives what has come so far. */
function read(stream: ReadableStream<Uint8Array>): () => string {
  let text = ''
  const reading = async () => {
    for await (const chunk of stream) text += Buffer.from(chunk).toString()
  }
  void reading()
  return () => text
}

test('a newcomer gets from the link on the terminal to a block in the library, and it ends when told', async () => {
  const visitor = person(setupLink.origin)
  await visitor.get(setupLink.pathname)
  const ada = { name: 'Ada Example', email: 'ada@northwind.test', password: 'seven long boats' }
  const made = await visitor.post(setupLink.pathname, { ...ada, team: 'Northwind' })
  expect(made).toMatchObject({ status: 303, location: '/welcome' })

  await visitor.get('/welcome')
  const { location } = await visitor.post('/welcome')
  const key = /tidings_\w{38}/.exec((await visitor.get(location ?? '')).html)?.[0] ?? ''
  const call = client(setupLink.origin, key)
  const news = { title: 'Version 2 is out', body: 'Search is twice as fast.' }
  expect((await call('POST', '/webhooks/ingest', news)).status).toBe(201)
  expect((await visitor.get('/library')).html).toContain('Version 2 is out')

  service.kill('SIGTERM')
  expect(await service.exited).toBe(0)
}, 30_000)
