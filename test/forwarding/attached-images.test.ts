import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { adapter as mattermost } from '../../integrations/mattermost/adapter.ts'
import post from '../../integrations/mattermost/fixtures/post.json'
import { createConnection, webhookUrl } from '../../src/features/connections/index.ts'
import { listDeliveries } from '../../src/features/deliveries/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { readContext, startApp, type TestApp } from '../support/app.ts'
import { tinyImage } from '../support/hostile/hostile-images.ts'
import { startService } from '../support/processes/crash.ts'
import { until } from '../support/until.ts'

let app: TestApp
let responses: Response[]
let requests: { path: string; authorization: string | null }[]
const chat = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch({ url, headers }) {
    // The name of the person who wrote the post.
    if (new URL(url).pathname.startsWith('/api/v4/users/')) return new Response('', { status: 404 })
    requests.push({ path: new URL(url).pathname, authorization: headers.get('authorization') })
    return responses.shift() ?? (await respond())
  },
})
const image = async () => new Response(new Uint8Array(await tinyImage('#0a84ff')))
let respond: () => Promise<Response> = image

beforeAll(async () => {
  app = await startApp({ adapters: [mattermost] })
})
afterAll(async () => {
  await app.close()
  await chat.stop(true)
})
beforeEach(() => {
  responses = []
  requests = []
})

const withToken = { access_token: 'canary-access-token' }

/** Sends a post with a file to a process of `to`. */
async function sendPost(settings: Record<string, string>, to = app, base = to.base) {
  const team = await to.team()
  const connection = await createConnection(systemContext(to.forwarder, team.id), {
    adapter: mattermost,
    given: {
      token: post.body.token,
      server_url: `http://127.0.0.1:${chat.port}`,
      ...settings,
    },
  })
  const fields = Object.entries({ ...post.body, file_ids: 'lanternfile01,lanternfile02' })
  const body = new URLSearchParams()
  for (const [name, value] of fields) body.set(name, String(value))
  const url = webhookUrl(base, 'mattermost', connection.webhookToken)
  expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
  return { team, connection }
}

/** Returns the delivery of a post and its blocks when it is settled. */
async function deliver(settings: Record<string, string> = withToken) {
  return await settled(await sendPost(settings))
}

async function settled({ team, connection }: Awaited<ReturnType<typeof sendPost>>, to = app) {
  const delivery = await until(async () => {
    const [found] = await listDeliveries(readContext(to, team), {
      connectionId: connection.id,
      limit: 1,
    })
    return found && found.status !== 'waiting' ? found : undefined
  })
  const blocks = await to.sql`select image_url from content_blocks where team_id = ${team.id}`
  return { delivery, blocks }
}

test('the image of a message is fetched with the token of the connection and stored with the block', async () => {
  const { delivery, blocks } = await deliver()
  expect(requests).toEqual([
    { path: '/api/v4/files/lanternfile01', authorization: 'Bearer canary-access-token' },
  ])
  expect([delivery.status, delivery.reason, blocks.length]).toEqual(['delivered', null, 1])
  const { pathname } = new URL(blocks[0]?.['image_url'])
  expect((await fetch(app.base + pathname)).headers.get('content-type')).toBe('image/png')
  const stored = await app.sql`select event, items from deliveries`
  expect(JSON.stringify(stored)).not.toContain('canary-access-token')
})

test('an image that cannot be fetched at the moment is fetched again, and the block is created once', async () => {
  responses = [new Response(null, { status: 503 })]
  const { delivery, blocks } = await deliver()
  expect(requests.length).toBe(2)
  expect([delivery.status, delivery.reason, blocks.length]).toEqual(['delivered', null, 1])
  expect(blocks[0]?.['image_url']).toContain('/media/')
})

test('a block with its image is created once although SIGKILL ends the process that fetches the image', async () => {
  const noForwarding = await startApp({ adapters: [mattermost], forward: false })
  const requested = Promise.withResolvers<void>()
  const never = Promise.withResolvers<Response>()
  respond = () => {
    requested.resolve()
    return never.promise
  }
  const killed = await startService(noForwarding)
  const sent = await sendPost(withToken, noForwarding, killed.base)
  await requested.promise
  killed.process.kill('SIGKILL')
  await killed.process.exited
  respond = image
  const restarted = await startService(noForwarding)
  const { delivery, blocks } = await settled(sent, noForwarding)
  restarted.process.kill('SIGKILL')
  expect([delivery.status, delivery.reason, blocks.length]).toEqual(['delivered', null, 1])
  expect(blocks[0]?.['image_url']).toContain('/media/')
  expect(await noForwarding.sql`select from images`).toHaveLength(1)
  expect(requests.length).toBe(2)
  await noForwarding.close()
})

test.each<[string, Response | null, string]>([
  ['is refused', new Response(null, { status: 403 }), 'Mattermost refused the request (403)'],
  ['is gone', new Response(null, { status: 404 }), 'Mattermost has no such file.'],
  ['is not an image', new Response('<svg/>'), 'must be a complete JPEG'],
  ['has no token to fetch it', null, 'Set server_url and access_token'],
])(
  'a block without the image that %s is created, and the delivery says why',
  async (_, response, why) => {
    if (response) responses = [response]
    const { delivery, blocks } = await deliver(response ? undefined : {})
    expect(delivery.status).toBe('delivered')
    expect(delivery.reason).toContain('The image was left out.')
    expect(delivery.reason).toContain(why)
    expect(blocks).toMatchObject([{ image_url: null }])
  },
)
