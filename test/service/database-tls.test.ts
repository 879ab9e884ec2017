import { afterAll, beforeAll, expect, test } from 'bun:test'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/index.ts'
import { requireUsableDatabase } from '../../src/lib/database/require-database.ts'
import { createCertificate } from '../support/database/certificate.ts'
import { createDatabase, type TestDatabase } from '../support/database/database.ts'
import { startTlsServer } from '../support/database/tls-server.ts'
import { createDataDir, type ServiceProcess, startProcess } from '../support/processes/process.ts'

let database: TestDatabase
let folder: Awaited<ReturnType<typeof createDataDir>>
let server: Awaited<ReturnType<typeof startTlsServer>>
let ownCertificate: string
let otherCertificate: string
beforeAll(async () => {
  database = await createDatabase()
  folder = await createDataDir()
  const certificate = createCertificate('localhost')
  server = await startTlsServer(database.address, certificate)
  ownCertificate = join(folder.path, 'own.pem')
  otherCertificate = join(folder.path, 'other.pem')
  await writeFile(ownCertificate, certificate.cert)
  await writeFile(otherCertificate, createCertificate('localhost').cert)
})
afterAll(async () => {
  await server.stop()
  await database.drop()
  await folder.remove()
})

const start = (parameters: string): ServiceProcess =>
  startProcess(folder.path, { DATABASE_URL: server.url(parameters) })

/** The pools of the service that are connected: that of requests, and that of the queue. */
const pools = async () => {
  const rows = await database.sql<{ name: string }[]>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name in ('tidings', 'tidings queue')
    order by name`
  return rows.map(({ name }) => name)
}

test.each(['sslmode=require', 'sslmode=verify-full&sslrootcert=OWN', 'ssl=true&sslrootcert=OWN'])(
  'the service and its queue work with a PostgreSQL whose certificate is of a private CA, with %s',
  async (parameters) => {
    const service = start(parameters.replace('OWN', ownCertificate))
    const base = await service.ready()
    expect((await fetch(`${base}/readyz`)).status).toBe(200)
    expect(await pools()).toEqual(['tidings', 'tidings queue'])
    service.process.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  },
)

test('a certificate of another CA than that of sslrootcert prevents the start with a sentence that names the setting', async () => {
  const service = start(`sslmode=verify-full&sslrootcert=${otherCertificate}`)
  expect(await service.exited).toBe(1)
  expect(service.printed()).toBe(
    `The certificate of PostgreSQL at localhost:${server.port} is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT): set sslrootcert in DATABASE_URL to the file with the certificate of its CA.\n`,
  )
})

test('a certificate for another host prevents the start, unless only its CA is verified', async () => {
  const url = (mode: string) =>
    server.url(`sslmode=${mode}&sslrootcert=${ownCertificate}`).replace('@localhost', '@127.0.0.1')
  const refused = startProcess(folder.path, { DATABASE_URL: url('verify-full') })
  expect(await refused.exited).toBe(1)
  expect(refused.printed()).toContain('is for another host')
  const accepted = startProcess(folder.path, { DATABASE_URL: url('verify-ca') })
  await accepted.ready()
  accepted.process.kill('SIGTERM')
  expect(await accepted.exited).toBe(0)
})

test('a parameter that PostgreSQL does not know, and a server without TLS, prevent the start with what to do', async () => {
  const problemOf = async (url: string) => {
    const { databaseUrl } = loadConfig({ DATABASE_URL: url })
    return await requireUsableDatabase(databaseUrl ?? '').catch((error: Error) => error.message)
  }
  expect(await problemOf(server.url('sslmode=require&uselibpqcompat=true'))).toBe(
    `PostgreSQL at localhost:${server.port} does not know a parameter of DATABASE_URL: remove what follows the question mark, apart from sslmode and sslrootcert.`,
  )
  const plain = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => socket.write('N'))
  })
  await once(plain.listen(0, '127.0.0.1'), 'listening')
  const at = plain.address()
  const port = typeof at === 'object' ? at?.port : 0
  expect(await problemOf(`postgres://ada@127.0.0.1:${port}/tidings?sslmode=require`)).toBe(
    `PostgreSQL at 127.0.0.1:${port} offers no TLS: set ssl=on there, or sslmode=disable in DATABASE_URL.`,
  )
  plain.close()
})
