import { afterAll, beforeAll, expect, test } from 'bun:test'
import { client } from '../support/app.ts'
import { person } from '../support/console.ts'
import { createDataDir, type ServiceProcess, startProcess } from '../support/processes/process.ts'

let folder: Awaited<ReturnType<typeof createDataDir>>
let service: ServiceProcess
let base: string
let setupPath: string

/** The product as it is started, with everything that runs in it. */
beforeAll(async () => {
  folder = await createDataDir()
  service = startProcess(folder.path)
  base = await service.ready()
  const [, link = ''] = await service.prints(/Set it up\s+(http\S+)/)
  setupPath = new URL(link).pathname
})
afterAll(async () => {
  service.process.kill('SIGKILL')
  await service.exited
  await folder.remove()
})

test('the printed set-up link leads to a team, a key and a block in the library, and SIGTERM stops the service', async () => {
  const visitor = person(base)
  await visitor.get(setupPath)
  const ada = { name: 'Ada Example', email: 'ada@northwind.test', password: 'seven long boats' }
  const made = await visitor.post(setupPath, { ...ada, team: 'Northwind' })
  expect(made).toMatchObject({ status: 303, location: '/welcome' })

  await visitor.get('/welcome')
  const { location } = await visitor.post('/welcome')
  const key = /tidings_\w{38}/.exec((await visitor.get(location ?? '')).html)?.[0] ?? ''
  const call = client(base, key)
  const news = { title: 'Version 2 is out', body: 'Search is twice as fast.' }
  expect((await call('POST', '/webhooks/ingest', news)).status).toBe(201)
  expect((await visitor.get('/library')).html).toContain('Version 2 is out')

  service.process.kill('SIGTERM')
  expect(await service.exited).toBe(0)
})
