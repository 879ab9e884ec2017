import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto'
import * as v from 'valibot'
import commands from '../../integrations/discord/commands.json'
import formMessage from '../../integrations/discord/fixtures/form.message.json'
import kudos from '../../integrations/discord/fixtures/kudos.mentions.json'
import messageCommand from '../../integrations/discord/fixtures/message-command.json'
import undo from '../../integrations/discord/fixtures/undo.json'
import win from '../../integrations/discord/fixtures/win.json'
import { loadAdapters } from '../../integrations/index.ts'
import type { DeliveredBlock } from '../../integrations/kit/adapter.ts'
import type { ProviderApi } from '../../integrations/kit/requests/provider-request.ts'
import { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { fixtureTime, post, runAdapter } from '../support/adapters.ts'
import { hostileMessages, wordsOf } from '../support/chats/chat-texts.ts'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'

const found = (await loadAdapters()).get('discord')
if (found === undefined) throw new Error('there is no Discord adapter')
const discord = found

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const hex = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
const base = { public_key: hex, application_id: win.body.application_id }

const seconds = (offset = 0) => String(fixtureTime.getTime() / 1000 + offset)

function sign(body: string | Uint8Array, timestamp = seconds(), key: KeyObject = privateKey) {
  const signed = Buffer.concat([Buffer.from(timestamp), Buffer.from(body)])
  return signBytes(null, signed, key).toString('hex')
}

interface Changes {
  headers?: Record<string, string>
  settings?: object
}

/** Plays a signed interaction, right in everything but the given changes. */
function send(body: object | string | Uint8Array, { headers, settings }: Changes = {}) {
  const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const all = {
    ...win.headers,
    'x-signature-timestamp': seconds(),
    'x-signature-ed25519': sign(raw),
    ...headers,
  }
  return runAdapter(discord, post(all, raw), { ...base, ...settings })
}

const command = (name: string, value?: string) => ({
  ...win.body,
  data: { type: 1, name, ...(value !== undefined && { options: [{ name: 'text', value }] }) },
})

const withMessage = (content: string, more: object = {}) => {
  const { resolved, target_id } = messageCommand.body.data
  const message = { ...Object.values(resolved.messages)[0], content, ...more }
  return {
    ...messageCommand.body,
    data: { ...messageCommand.body.data, resolved: { messages: { [target_id]: message } } },
  }
}

async function newsOf(body: object) {
  const { outcome } = await send(body)
  return v.parse(v.object({ items: v.tuple([IngestPayload]) }), outcome).items[0]
}

// biome-ignore lint/suspicious/noExplicitAny: Discord's answer, which the test looks into
async function answerTo(body: object): Promise<any> {
  const { received } = await send(body)
  return 'reply' in received ? received.reply?.body : undefined
}

describe('Discord: signature', () => {
  const body = JSON.stringify(win.body)
  const right = sign(body)
  const other = generateKeyPairSync('ed25519').privateKey

  test.each([
    ['missing', ''],
    ['wrong', '0'.repeat(128)],
    ['truncated', right.slice(0, -2)],
    ['longer', `${right}00`],
    ['in upper case', right.toUpperCase()],
    ['no hexadecimal number', `${right.slice(0, -1)}x`],
    ['of another key', sign(body, seconds(), other)],
    ['of another moment', sign(body, seconds(1))],
    ['over the same JSON written differently', sign(JSON.stringify(win.body, null, 2))],
  ])('a Discord signature that is %s is refused', async (_, signature) => {
    const { outcome } = await send(body, { headers: { 'x-signature-ed25519': signature } })
    expect(outcome).toMatchObject({ rejected: 401 })
  })

  test.each([
    ['', false],
    ['now', false],
    [`${seconds()}.0`, false],
    [seconds(-301), false],
    [seconds(301), false],
    [seconds(-300), true],
    [seconds(300), true],
  ])('a Discord request with the timestamp %p is accepted: %p', async (timestamp, taken) => {
    const headers = {
      'x-signature-timestamp': timestamp,
      'x-signature-ed25519': sign(body, timestamp),
    }
    expect('items' in (await send(body, { headers })).outcome).toBe(taken)
  })

  test('a Discord ping needs a signature, too', async () => {
    const ping = { ...win.body, type: 1, data: undefined }
    expect((await send(ping)).outcome).toEqual({ immediateReply: { body: { type: 1 } } })
    const headers = { 'x-signature-ed25519': '0'.repeat(128) }
    expect((await send(ping, { headers })).outcome).toMatchObject({ rejected: 401 })
  })

  test.each([
    ['JSON that breaks off', '{"type":'],
    ['a list', '[]'],
    ['nothing but depth', '['.repeat(200_000)],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['an interaction without an id', '{"type":2}'],
    ['a command without data', JSON.stringify({ ...win.body, data: undefined })],
    ['a token that would lead elsewhere', JSON.stringify({ ...win.body, token: '../../x' })],
    ['an id that is none', JSON.stringify({ ...win.body, id: '1/x' })],
  ])('a signed Discord request that contains %s is refused', async (_, raw) => {
    expect((await send(raw)).outcome).toMatchObject({ rejected: 400 })
  })
})

describe('Discord: settings', () => {
  test.each<object>([
    {},
    { public_key: 'ab' },
    { public_key: 'x'.repeat(64) },
    { ...base, application_id: 'Tidings' },
    { ...base, server_ids: 'Acme' },
    { ...base, api_base_url: 'discord.com' },
  ])('the Discord settings %j are refused', (settings) => {
    expect(v.safeParse(discord.settings, settings).success).toBe(false)
  })

  test('a request of another Discord application is refused; any is accepted while no application is set', async () => {
    const application_id = '1399999999999999999'
    expect((await send({ ...win.body, application_id })).outcome).toMatchObject({ rejected: 401 })
    const settings = { application_id: undefined }
    const { outcome } = await send({ ...win.body, application_id }, { settings })
    expect(outcome).toHaveProperty('items')
  })

  test.each([
    ['1312000000000000002', true],
    ['1,1312000000000000002', true],
    ['1', false],
  ])('with server_ids=%s, the Discord server is accepted: %p', async (server_ids, through) => {
    const { outcome, received } = await send(win.body, { settings: { server_ids } })
    expect('items' in outcome).toBe(through)
    if (!through)
      expect(received).toMatchObject({
        reply: {
          body: { data: { flags: 64, content: expect.stringContaining('another server') } },
        },
      })
    const direct = await send({ ...win.body, guild_id: null }, { settings: { server_ids } })
    expect(direct.outcome).toHaveProperty('ignored')
  })
})

describe('Discord commands', () => {
  test.each([
    ['win', 'wins_milestones'],
    ['news', 'general'],
    ['kudos', 'wins_milestones'],
    ['welcome', 'new_starter'],
  ])('the Discord command %s makes a block of type %s', async (name, block_type) => {
    expect(await newsOf(command(name, 'Hi'))).toMatchObject({
      block_type,
      body: name === 'kudos' ? '<p>Kudos: Hi</p>' : '<p>Hi</p>',
    })
  })

  test('the answer to a Discord command is shown to one person and notifies nobody', async () => {
    expect(await answerTo(win.body)).toEqual({
      type: 4,
      data: {
        content: expect.stringContaining('Its link will follow here'),
        flags: 64,
        allowed_mentions: { parse: [] },
      },
    })
  })

  test.each([undefined, '', ' \u202e\0'])(
    'a Discord command with the text %p opens its form',
    async (text) => {
      const { type, data } = await answerTo(command('welcome', text))
      expect(type).toBe(9)
      const { options } = data.components[2].component
      expect(options.filter((option: { default?: boolean }) => option.default)).toMatchObject([
        { value: 'new_starter' },
      ])
    },
  )

  test.each(['constructor', 'WIN', 'lunch'])('the Discord command %p is unknown', async (name) => {
    expect((await send(command(name, 'Hi'))).outcome).toEqual({ unknown: `command:${name}` })
  })

  test('the registered Discord commands are described in the ten languages, within the limits of Discord', () => {
    const locales = ['de', 'fr', 'es-ES', 'pt-BR', 'nl', 'it', 'pl', 'sv-SE', 'ja']
    const described = commands.flatMap(({ options = [], ...command }) => [command, ...options])
    for (const one of described) {
      const texts: object =
        'description_localizations' in one
          ? one.description_localizations
          : { ...('name_localizations' in one && one.name_localizations) }
      expect(Object.keys(texts)).toEqual(locales)
      // 100 characters for a description, 32 for a name.
      const longest = 'description' in one ? 100 : 32
      for (const text of Object.values(texts))
        expect(String(text).length).toBeLessThanOrEqual(longest)
    }
  })

  test('every registered Discord command but /tidings opens a form without a text', async () => {
    for (const { name, type } of commands) {
      if (name === 'tidings') continue
      const body =
        type === 1
          ? command(name)
          : { ...withMessage('Hi'), data: { ...withMessage('Hi').data, name } }
      expect((await answerTo(body)).type).toBe(9)
    }
  })
})

const url = 'https://cdn.discordapp.com/attachments/1/2/lantern.png?ex=1&is=2&hm=3'

test('the Discord form for a message has the address and the description of its first image', async () => {
  const attachments = [
    { url: 'https://cdn.discordapp.com/attachments/1/2/a.pdf', content_type: 'application/pdf' },
    { url, content_type: 'image/png', description: 'Two lanterns' },
  ]
  const { data } = await answerTo(withMessage('Lanterns', { attachments }))
  expect(data.components.slice(-2)).toMatchObject([
    { label: 'Image', component: { custom_id: 'image', required: false, value: url } },
    {
      label: 'Description of the image',
      component: { custom_id: 'image_alt', required: false, value: 'Two lanterns' },
    },
  ])
  // Discord accepts five fields in a form.
  expect(data.components).toHaveLength(5)
})

test('the description of an image in a Discord command or form is its alternative text', async () => {
  const image = { url, content_type: 'image/png', description: 'Two\nlanterns' }
  const options = [
    { name: 'text', value: 'Lanterns' },
    { name: 'image', value: '7' },
  ]
  const data = { type: 1, name: 'win', options, resolved: { attachments: { 7: image } } }
  const { outcome } = await send({ ...win.body, data })
  expect(outcome).toMatchObject({ items: [{ attachment: { file: url, alt: 'Two lanterns' } }] })

  const values = { title: 'Lanterns', body: 'Lit.', image: url, image_alt: ' A lantern ' }
  const components = Object.entries(values).map(([custom_id, value]) => ({
    type: 18,
    component: { type: 4, custom_id, value },
  }))
  const form = await send({ ...formMessage.body, data: { custom_id: 'news', components } })
  expect(form.outcome).toMatchObject({
    items: [{ attachment: { file: url, alt: 'A lantern' } }],
  })
})

describe('Discord messages', () => {
  test('a Discord message without content opens an empty form', async () => {
    const { data } = await answerTo(withMessage(''))
    expect(data.components[1].component).not.toHaveProperty('value')
  })

  test('a Discord message command without its message is refused', async () => {
    const body = { ...messageCommand.body, data: { ...messageCommand.body.data, target_id: '1' } }
    expect((await send(body)).outcome).toMatchObject({ rejected: 400 })
  })

  test('a Discord message and its form stay within the limits of Discord', async () => {
    const author = { username: 'a', global_name: '👩‍👩‍👧'.repeat(40) }
    const { data } = await answerTo(withMessage(`${'🎉'.repeat(3000)}`, { author }))
    const [title, text] = data.components
    expect(data.custom_id.length).toBeLessThanOrEqual(100)
    expect(data.custom_id.isWellFormed()).toBe(true)
    expect(text.description.length).toBeLessThanOrEqual(100)
    expect(text.component.value.length).toBeLessThanOrEqual(4000)
    expect(title.component.value.length).toBeLessThanOrEqual(255)
  })

  test('a Discord message that is saved twice is one block under the name of its author', async () => {
    const first = await newsOf(formMessage.body)
    const again = await newsOf({ ...formMessage.body, id: '1312000000000000555' })
    expect(again).toEqual(first)
    expect(first.author).toBe('Tomás Weld')
  })
})

describe('Discord forms', () => {
  const rows = (fields: Record<string, string>) => ({
    ...formMessage.body,
    data: {
      custom_id: 'news',
      components: [
        { type: 10, id: 9, content: 'text in between' },
        ...Object.entries(fields).map(([custom_id, value]) => ({
          type: 1,
          components: [{ type: 4, custom_id, value }],
        })),
      ],
    },
  })

  test('a Discord form is read with action rows, and without a type or a title', async () => {
    expect(await newsOf(rows({ title: ' ', body: 'One\nTwo' }))).toMatchObject({
      title: 'One',
      body: '<p>Two</p>',
      block_type: 'general',
      author: 'Mira Solano',
    })
  })

  test('ids of people in a Discord form are replaced by a word', async () => {
    const { title, body } = await newsOf(rows({ title: '<@1> here', body: 'By <@!2>, @here' }))
    expect([title, body]).toEqual(['someone here', '<p>By someone,</p>'])
  })

  test('a Discord form of another application is unknown', async () => {
    const body = { ...formMessage.body, data: { custom_id: 'bug_modal', components: [] } }
    expect((await send(body)).outcome).toEqual({ unknown: 'form:bug_modal' })
  })
})

describe("Discord's markup", () => {
  test.each([
    ['<@1312000000000000102> <@!1312000000000000102> <@9>', 'Tom Tom someone'],
    ['<@&1312000000000000201> <@&9>', 'Pilots a group'],
    ['<#1312000000000000003> <#9>', '#general a channel'],
    ['<:tide:9> <a:party:9> 🎉', '🎉'],
    ['<t:1795165200> <t:1795165200:R>', '20 November 2026 20 November 2026'],
    ['<t:99999999999999999> x', ' x'.trim()],
    ['</win:9> <https://a.example/?b=1&c>', '/win a.example'],
    ['@everyone @here a@here.example', 'a@here.example'],
    ['1 < 2 > 1 <@x> **bold**', '1 < 2 > 1 <@x> bold'],
  ])('the Discord text %p is shown as %p', async (value, body) => {
    const { data } = kudos.body
    const sent = {
      ...kudos.body,
      data: { ...data, name: 'news', options: [{ name: 'text', type: 3, value }] },
    }
    expect(wordsOf(await newsOf(sent))).toBe(body.toLowerCase())
  })

  test.each(['<@', '<:a', '<t:1', '</a', '<https://', '<a:'])(
    'the time for a Discord command of %s repeated grows with its length only',
    async (part) => {
      const growth = await growthOf((size) => send(command('win', part.repeat(size))), 200)
      expect(growth).toBeLessThan(maxLinearGrowth)
    },
  )
})

describe('hostile text in Discord messages', () => {
  test.each(hostileMessages)(
    '%s in a Discord message is shown as text',
    async (_, written, body) => {
      expect(wordsOf(await newsOf(command('win', written)))).toBe(body.toLowerCase())
    },
  )
})

test('no token or id of a person of a Discord request is stored or shown', async () => {
  for (const sent of [kudos.body, formMessage.body, undo.body]) {
    const { stored, outcome } = await send(sent)
    const kept = JSON.stringify([stored, outcome])
    for (const leak of [
      ...['1312000000000000101', '1312000000000000102', '1312000000000000201', win.body.token],
      ...['interaction-token', 'avatar', 'permissions', 'locale', 'guild'],
    ])
      expect(kept).not.toContain(leak)
  }
})

describe('Discord follow-up messages', () => {
  const block: DeliveredBlock = {
    id: 'cb_1',
    title: '@everyone [x](y)',
    url: 'https://news.acme.test/library/cb_1',
    created: true,
    externalId: 'discord:interaction:1',
  }

  /** Notifies the adapter that the news of an interaction was delivered, and returns the calls to Discord. */
  async function notifyDelivered(
    body: object,
    blocks: DeliveredBlock[],
    { waited_ms = 0, status = 200, settings = {} } = {},
  ) {
    const calls: { url: string; method?: string | undefined; message: unknown }[] = []
    const provider: ProviderApi = {
      fetch: async (url, init) => {
        const message: unknown = JSON.parse(String(init?.body))
        calls.push({ url: String(url), method: init?.method, message })
        return new Response('', { status })
      },
    }
    const { received } = await send(body, { settings })
    if (received.kind !== 'event') throw new Error(received.kind)
    const { event, ephemeralContext = null } = JSON.parse(JSON.stringify(received))
    await discord.onDelivered?.({
      event,
      ephemeralContext,
      settings: v.parse(discord.settings, { ...base, ...settings }),
      provider,
      now: new Date(fixtureTime.getTime() + waited_ms),
      language: 'en' as const,
      webhookUrl: 'https://tidings.test/hooks/discord/token',
      blocks,
    })
    return calls
  }

  const { application_id, token } = win.body
  const address = `https://discord.com/api/v10/webhooks/${application_id}/${token}/messages/@original`

  test('the link and an Undo button replace the answer to a Discord command', async () => {
    const [call, ...more] = await notifyDelivered(win.body, [block])
    expect(more).toBeEmpty()
    expect(call).toEqual({
      url: address,
      method: 'PATCH',
      message: {
        content:
          'Saved for the newsletter: [@\u200beveryone \\[x\\]\\(y\\)](<https://news.acme.test/library/cb_1>)',
        components: [
          {
            type: 1,
            components: [
              { type: 2, style: 2, label: 'Undo', custom_id: 'undo:discord:interaction:1' },
            ],
          },
        ],
        allowed_mentions: { parse: [] },
      },
    })
  })

  test('a Discord message that was in the library already gets no Undo button', async () => {
    const calls = await notifyDelivered(win.body, [{ ...block, created: false }])
    expect(calls).toMatchObject([
      { message: { content: expect.stringContaining('already'), components: [] } },
    ])
  })

  test('Undo in Discord removes the block and says so, or says why it cannot', async () => {
    expect(await answerTo(undo.body)).toEqual({ type: 6 })
    const [gone] = await notifyDelivered(undo.body, [])
    expect(gone).toMatchObject({ message: { content: expect.stringContaining('Removed') } })
    const [kept] = await notifyDelivered(undo.body, [block])
    expect(kept).toMatchObject({ message: { content: expect.stringContaining('stays') } })
  })

  test.each(['undo:', 'undo:github:release:1', 'undo:discord:../x', 'bug'])(
    'the Discord button %p is not treated as Undo',
    async (custom_id) => {
      const { outcome } = await send({ ...undo.body, data: { custom_id } })
      expect(outcome).toHaveProperty('unknown')
    },
  )

  test('a Discord follow-up is sent within a quarter of an hour, to the address in the settings', async () => {
    const minutes = (count: number) => ({ waited_ms: count * 60_000 })
    expect(await notifyDelivered(win.body, [block], minutes(14))).toHaveLength(1)
    expect(await notifyDelivered(win.body, [block], minutes(15))).toBeEmpty()
    const settings = { api_base_url: 'http://127.0.0.1:9/api' }
    const [call] = await notifyDelivered(win.body, [block], { settings })
    expect(call?.url).toStartWith('http://127.0.0.1:9/api/webhooks/')
  })

  test('without an application id no Discord follow-up is sent, and none is announced', async () => {
    const body = { ...win.body, application_id: undefined }
    const settings = { application_id: undefined }
    expect(await notifyDelivered(body, [block], { settings })).toBeEmpty()
    const { received } = await send(body, { settings })
    expect(JSON.stringify(received)).not.toContain('link will follow')
  })

  test('the error of a refused Discord follow-up contains no token', () => {
    const failing = notifyDelivered(win.body, [block], { status: 404 })
    expect(failing).rejects.toThrow(/^Discord did not accept the follow-up: status 404$/)
  })

  // 100 times the work would be quadratic. Memory management makes it a little more than 10 times.
  test.each(['[', '![', 'line\n', 'word ', '<@1> ', '\u2028'])(
    'a Discord command of 50 KB of %j takes at most 40 times as long as one of 5 KB',
    async (part) => {
      const command5Kb = 5_000 / part.length
      const growth = await growthOf(
        (size) => send(command('win', part.repeat(size))),
        command5Kb,
        40,
      )
      expect(growth).toBeLessThan(40)
    },
  )
})
