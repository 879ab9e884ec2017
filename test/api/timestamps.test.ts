import { afterAll, beforeAll, expect, test } from 'bun:test'
import { client, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
  call = client(app.base, await app.key(await app.team(), ['read', 'write']))
})
afterAll(() => app.close())

test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'])(
  'the time %s, which PostgreSQL cannot store, is refused with the name of its field',
  async (time) => {
    const item = { title: 'A win', body: 'We did it.', publish_after: time }
    for (const path of ['/content_blocks', '/webhooks/ingest']) {
      expect((await call('POST', path, item)).json).toMatchObject({
        status: 422,
        fields: [{ pointer: '/publish_after' }],
      })
    }
    const query = new URLSearchParams({ updated_after: time })
    expect((await call('GET', `/content_blocks?${query}`)).status).toBe(422)
  },
)
