import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { adapter as discord } from '../../../integrations/discord/adapter.ts'
import discordForm from '../../../integrations/discord/fixtures/form.message.json'
import discordSettings from '../../../integrations/discord/fixtures/settings.json'
import { sign as signDiscord } from '../../../integrations/discord/fixtures/sign.ts'
import win from '../../../integrations/discord/fixtures/win.json'
import type { Adapter } from '../../../integrations/kit/adapter.ts'
import { adapter as slack } from '../../../integrations/slack/adapter.ts'
import { adapter as teams } from '../../../integrations/teams/adapter.ts'
import teamsSettings from '../../../integrations/teams/fixtures/settings.json'
import { asSentAt, sign as signTeams } from '../../../integrations/teams/fixtures/sign.ts'
import teamsMessage from '../../../integrations/teams/fixtures/win.json'
import { createConnection, webhookUrl } from '../../../src/features/connections/index.ts'
import { listDeliveries } from '../../../src/features/deliveries/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { readContext, startApp, type TestApp } from '../../support/app.ts'
import { tinyImage } from '../../support/hostile/hostile-images.ts'
import { botToken, formBody, sign as signSlack, startSlack } from '../../support/slack/slack.ts'
import { people, submission } from '../../support/slack/slack-payloads.ts'
import { until } from '../../support/until.ts'

const provider = startSlack(people)
const files = provider.apiUrl.replace(/api\/$/, 'files/')
const image = async () => new Response(new Uint8Array(await tinyImage('#0a84ff')))
const internal = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => {
    internalRequests++
    return image()
  },
})
let internalRequests = 0

let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [slack, discord, teams] })
})
afterAll(async () => {
  await app.close()
  await provider.stop()
  await internal.stop(true)
})

let fileInfo: object
let bytes: Response
beforeEach(async () => {
  provider.calls.length = 0
  provider.failures.clear()
  internalRequests = 0
  fileInfo = { ok: true, file: { id: 'F0LANTERN', size: 900, url_private: `${files}lantern.png` } }
  bytes = await image()
  provider.answers.set('files.info', () => fileInfo)
  provider.answers.set('/files/lantern.png', () => bytes)
})
const fetches = () => provider.callsOf('/files/lantern.png')

interface Message {
  adapter: Adapter
  settings: Record<string, string>
  body: string
  headers: Record<string, string>
}

/** Sends a message, and returns its delivery and blocks when the delivery is settled. */
async function deliver({ adapter, settings, body, headers }: Message) {
  const team = await app.team()
  const connection = await createConnection(systemContext(app.forwarder, team.id), {
    adapter,
    given: settings,
  })
  const url = webhookUrl(app.base, adapter.slug, connection.webhookToken)
  expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200)
  const delivery = await until(async () => {
    const [found] = await listDeliveries(readContext(app, team), {
      connectionId: connection.id,
      limit: 1,
    })
    return found && found.status !== 'waiting' ? found : undefined
  })
  const blocks = await app.sql`
    select title, body, image_url, image_alt from content_blocks where team_id = ${team.id}`
  return { delivery, blocks }
}

/** The submitted form of a message with an image. */
function slackForm(): Message {
  const notes = {
    channel: 'C0WINS',
    message_ts: '1795000000.000200',
    is_private: true,
    file: 'F0LANTERN',
    file_alt: 'A lantern on the pier',
  }
  const body = formBody(submission({ title: 'Lanterns', body: 'We lit *all* of them.', notes }))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const secret = 'a secret of these tests'
  return {
    adapter: slack,
    settings: { signing_secret: secret, bot_token: botToken, api_base_url: provider.apiUrl },
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signSlack(body, timestamp, secret),
    },
  }
}

describe('images of Slack messages', () => {
  test('the image of a Slack message is fetched with the bot token and stored with the block and its text', async () => {
    const { delivery, blocks } = await deliver(slackForm())
    expect([delivery.status, delivery.reason]).toEqual(['delivered', null])
    expect(blocks).toMatchObject([{ title: 'Lanterns', image_alt: 'A lantern on the pier' }])
    const { pathname } = new URL(blocks[0]?.['image_url'])
    expect((await fetch(app.base + pathname)).headers.get('content-type')).toBe('image/png')
    expect(provider.callsOf('files.info')[0]?.fields).toMatchObject({ file: 'F0LANTERN' })
    expect(fetches().map(({ authorization }) => authorization)).toEqual([`Bearer ${botToken}`])
    const stored = await app.sql`select event, items from deliveries`
    expect(JSON.stringify(stored)).not.toContain(botToken)
  })

  test('the image of a Slack message is fetched again after an outage, and the block is created once', async () => {
    const responses = [new Response(null, { status: 503 }), bytes]
    provider.answers.set('/files/lantern.png', () => responses.shift() ?? bytes)
    const { delivery, blocks } = await deliver(slackForm())
    expect([delivery.status, delivery.reason, blocks.length]).toEqual(['delivered', null, 1])
    expect(blocks[0]?.['image_url']).toContain('/media/')
    expect(fetches().length).toBe(2)
  })

  test.each<[string, () => void, string]>([
    [
      'that Slack does not know',
      () => {
        fileInfo = { ok: false, error: 'file_not_found' }
      },
      'Slack has no such file.',
    ],
    [
      'for which the app has no permission',
      () => {
        fileInfo = { ok: false, error: 'missing_scope' }
      },
      'Slack refused the request (missing_scope).',
    ],
    [
      'that is too large by its description',
      () => {
        fileInfo = { ok: true, file: { size: 6_000_000, url_private: `${files}lantern.png` } }
      },
      'It is larger than 5 MiB.',
    ],
    [
      'that is larger than described',
      () => {
        bytes = new Response(new Uint8Array(6_000_000))
      },
      'is too large',
    ],
    [
      'that is refused',
      () => {
        bytes = new Response(null, { status: 403 })
      },
      'Slack refused the request (403).',
    ],
    [
      'that is a page for signing in',
      () => {
        bytes = new Response('<!doctype html><title>Sign in</title>')
      },
      'must be a complete JPEG',
    ],
    [
      'that is redirected to an internal host',
      () => {
        bytes = Response.redirect(`http://127.0.0.1:${internal.port}/latest/meta-data`)
      },
      'a redirect, which is not followed',
    ],
    [
      'whose address is on an internal host',
      () => {
        const url_private = `http://127.0.0.1:${internal.port}/latest/meta-data`
        fileInfo = { ok: true, file: { size: 900, url_private } }
      },
      'Slack has no copy of this file.',
    ],
    [
      'whose address is on a host with a similar name',
      () => {
        fileInfo = { ok: true, file: { size: 900, url_private: 'https://files.notslack.com/a' } }
      },
      'Slack has no copy of this file.',
    ],
  ])('%s is left out of the block, after one attempt', async (_, change, reason) => {
    change()
    const { delivery, blocks } = await deliver(slackForm())
    expect([delivery.status, blocks.length]).toEqual(['delivered', 1])
    expect(blocks[0]?.['image_url']).toBeNull()
    expect(delivery.reason).toContain('The image was left out.')
    expect(delivery.reason).toContain(reason)
    expect(fetches().length).toBeLessThanOrEqual(1)
    expect(internalRequests).toBe(0)
  })
})

function discordMessage(payload: object): Message {
  const body = JSON.stringify(payload)
  const settings = { ...discordSettings, api_base_url: provider.apiUrl }
  const now = new Date(Math.floor(Date.now() / 1000) * 1000)
  return {
    adapter: discord,
    settings,
    body,
    headers: { 'content-type': 'application/json', ...signDiscord(body, settings, now) },
  }
}

const discordCommand = (url: string, content_type = 'image/png') =>
  discordMessage({
    ...win.body,
    data: {
      ...win.body.data,
      options: [
        { type: 3, name: 'text', value: 'We lit **all** lanterns' },
        { type: 11, name: 'image', value: '1312000000000000990' },
      ],
      resolved: {
        attachments: {
          '1312000000000000990': {
            id: '1312000000000000990',
            filename: 'a.png',
            url,
            content_type,
          },
        },
      },
    },
  })

const formWithImage = (value: string) =>
  discordMessage({
    ...discordForm.body,
    data: {
      ...discordForm.body.data,
      components: [
        ...discordForm.body.data.components,
        { type: 18, id: 7, component: { type: 4, id: 8, custom_id: 'image', value } },
      ],
    },
  })

describe('images of Discord messages', () => {
  test.each([
    ['in a command', discordCommand],
    ['in the form of a message', formWithImage],
  ])(
    'the image of a Discord message that is given %s is stored with the block',
    async (_, message) => {
      const { delivery, blocks } = await deliver(message(`${files}lantern.png?ex=1&is=2&hm=3`))
      expect([delivery.status, delivery.reason]).toEqual(['delivered', null])
      expect(blocks[0]?.['image_url']).toContain('/media/')
      expect(fetches().map(({ authorization }) => authorization)).toEqual([null])
    },
  )

  test('the image of a Discord message whose address has expired is left out of the block', async () => {
    bytes = new Response('This content is no longer available.', { status: 404 })
    const { delivery, blocks } = await deliver(discordCommand(`${files}lantern.png`))
    expect(delivery.reason).toContain('Discord no longer has the file under this address.')
    expect(blocks).toMatchObject([{ image_url: null }])
    expect(fetches().length).toBe(1)
  })

  test.each([
    ['is of another host', formWithImage(`http://127.0.0.1:${internal.port}/meta-data`)],
    ['is not an address', formWithImage('none')],
    ['is a document', discordCommand(`${files}lantern.png`, 'application/pdf')],
  ])('an image of a Discord message that %s is not requested', async (_, message) => {
    const { delivery, blocks } = await deliver(message)
    expect([delivery.status, delivery.reason]).toEqual(['delivered', null])
    expect(blocks).toMatchObject([{ image_url: null }])
    expect([internalRequests, fetches().length]).toEqual([0, 0])
  })
})

test('the delivery of a Teams message with an image says why the block has no image', async () => {
  const attachments = [
    {
      contentType: 'image/png',
      contentUrl: 'https://smba.example/v3/attachments/1/views/original',
    },
    ...teamsMessage.body.attachments,
  ]
  const body = JSON.stringify(asSentAt({ ...teamsMessage.body, attachments }, new Date()))
  const { delivery, blocks } = await deliver({
    adapter: teams,
    settings: teamsSettings,
    body,
    headers: { 'content-type': 'application/json', ...(await signTeams(body, teamsSettings)) },
  })
  expect(delivery.status).toBe('delivered')
  expect(delivery.reason).toContain('gives outgoing webhooks no access to images')
  expect(blocks).toMatchObject([{ title: 'The harbour pilot signed today', image_url: null }])
})
