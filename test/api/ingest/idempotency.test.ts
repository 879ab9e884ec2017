import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { member } from '../../support/console.ts'
import { operations } from '../../support/response-check.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let team: Team
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  team = await app.team()
  call = client(app.base, await app.key(team, ['read', 'write', 'send_preview']))
})

const under = (key: string) => ({ 'idempotency-key': key })

/** The headers of a response that a repetition has too. */
const kept = ({ headers }: { headers: Headers }) =>
  ['content-type', 'location', 'etag'].map((name) => headers.get(name))

async function newsletter(): Promise<string> {
  const { json } = await call('POST', '/newsletters', { title: 'November' })
  return json.newsletter.id
}

describe('repetitions with an Idempotency-Key', () => {
  test.each([
    ['POST /content_blocks', '/content_blocks', { title: 'A win', body: 'We did it.' }],
    ['POST /newsletters', '/newsletters', { title: 'November' }],
    ['POST /events', '/events', operationExample('/api/v1/events')],
    ['POST /templates', '/templates', operationExample('/api/v1/templates')],
  ])(
    '%s has the status, body, Location and ETag of the first response, also when several arrive at the same moment',
    async (_, path, body) => {
      const send = () => call('POST', path, body, under('first'))
      const first = await send()
      expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
      expect(first.headers.get('location')).toBeString()
      for (const again of await Promise.all(Array.from({ length: 6 }, send))) {
        expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
        expect(again.json).toEqual(first.json)
        expect(kept(again)).toEqual(kept(first))
      }
    },
  )

  test('a repetition has the ETag of the first response after the resource has changed', async () => {
    const body = { title: 'November' }
    const first = await call('POST', '/newsletters', body, under('etag'))
    await call('PATCH', `/newsletters/${first.json.newsletter.id}`, { title: 'December' })
    const again = await call('POST', '/newsletters', body, under('etag'))
    expect([again.headers.get('etag'), again.json]).toEqual(['"v1"', first.json])
  })

  test.each([
    ['an invalid field', '/content_blocks', { title: '', body: 'Text.' }],
    [
      'a text of which nothing is left',
      '/content_blocks',
      { title: 't', body: '<script>1</script>' },
    ],
    ['an unknown template', '/newsletters', { title: 't', template_slug: 'unknown' }],
    ['an invalid item', '/webhooks/ingest', { body: 'Text.' }],
    ['an item without text', '/webhooks/ingest', { title: 't', body: '<script>1</script>' }],
    ['an invalid request for a draft', '/content_blocks/ai_draft', { context: '' }],
  ])('a repetition gets the first error again: %s', async (_, path, body) => {
    const first = await call('POST', path, body, under('wrong'))
    const again = await call('POST', path, body, under('wrong'))
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([422, null])
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([422, 'true'])
    expect(again.json).toEqual(first.json)
    expect(kept(again)).toEqual(kept(first))
  })

  test.each(['/content_blocks', '/webhooks/ingest'])(
    'a repetition of POST %s with another body gets idempotency_key_reused, also after an error',
    async (path) => {
      await call('POST', path, { title: 'No text' }, under('corrected'))
      const corrected = { title: 'With text', body: 'Text.' }
      const { json } = await call('POST', path, corrected, under('corrected'))
      expect(json).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
      const wrong = await call('POST', path, { title: '' }, under('corrected'))
      expect(wrong.json.code).toBe('idempotency_key_reused')
      expect((await call('POST', path, corrected, under('another'))).status).toBe(201)
    },
  )

  test('a repetition gets a 409 again after its reason has passed', async () => {
    const id = await newsletter()
    const block = await call('POST', '/content_blocks', { title: 't', body: 'Text.' })
    const path = `/newsletters/${id}/blocks`
    const body = { content_block_id: block.json.content_block.id }
    const added = await call('POST', path, body)
    const first = await call('POST', path, body, under('twice'))
    expect(first.json).toMatchObject({ status: 409, code: 'block_in_use' })
    await call('DELETE', `${path}/${added.json.newsletter_block.id}`)
    expect((await call('POST', path, body, under('twice'))).json).toEqual(first.json)
    expect((await call('POST', path, body)).status).toBe(201)
  })

  test('a repetition runs after a response that depends on the moment: 401, 429, 503 and unreadable bodies', async () => {
    const draft = { context: 'Ada joined the platform team.' }
    const path = '/content_blocks/ai_draft'
    for (const attempt of [1, 2]) {
      const { status, headers } = await call('POST', path, draft, under('later'))
      expect([attempt, status, headers.get('idempotent-replayed')]).toEqual([attempt, 503, null])
    }
    const broken = await call('POST', '/content_blocks', '{"title', under('broken'))
    expect(broken.status).toBe(400)
    const fixed = await call('POST', '/content_blocks', { title: 't', body: 'b' }, under('broken'))
    expect(fixed.status).toBe(201)
  })

  test('a repetition runs after a 429 about a limit of the team, once the limit has room', async () => {
    const path = `/newsletters/${await newsletter()}/send_preview`
    const body = { recipients: [(await member(app, team, 'editor')).email] }
    await app.sql`
      insert into preview_daily_usage (team_id, day, emails)
      select ${team.id}, day, 100 from unnest(array[current_date, current_date + 1]) day`
    const first = await call('POST', path, body, under('tomorrow'))
    expect(first.json).toMatchObject({ status: 429, code: 'preview_limit_reached' })
    await app.sql`delete from preview_daily_usage where team_id = ${team.id}`
    expect((await call('POST', path, body, under('tomorrow'))).status).toBe(202)
  })

  test('a request with an Idempotency-Key that got a 500 runs again when it is repeated', async () => {
    const body = { title: 'Refused', body: 'Text.' }
    await app.sql`
      alter table content_blocks add constraint refused_by_test check (title <> 'Refused') not valid`
    const failed = await call('POST', '/content_blocks', body, under('failed')).finally(
      () => app.sql`alter table content_blocks drop constraint refused_by_test`,
    )
    expect(failed.json).toMatchObject({ status: 500, code: 'internal_error' })
    expect((await call('POST', '/content_blocks', body, under('failed'))).status).toBe(201)
  })

  test('a repetition gets an error of the body only when it is stored', async () => {
    await app.sql`
      alter table idempotency_keys add constraint refused_by_test check (status < 400) not valid`
    const failed = await call('POST', '/content_blocks', {}, under('unstored')).finally(
      () => app.sql`alter table idempotency_keys drop constraint refused_by_test`,
    )
    expect(failed.json).toMatchObject({ status: 500, code: 'internal_error' })
    const again = await call('POST', '/content_blocks', {}, under('unstored'))
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([422, null])
  })

  test('a repetition is logged with the error that it got', async () => {
    await call('POST', '/content_blocks', { title: 'First', body: 'Text.' }, under('logged'))
    const { json } = await call('POST', '/content_blocks', { title: '' }, under('logged'))
    expect(json.code).toBe('idempotency_key_reused')
    const line = await until(async () => app.logLines.find((one) => one.includes(json.request_id)))
    expect(line).toContain('"code":"idempotency_key_reused"')
  })

  test('a repetition is not stored in a dry run', async () => {
    const path = '/webhooks/ingest'
    const dry = await call('POST', `${path}?dry_run=true`, { title: '' }, under('dry'))
    expect(dry.status).toBe(422)
    expect((await call('POST', path, { title: 't', body: 'b' }, under('dry'))).status).toBe(201)
  })

  test('a repetition has no second effect where the parameter dry_run is unknown', async () => {
    const send = () =>
      call('POST', '/content_blocks?dry_run=true', { title: 'Once', body: 'Text.' }, under('dry'))
    const first = await send()
    expect(first.json.warnings).toEqual(['the parameter dry_run is unknown and was ignored'])
    const again = await send()
    expect([again.json, again.headers.get('idempotent-replayed')]).toEqual([first.json, 'true'])
    expect((await call('GET', '/content_blocks')).json.meta.total).toBe(1)
  })

  test('a repetition may end its path with a slash', async () => {
    const body = { title: 'Once', body: 'Text.' }
    const first = await call('POST', '/content_blocks', body, under('slash'))
    const again = await call('POST', '/content_blocks/', body, under('slash'))
    expect(again.json).toEqual(first.json)
  })

  test('simultaneous repetitions get one error, and the same request id everywhere', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/content_blocks', {}, under('parallel'))),
    )
    const errors = replies.filter(({ status }) => status === 422)
    expect(new Set(errors.map(({ json }) => json.request_id)).size).toBe(1)
    for (const { status } of replies) expect([409, 422]).toContain(status)
  })
})

function operationExample(path: string): unknown {
  return operations.find((one) => one.method === 'POST' && one.path === path)?.bodyExample
}
