import { afterAll, beforeAll, expect, test } from 'bun:test'
import { client, startApp, type TestApp } from './support/app.ts'
import { bulletin, bulletinAdapter } from './support/fake-provider.ts'

const token = 'a token for the scraper alone'
let app: TestApp
beforeAll(async () => {
  const adapters = [bulletinAdapter().adapter]
  app = await startApp({ adapters, forward: false, metricsToken: token })
})
afterAll(() => app.close())

const scrape = async (authorization: string) => {
  const response = await fetch(`${app.base}/metrics`, { headers: { authorization } })
  return { status: response.status, text: await response.text() }
}

test('metrics are for scrapers that send the token', async () => {
  expect((await scrape('Bearer another')).status).toBe(401)
  expect((await scrape('')).text).not.toContain('tidings_')
})

test('metrics count requests by route, and deliveries that wait by connection', async () => {
  const team = await app.team()
  const call = client(app.base, await app.key(team, ['read']))
  await call('GET', '/content_blocks')
  const news = await bulletin(app, team)
  await news.send({ id: 'one', items: [{ title: 'One' }] })
  await news.send({ id: 'two', items: [{ title: 'Two' }] })

  const { status, text } = await scrape(`Bearer ${token}`)
  expect(status).toBe(200)
  expect(text).toContain(
    'tidings_http_request_duration_seconds_count{method="GET",route="/api/v1/content_blocks/",status="200"} 1',
  )
  expect(text).toContain(`tidings_deliveries_waiting{connection="${news.connection.id}"} 2`)
  expect(text).toContain('tidings_database_up 1')
  expect(text).toContain('nodejs_eventloop_lag_seconds')
})
