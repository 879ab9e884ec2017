import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { addMember, NewMember } from '../src/features/members/index.ts'
import { systemClock } from '../src/lib/clock.ts'
import { systemContext } from '../src/lib/context.ts'
import { transaction } from '../src/lib/database/db.ts'
import { smtpTransport } from '../src/lib/mail/mail.ts'
import { parseInput } from '../src/lib/parse.ts'
import { client, startApp, type TestApp, testSecret } from './support/app.ts'
import { createDatabase, type TestDatabase } from './support/database/database.ts'
import { blockOf, newsletterOf, unlimitedClient } from './support/newsletters.ts'
import { createDataDir, startProcess } from './support/processes/process.ts'
import { type FakeProvider, startProvider } from './support/providers/ai-provider.ts'
import { connectFakeProvider, createFakeAdapter } from './support/providers/fake-provider.ts'
import { type MailServer, startMailServer } from './support/providers/smtp.ts'
import { urlOf } from './support/run/test-run.ts'
import { until } from './support/until.ts'

const token = 'a token for the scraper alone'
const sender = { name: 'Tidings', address: 'news@acme.example' }
let app: TestApp
let mail: MailServer
let ai: FakeProvider
beforeAll(async () => {
  mail = await startMailServer()
  ai = startProvider()
  app = await startApp({
    adapters: [createFakeAdapter().adapter],
    metricsToken: token,
    mail: smtpTransport(mail.url, sender),
    ai: { baseUrl: ai.baseUrl, apiKey: null, model: 'test-model' },
  })
})
afterAll(async () => {
  await app.close()
  await ai.close()
  await mail.close()
})

const scrape = async (authorization = `Bearer ${token}`) => {
  const response = await fetch(`${app.base}/metrics`, { headers: { authorization } })
  return { status: response.status, text: await response.text() }
}

/** Waits until a scrape has this line, and fails when none has. */
const line = async (expected: string) =>
  await until(async () => (await scrape()).text.split('\n').includes(expected))

test('metrics are for scrapers that send the token', async () => {
  expect((await scrape('Bearer another')).status).toBe(401)
  expect((await scrape('')).text).not.toContain('tidings_')
})

test('metrics count requests by the pattern of their route and never by their path', async () => {
  const team = await app.team()
  const call = client(app.base, await app.key(team, ['read']))
  await call('GET', '/content_blocks')
  await call('GET', '/content_blocks/cb_neverstored')
  await fetch(`${app.base}/invented/path-of-a-stranger`)
  await fetch(`${app.base}/api/v1/invented-path`, { method: 'REPORT' })

  const { status, text } = await scrape()
  expect(status).toBe(200)
  const count = 'tidings_http_request_duration_seconds_count'
  expect(text).toContain(`${count}{method="GET",route="/api/v1/content_blocks/",status="200"} 1`)
  expect(text).toContain(`${count}{method="GET",route="/api/v1/content_blocks/:id",status="404"} 1`)
  expect(text).not.toMatch(/neverstored|invented|stranger|REPORT/)
})

test('metrics count the batches of key and rate limit checks, and state the size of the pools', async () => {
  const call = client(app.base, await app.key(await app.team(), ['read']))
  await call('GET', '/ping')
  const { text } = await scrape()
  expect(text).toMatch(/^tidings_key_check_batch_requests_bucket\{le="1"\} [1-9]/m)
  expect(text).toMatch(/^tidings_key_check_batch_duration_seconds_count [1-9]/m)
  expect(text).toContain('tidings_database_pool_size{pool="tidings"} 10')
  expect(text).toMatch(/^tidings_database_sessions\{pool="tidings queue",state="idle"\} [1-9]/m)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect(text).not.toContain('nodejs_heap_space')
})

test('metrics count webhook requests, settled deliveries and job attempts by outcome', async () => {
  const news = await connectFakeProvider(app, await app.team())
  // Counting must not depend on what the garbage collector leaves.
  Bun.gc(true)
  await news.send({ id: 'one', items: [{ title: 'One' }] })
  await news.send({ id: 'two' })
  await news.send({ id: 'three', kind: 'ignored' })
  await news.settled(3)
  const settled = 'tidings_deliveries_settled_total{adapter="fake-provider",outcome='
  await line(`${settled}"delivered"} 1`)
  await line(`${settled}"ignored"} 1`)
  await line('tidings_webhook_requests_total{adapter="fake-provider",outcome="event"} 2')
  await line('tidings_webhook_requests_total{adapter="fake-provider",outcome="ignored"} 1')
  await line('tidings_job_attempts_total{type="forward",outcome="completed"} 2')
})

test('metrics count the errors of providers by kind, and the deliveries and jobs that wait', async () => {
  await using provider = Bun.serve({ port: 0, fetch: () => new Response(null, { status: 503 }) })
  const api = `http://127.0.0.1:${provider.port}`
  const news = await connectFakeProvider(app, await app.team(), { api })
  await news.send({ id: 'four', readBack: '/detail' })
  const errors = 'tidings_provider_errors_total{adapter="fake-provider",problem="unavailable"}'
  await until(async () => (await scrape()).text.includes(errors))
  const { text } = await scrape()
  expect(text).toContain(`tidings_deliveries_waiting{connection="${news.connection.id}"} 1`)
  expect(text).toContain(`tidings_deliveries_oldest_seconds{connection="${news.connection.id}"}`)
  // The attempt ends after the request to the provider.
  const retried = /^tidings_job_attempts_total\{type="forward",outcome="retried"\} [1-9]/m
  await until(async () => retried.test((await scrape()).text))
  await line('tidings_jobs{type="forward",state="delayed"} 1')
})

test('metrics count emails and requests to the AI provider by outcome', async () => {
  const team = await app.team()
  const call = await unlimitedClient(app, team)
  const ada = parseInput(NewMember, { email: 'ada@acme.example', name: 'Ada' })
  await addMember(systemContext({ sql: app.sql, now: systemClock }, team.id), ada)
  const path = await newsletterOf(call, [await blockOf(call)])
  await call('POST', `${path}/send_preview`, { recipients: ['ada@acme.example'] })
  await mail.received(1)
  await line('tidings_emails_total{outcome="sent"} 1')

  await call('POST', '/content_blocks/ai_draft', { context: 'We opened a canteen.' })
  ai.answer = () => new Response(null, { status: 500 })
  await call('POST', '/content_blocks/ai_draft', { context: 'We opened a canteen.' })
  await line('tidings_ai_request_duration_seconds_count{outcome="succeeded"} 1')
  await line('tidings_ai_request_duration_seconds_count{outcome="failed"} 1')
})

test('metrics state when the last scheduled backup was complete, and how many failed since', async () => {
  const { queue } = app.forwarder
  let fails = false
  const work = async () => {
    if (fails) throw new Error('The destination is full.')
  }
  await queue.schedule('backup', '7 3 * * *', work, { retryLimit: 0 })
  const add = () => transaction(app.sql, (tx) => queue.add(tx, { name: 'backup' }, {}))
  expect((await scrape()).text).not.toMatch(/^tidings_backup_last_success/m)
  await add()
  await until(async () => /^tidings_backup_last_success\w+ \d+/m.test((await scrape()).text))
  await line('tidings_backup_failed_since_success 0')
  fails = true
  await add()
  await line('tidings_backup_failed_since_success 1')
})

test('a scrape while the database does not answer says so, and has the metrics of the process', async () => {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = transaction(app.database.sql, async (tx) => {
    await tx`lock table deliveries in access exclusive mode`
    locked.resolve()
    await promise
  })
  await locked.promise
  const { status, text } = await scrape()
  release()
  await holding
  expect(status).toBe(200)
  expect(text).toContain('tidings_database_up 0')
  expect(text).not.toMatch(/^tidings_deliveries_waiting\{/m)
  expect(text).toContain('tidings_http_request_duration_seconds_count')
  await line('tidings_database_up 1')
})

/** The labels of each metric of a scrape; Prometheus adds the job and the instance. */
function labelsIn(text: string): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>()
  for (const [, name = '', pairs = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const own = labels.get(name) ?? new Set(['job', 'instance'])
    for (const [, label = ''] of pairs.matchAll(/(\w+)="/g)) own.add(label)
    labels.set(name, own)
  }
  return labels
}

const expressionsOf = {
  async 'the Grafana dashboard'() {
    const dashboard = await Bun.file(`${import.meta.dir}/../deploy/grafana.json`).text()
    return [...dashboard.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text ?? '')
  },
  async 'the alerts in docs/operating.md'() {
    const text = await Bun.file(`${import.meta.dir}/../docs/operating.md`).text()
    const rows = text.match(/^\| Alert \|[\s\S]*?\n\n/m)?.[0] ?? ''
    return [...rows.matchAll(/`([^`]*(?:tidings|nodejs)_[^`]*)`/g)].map(([, row]) => row ?? '')
  },
}

test.each(Object.entries(expressionsOf))('every metric and label of %s exists', async (_, load) => {
  const expressions = await load()
  expect(expressions.length).toBeGreaterThan(8)
  const labels = labelsIn((await scrape()).text)
  const has = (name: string, label: string) => labels.get(name)?.has(label) ?? false
  const missing = expressions.flatMap((expression) => {
    const names = expression.match(/\b(?:tidings|nodejs|process)_\w+/g) ?? []
    const selected = [...expression.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(
      ([, name = '', selectors = '']) =>
        [...selectors.matchAll(/(\w+)=/g)]
          .filter(([, label = '']) => !has(name, label))
          .map(([, label]) => `${name}{${label}}`),
    )
    const grouped = [...expression.matchAll(/\b(?:by|on) \(([\w, ]+)\)/g)]
      .flatMap(([, list = '']) => list.split(', '))
      .filter((label) => !names.some((name) => has(name, label)))
    return [...names.filter((name) => !labels.has(name)), ...selected, ...grouped]
  })
  expect(missing).toEqual([])
})

test('every metric of the service is in the Grafana dashboard', async () => {
  const dashboard = await Bun.file(`${import.meta.dir}/../deploy/grafana.json`).text()
  const used = dashboard.match(/\b(?:tidings|nodejs|process)_\w+/g) ?? []
  const { text } = await scrape()
  const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  const base = (name: string) =>
    known.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, '')
  expect(new Set(used).size).toBeGreaterThan(15)
  expect(used.filter((name) => !known.has(base(name)))).toEqual([])
  const own = [...known].filter((name) => name?.startsWith('tidings_'))
  expect(own.filter((name) => !dashboard.includes(String(name)))).toEqual([])
})

describe('METRICS_PORT', () => {
  let folder: Awaited<ReturnType<typeof createDataDir>>
  let database: TestDatabase
  let shared: { DATABASE_URL: string; TIDINGS_SECRET: string }
  beforeAll(async () => {
    folder = await createDataDir()
    database = await createDatabase()
    shared = { DATABASE_URL: urlOf(database.address), TIDINGS_SECRET: testSecret }
  })
  afterAll(async () => {
    await folder.remove()
    await database.drop()
  })

  const statusOf = async (url: string, headers = {}) => (await fetch(url, { headers })).status
  const start = async (settings: Record<string, string>) => {
    const env = { ...shared, METRICS_PORT: '0', ...settings }
    const service = startProcess(folder.path, env)
    const base = await service.ready()
    const [, port] = await service.prints(/"metricsPort":(\d+)/)
    return { service, base, own: `http://127.0.0.1:${port}` }
  }

  test('METRICS_PORT serves metrics without a token on that port only, and nothing else there', async () => {
    const { service, base, own } = await start({})
    expect(await statusOf(`${base}/healthz`)).toBe(200)
    expect(await statusOf(`${base}/metrics`)).toBe(404)
    const metrics = await (await fetch(`${own}/metrics`)).text()
    expect(metrics).toContain('tidings_database_up 1')
    expect(metrics).toContain('tidings_database_pool_size')
    expect(await statusOf(`${own}/login`)).toBe(404)
    service.process.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  })

  test('METRICS_PORT requires METRICS_TOKEN when both are set, and a port in use prevents the start', async () => {
    const { service, own } = await start({ METRICS_TOKEN: token })
    expect(await statusOf(`${own}/metrics`)).toBe(401)
    expect(await statusOf(`${own}/metrics`, { authorization: `Bearer ${token}` })).toBe(200)
    const { port } = new URL(own)
    const other = await createDataDir()
    const second = startProcess(other.path, { ...shared, METRICS_PORT: port })
    await second.prints(/Port \d+ is in use by another program\. Set METRICS_PORT to a free one\./)
    expect(await second.exited).toBe(1)
    await other.remove()
    service.process.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  })
})
