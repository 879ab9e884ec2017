import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as v from 'valibot'
import { loadConfig } from '../src/config/index.ts'
import { client, testSecret } from './support/app.ts'
import { person } from './support/console.ts'
import { createDatabase, type TestDatabase } from './support/database/database.ts'
import { runTidings } from './support/processes/cli.ts'
import { createDataDir, type ServiceProcess, startProcess } from './support/processes/process.ts'
import { sign } from './support/providers/fake-provider.ts'
import { urlOf } from './support/run/test-run.ts'
import { until } from './support/until.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  links?: { traceId: string; spanId: string }[]
}

const received: string[] = []
let headers = new Headers()
const collector = Bun.serve({
  port: 0,
  routes: {
    '/v1/traces': {
      async POST(request) {
        headers = request.headers
        received.push(await request.text())
        return Response.json({})
      },
    },
  },
})

let folder: Awaited<ReturnType<typeof createDataDir>>
let database: TestDatabase
let settings: { DATABASE_URL: string; TIDINGS_SECRET: string }
let service: ServiceProcess
let base: string
beforeAll(async () => {
  folder = await createDataDir()
  database = await createDatabase()
  settings = { DATABASE_URL: urlOf(database.address), TIDINGS_SECRET: testSecret }
  service = startProcess(folder.path, {
    ...settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=of-the-collector',
    OTEL_SERVICE_NAME: 'tidings-test',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
  })
  base = await service.ready()
})
afterAll(async () => {
  service.process.kill('SIGKILL')
  await service.exited
  await folder.remove()
  await database.drop()
  await collector.stop(true)
})

const spans = (): Span[] =>
  received.flatMap((text) =>
    JSON.parse(text).resourceSpans.flatMap((one: { scopeSpans: { spans: Span[] }[] }) =>
      one.scopeSpans.flatMap((scope) => scope.spans),
    ),
  )

test('a request is a span of the trace of its caller, with its database calls, and without anything secret', async () => {
  const visitor = person(base)
  const [, link = ''] = await service.prints(/Set it up\s+(http\S+)/)
  const setUp = new URL(link).pathname
  await visitor.get(setUp)
  const ada = { name: 'Ada Canary', email: 'ada@canary.test', password: 'seven long canary boats' }
  await visitor.post(setUp, { ...ada, team: 'Canary' })
  await visitor.get('/welcome')
  const { location } = await visitor.post('/welcome')
  const key = /tidings_\w{38}/.exec((await visitor.get(location ?? '')).html)?.[0] ?? ''
  const call = client(base, key)
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const news = { title: 'Title canary', body: 'Body canary.' }
  expect((await call('POST', '/webhooks/ingest', news, { traceparent })).status).toBe(201)
  await call('GET', '/content_blocks?q=querycanary')
  await fetch(`${base}/api/v1/pathcanary?api_key=${key}`)

  const names = () => spans().map(({ name }) => name)
  await until(async () => names().includes('GET /api/v1/*'))
  const ingest = spans().find(({ name }) => name === 'POST /api/v1/webhooks/ingest')
  expect(ingest).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
  const inside = spans().filter(({ parentSpanId }) => parentSpanId === ingest?.spanId)
  expect(inside.map(({ name }) => name)).toContain('database statement')
  expect(names().filter((name) => /healthz|readyz/.test(name))).toEqual([])

  const sent = received.join('')
  expect(sent).toContain('tidings-test')
  expect(sent).toContain('deployment.environment.name')
  expect(headers.get('x-collector-key')).toBe('of-the-collector')
  expect(sent).not.toMatch(/canary/i)
  expect(sent).not.toContain(key)
  expect(sent).not.toContain(setUp)
  const keys = new Set(spans().flatMap(({ attributes }) => attributes.map((one) => one.key)))
  expect([...keys].toSorted()).toEqual([
    ...['db.system.name', 'http.request.method', 'http.response.status_code', 'http.route'],
  ])
})

test('an attempt at a job is a trace with its database calls, linked to the request that created the job', async () => {
  const tidings = (...command: string[]) =>
    runTidings({ ...settings, DATA_DIR: folder.path }, command)
  await tidings('team', 'create', '--slug', 'traced', '--name', 'Traced')
  const command = ['connection', 'create', '--team', 'traced', '--adapter', 'github', '--json']
  const { url, generated } = (await tidings(...command)).as(
    v.object({ url: v.string(), generated: v.object({ secret: v.string() }) }),
  )
  const fixture = 'integrations/github/fixtures/release.published.json'
  const { body } = await Bun.file(`${import.meta.dir}/../${fixture}`).json()
  const text = JSON.stringify(body)
  const response = await fetch(base + new URL(url).pathname, {
    method: 'POST',
    headers: {
      'x-github-event': 'release',
      'x-github-delivery': 'traced',
      'x-hub-signature-256': `sha256=${sign(generated.secret, text)}`,
    },
    body: text,
  })
  expect(response.status).toBe(200)
  const find = (name: string) => spans().find((span) => span.name === name)
  await until(async () => find('job forward') && find('POST /hooks/:adapter/:token'))
  const request = find('POST /hooks/:adapter/:token')
  const job = find('job forward')
  expect(job?.parentSpanId ?? '').toBe('')
  expect(job?.links).toMatchObject([{ traceId: request?.traceId, spanId: request?.spanId }])
  expect(job?.attributes).toContainEqual({
    key: 'tidings.job.outcome',
    value: { stringValue: 'completed' },
  })
  const inside = spans().filter(({ parentSpanId }) => parentSpanId === job?.spanId)
  expect(inside.map(({ name }) => name)).toContain('database statement')
})

test('a process that stops sends the spans that wait', async () => {
  const before = received.length
  await fetch(`${base}/docs`)
  service.process.kill('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(received.length).toBeGreaterThan(before)
})

test('a collector that does not respond prevents neither requests nor the stop', async () => {
  const silent = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) })
  const own = await createDataDir()
  const withSilentCollector = startProcess(own.path, {
    ...settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${silent.port}`,
  })
  try {
    const response = await fetch(`${await withSilentCollector.ready()}/readyz`)
    expect(response.status).toBe(200)
    withSilentCollector.process.kill('SIGTERM')
    expect(await withSilentCollector.exited).toBe(0)
  } finally {
    withSilentCollector.process.kill('SIGKILL')
    await withSilentCollector.exited
    await Promise.all([own.remove(), silent.stop(true)])
  }
})

test('without an address, there are no traces, and a sampler that does not exist prevents the start', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318' }
  expect(loadConfig({}).tracing).toBeNull()
  expect(loadConfig({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).tracing).toBeNull()
  expect(loadConfig(endpoint).tracing).toEqual({
    sampler: 'parentbased_always_on',
    sampledShare: 1,
  })
  expect(() => loadConfig({ ...endpoint, OTEL_TRACES_SAMPLER: 'some' })).toThrow(
    'OTEL_TRACES_SAMPLER must be one of',
  )
})
