import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { loadAdapters } from '../../integrations/index.ts'
import type { DeliveredBlock } from '../../integrations/kit/adapter.ts'
import { emptyTeam } from '../../integrations/kit/dry-run.ts'
import type { ProviderApi } from '../../integrations/kit/requests/provider-request.ts'
import command from '../../integrations/mattermost/fixtures/command.json'
import post from '../../integrations/mattermost/fixtures/post.as-json.json'
import { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { fixtureTime, noKeys, post as request, runAdapter } from '../support/adapters.ts'
import { hostileMessages, wordsOf } from '../support/chats/chat-texts.ts'

const token = command.body.token
const found = (await loadAdapters()).get('mattermost')
if (found === undefined) throw new Error('there is no Mattermost adapter')
const mattermost = found

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

interface Changes {
  /** `undefined` leaves a field out. */
  fields?: Record<string, string | undefined>
  headers?: Record<string, string>
  settings?: object
}

function formOf(fields: Record<string, string | undefined>): string {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value)
  return body.toString()
}

const commandRequest = ({ fields, headers }: Changes = {}) =>
  request({ 'content-type': form, ...headers }, formOf({ ...command.body, ...fields }))

/** Plays a slash command, right in everything but the given changes. */
const send = (changes: Changes = {}) =>
  runAdapter(mattermost, commandRequest(changes), { token, ...changes.settings })

const sendPost = (body: object | string, contentType = json) =>
  runAdapter(
    mattermost,
    request(
      { 'content-type': contentType },
      typeof body === 'string' ? body : JSON.stringify(body),
    ),
    { token },
  )

async function newsOf(text: string) {
  const { outcome } = await send({ fields: { text } })
  return v.parse(v.object({ items: v.tuple([IngestPayload]) }), outcome).items[0]
}

describe('Mattermost: token', () => {
  const header = (value: string) => ({ authorization: value })

  test.each<[string, Changes]>([
    ['missing', { fields: { token: undefined } }],
    ['empty', { fields: { token: '' } }],
    ['wrong', { fields: { token: 'another' } }],
    ['truncated', { fields: { token: token.slice(0, -1) } }],
    ['in upper case', { fields: { token: token.toUpperCase() } }],
    ['wrong in the header', { headers: header('Token another') }],
    ['wrong behind a right one', { fields: { token: 'x' }, headers: header(`Token ${token}`) }],
    ['of another scheme', { fields: { token: undefined }, headers: header(`Bearer ${token}`) }],
  ])('a Mattermost request whose token is %s is refused', async (_, changes) => {
    expect((await send(changes)).outcome).toMatchObject({ rejected: 401 })
  })

  test.each<[string, Changes]>([
    ['in the form', {}],
    ['in the header', { fields: { token: undefined }, headers: header(`Token ${token}`) }],
    ['in both', { headers: header(`Token ${token}`) }],
    ['beside a proxy’s password', { headers: header('Basic YWRhOmxvdmVsYWNl') }],
    ['in a form with a charset', { headers: { 'content-type': `${form}; charset=UTF-8` } }],
  ])('a Mattermost request whose token is right %s is accepted', async (_, changes) => {
    expect((await send(changes)).outcome).toHaveProperty('items')
  })

  test('a Mattermost token that is not a string is refused', async () => {
    for (const wrong of [[token], { token }, 1, null, true])
      expect((await sendPost({ ...post.body, token: wrong })).outcome).toMatchObject({
        rejected: 401,
      })
  })

  test('both Mattermost tokens are accepted while one is being rotated, and no third', async () => {
    const settings = { token: ['next', token] }
    for (const [value, taken] of [
      ['next', true],
      [token, true],
      ['third', false],
    ] as const)
      expect('items' in (await send({ settings, fields: { token: value } })).outcome).toBe(taken)
  })
})

describe('Mattermost requests that cannot be read', () => {
  const withHeader = { authorization: `Token ${token}` }

  test.each([
    ['JSON that breaks off', '{"token":', json],
    ['a list', '[]', json],
    ['nothing but depth', '['.repeat(100_000), json],
    ['another content type', 'token=x', 'text/plain'],
    ['bytes that are no UTF-8', new Uint8Array([0x74, 0xff]), form],
  ])(
    'a Mattermost request that contains %s is refused with 400, and with 401 without its token',
    async (_, body, contentType) => {
      const headers = { 'content-type': contentType }
      const anonymous = await runAdapter(mattermost, request(headers, body), { token })
      expect(anonymous.outcome).toMatchObject({ rejected: 401 })
      const known = await runAdapter(mattermost, request({ ...headers, ...withHeader }, body), {
        token,
      })
      expect(known.outcome).toMatchObject({ rejected: 400 })
    },
  )

  test.each([{ command: 'no slash' }, { command: '/' }])(
    'a Mattermost command such as %j is refused',
    async (fields) => {
      expect((await send({ fields })).outcome).toMatchObject({ rejected: 400 })
    },
  )
})

describe('Mattermost commands', () => {
  test.each([
    ['/win', 'Hi', 'wins_milestones', 'Hi'],
    ['/NEWS', 'win is a word', 'general', 'Win is a word'],
    ['/tidings', 'Welcome: Ines', 'new_starter', 'Ines'],
    ['/tidings', '/kudos Tomás', 'wins_milestones', 'Kudos: Tomás'],
  ])(
    'the Mattermost command "%s %s" makes a block of type %s with the text %s',
    async (name, text, block_type, body) => {
      const { outcome } = await send({ fields: { command: name, text } })
      expect(outcome).toMatchObject({ items: [{ block_type, body: `<p>${body}</p>` }] })
    },
  )

  test.each(['constructor x', '__proto__ x', 'winning x'])(
    'the Mattermost text %p contains no command',
    async (text) => {
      expect((await send({ fields: { text } })).outcome).toHaveProperty('ignored')
    },
  )

  test('a Mattermost command is one delivery per trigger, and per request without a trigger', async () => {
    const keyOf = async (fields = {}) => JSON.stringify((await send({ fields })).outcome)
    expect(await keyOf()).toBe(await keyOf())
    expect(await keyOf({ trigger_id: 'b' })).not.toBe(await keyOf({ trigger_id: 'c' }))
    const none = { trigger_id: undefined }
    expect(await keyOf({ ...none, response_url: 'a' })).not.toBe(
      await keyOf({ ...none, response_url: 'b' }),
    )
  })

  test('mentions of everybody are removed from a Mattermost command, and addresses stay', async () => {
    const { body } = await newsOf('win @all @channel @here ada@here.example @alla')
    expect(body).toBe('<p>ada@here.example @alla</p>')
  })
})

describe('Mattermost posts', () => {
  test.each([
    ['win We shipped', 'win', 'We shipped'],
    ['#win We shipped', '#', 'We shipped'],
    ['!Tidings  news We moved', '!tidings', 'We moved'],
    ['kudos Tomás', '', 'Kudos: Tomás'],
  ])(
    'the Mattermost post %p with the trigger word %p has the text %p',
    async (text, trigger_word, body) => {
      const { outcome } = await sendPost({ ...post.body, text, trigger_word })
      expect(outcome).toMatchObject({ items: [{ body: `<p>${body}</p>` }] })
    },
  )

  test('a Mattermost post is the same as a form and as JSON', async () => {
    const { token, post_id, text, trigger_word, user_name } = post.body
    const asForm = formOf({ token, post_id, text, trigger_word, user_name })
    expect((await sendPost(asForm, form)).outcome).toEqual((await sendPost(post.body)).outcome)
  })

  test.each([
    ['!tidings', 'comment'],
    ['', undefined],
  ])(
    'a Mattermost post without a command is answered only when its trigger word is %p: %p',
    async (trigger_word, answered) => {
      const body = { ...post.body, text: `${trigger_word} lunch?`, trigger_word }
      const { received } = await sendPost(body)
      if (received.kind !== 'ignored') throw new Error(received.kind)
      expect(received.reply?.body).toEqual(
        answered && { response_type: answered, text: expect.stringContaining('`!tidings win') },
      )
    },
  )
})

describe('hostile text in Mattermost messages', () => {
  test.each(hostileMessages)(
    '%s in a Mattermost message is shown as text',
    async (_, written, body) => {
      expect(wordsOf(await newsOf(`win ${written}`))).toBe(body.toLowerCase())
    },
  )
})

test('no token, address, trigger or id of a person of a Mattermost request is stored or shown', async () => {
  for (const { stored, outcome } of [
    await send({ settings: { server_url: 'https://chat.acme.test' } }),
    await sendPost(post.body),
  ]) {
    const kept = JSON.stringify([stored, outcome])
    expect(kept).toContain('Mira Solano')
    for (const leak of [
      ...[token, 'chat.acme', 'mirauser', 'harbourchannel', 'harbourteam', 'town-square'],
      ...['Zml4dHVyZXRyaWdnZXI', 'response_url', 'trigger'],
    ])
      expect(kept).not.toContain(leak)
  }
})

describe('Mattermost: the link to the block', () => {
  const block: DeliveredBlock = {
    id: 'cb_1',
    title: '@all [x](y)',
    url: 'https://news.acme.test/library/cb_1',
    created: true,
    externalId: 'mattermost:command:1',
  }

  /** Where the follow-up of a command went, and what it said. */
  async function followUp(
    fields: NonNullable<Changes['fields']>,
    server_url: string | undefined,
    { created = true, waited_ms = 0, status = 200 } = {},
  ) {
    const calls: [string, unknown][] = []
    const provider: ProviderApi = {
      fetch: async (url, init) => {
        calls.push([String(url), JSON.parse(String(init?.body))])
        return new Response('', { status })
      },
    }
    const settings = v.parse(mattermost.settings, { token, ...(server_url && { server_url }) })
    const team = emptyTeam
    const received = await mattermost.receive(commandRequest({ fields }), {
      settings,
      now: fixtureTime,
      language: 'en',
      keys: noKeys,
      provider,
      team,
    })
    if (received.kind !== 'event') throw new Error(received.kind)
    const { event, ephemeralContext = null } = JSON.parse(JSON.stringify(received))
    const now = new Date(fixtureTime.getTime() + waited_ms)
    const blocks = [{ ...block, created }]
    await mattermost.onDelivered?.({
      event,
      ephemeralContext,
      settings,
      provider,
      now,
      blocks,
      language: 'en',
      webhookUrl: 'https://tidings.test/hooks/mattermost/token',
    })
    return { calls, received }
  }

  const ours = command.body.response_url
  const server = 'https://chat.acme.test'

  test('the person who wrote a Mattermost command gets the link to the block, and the answer announces it', async () => {
    const { calls, received } = await followUp({}, server)
    expect(received).toMatchObject({
      reply: { body: { response_type: 'ephemeral', text: expect.stringContaining('link will') } },
    })
    expect(calls).toEqual([
      [
        ours,
        {
          response_type: 'ephemeral',
          text: 'Saved for the newsletter: https://news.acme.test/library/cb_1',
          skip_slack_parsing: true,
        },
      ],
    ])
  })

  test('the reply says when a Mattermost message was in the library already', async () => {
    const { calls } = await followUp({}, server, { created: false })
    expect(calls).toMatchObject([[ours, { text: expect.stringContaining('already') }]])
  })

  test.each([
    ['http://chat.acme.test/hooks/commands/1', server],
    ['https://chat.acme.test:8443/hooks/commands/1', server],
    ['https://chat.acme.test.evil.example/hooks', server],
    ['https://chat.acme.test@evil.example/hooks', server],
    ['https://user@chat.acme.test/hooks', server],
    ['https://chat.acme.test/chatter/hooks', `${server}/chat`],
    ['file:///etc/passwd', server],
    ['', server],
    [ours, undefined],
  ])(
    'no Mattermost follow-up is sent to %p when the server is %p',
    async (response_url, server_url) => {
      const { calls, received } = await followUp({ response_url }, server_url)
      expect(calls).toEqual([])
      expect(received.ephemeralContext).toBeUndefined()
      expect(JSON.stringify(received.reply)).not.toContain('link')
    },
  )

  test('a Mattermost follow-up is sent to a server below a path', async () => {
    const response_url = `${server}/chat/hooks/commands/1`
    expect((await followUp({ response_url }, `${server}/chat`)).calls).toHaveLength(1)
  })

  test('a Mattermost follow-up is sent within half an hour only', async () => {
    const minutes = (count: number) => ({ waited_ms: count * 60_000 })
    expect((await followUp({}, server, minutes(29))).calls).toHaveLength(1)
    expect((await followUp({}, server, minutes(30))).calls).toBeEmpty()
  })

  test('a Mattermost follow-up that is refused is an error for the host', () => {
    expect(followUp({}, server, { status: 503 })).rejects.toThrow('Mattermost answered 503')
  })
})
