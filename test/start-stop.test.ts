import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { until } from './support/fake-provider.ts'
import { createDataDir, type ServiceProcess, startProcess } from './support/process.ts'

let folder: Awaited<ReturnType<typeof createDataDir>>
beforeAll(async () => {
  folder = await createDataDir()
})
afterAll(() => folder.remove())
beforeEach(async () => {
  // Every test leaves a stopped database behind, also the one before this one.
  expect(await postgresRuns()).toBe(false)
})

const postgresRuns = () => Bun.file(`${folder.path}/postgres/data/postmaster.pid`).exists()
const ready = (service: ServiceProcess) =>
  until(async () => service.printed().includes('Tidings is ready'), 50)

test('a service that is told to stop while it starts leaves no PostgreSQL behind', async () => {
  const service = startProcess(folder.path)
  await until(postgresRuns, 50)
  service.process.kill('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(service.printed()).not.toContain('Tidings is ready')
  expect(await postgresRuns()).toBe(false)
}, 60_000)

test.each(['SIGHUP', 'SIGQUIT'] as const)(
  '%s stops the service and its PostgreSQL',
  async (signal) => {
    const service = startProcess(folder.path)
    await ready(service)
    service.process.kill(signal)
    expect(await service.exited).toBe(0)
    expect(await postgresRuns()).toBe(false)
  },
  60_000,
)

test('a service whose log cannot be written any more keeps running and stops cleanly', async () => {
  const service = startProcess(folder.path, { LOG_LEVEL: 'debug' }, { closeOutput: true })
  const ping = () => fetch(`http://127.0.0.1:${service.port}/healthz`).catch(() => null)
  await until(async () => (await ping())?.ok, 50)
  for (let request = 0; request < 20; request++) expect((await ping())?.status).toBe(200)
  service.process.kill('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(await postgresRuns()).toBe(false)
}, 60_000)

test('a port on which another service listens prevents the start, with what to do', async () => {
  // Elysia sets this option, so that two processes could share a port without noticing.
  const other = Bun.serve({ port: 0, reusePort: true, fetch: () => new Response() })
  const port = String(other.port)
  const service = startProcess(folder.path, { PORT: port })
  expect(await service.exited).toBe(1)
  other.stop(true)
  expect(service.printed()).toContain(`Port ${port} is in use by another program. Set PORT`)
  expect(await postgresRuns()).toBe(false)
}, 60_000)
