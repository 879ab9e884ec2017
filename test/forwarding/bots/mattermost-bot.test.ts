import { afterEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { emptyTeam } from '../../../integrations/kit/dry-run.ts'
import { adapter } from '../../../integrations/mattermost/adapter.ts'
import { languages } from '../../../src/contract/vocabulary.ts'
import { updateConnection } from '../../../src/features/connections/index.ts'
import { registerConnections } from '../../../src/forwarding/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { noKeys, noProvider } from '../../support/adapters.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import {
  blocksOf,
  chatMessagesOf,
  settledBlocksOf,
  settledChatMessagesOf,
} from '../../support/chats/chat-rows.ts'
import { linkAccount } from '../../support/chats/link-account.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { member, signedIn } from '../../support/console.ts'
import { tinyImage } from '../../support/hostile/hostile-images.ts'
import {
  buttonOf,
  type ConnectedMattermost,
  connectMattermost,
  requestAccountLink,
  textOf,
} from '../../support/mattermost/mattermost-bot.ts'
import {
  bot,
  type MattermostPost,
  startMattermost,
} from '../../support/mattermost/mattermost-server.ts'
import { publishBlocks } from '../../support/newsletters.ts'
import { until } from '../../support/until.ts'

const idOf = (name: string) => name.padEnd(26, '0')
const mira = idOf('mira')
const tomas = idOf('tomas')
const ada = idOf('ada')
const ben = idOf('ben')
const eve = idOf('eve')
const channel = idOf('editors')
const server = startMattermost({
  [mira]: { username: 'mira.solano', first_name: 'Mira', last_name: 'Solano' },
  [tomas]: { username: 'tomas', nickname: 'Tomás' },
  [ada]: { username: 'ada', nickname: 'Ada **bold** @channel' },
  [ben]: { username: 'ben', first_name: 'Ben', last_name: 'Okoro' },
  [eve]: { username: 'eve' },
})
const app = await startChatApp({ adapters: [adapter] }, [server])
afterEach(() => {
  expect(server.faults).toEqual([])
})

/** A team that reviews in the channel, whose editor Ada has linked her account. */
async function reviewing() {
  const connected = await connectMattermost(app, server, { review_channel: channel })
  await linkAccount(app, connected.team, () => requestAccountLink(server, connected, ada))
  server.replies.length = 0
  return connected
}

async function save({ team, command }: ConnectedMattermost, text: string, count = 1) {
  await command(mira, 'win', text)
  await settledBlocksOf(app, team, count)
}

/** The first message in the channel for reviews, which is planned in some minutes. */
async function digest(minutes = 0): Promise<MattermostPost> {
  await planIn(app, minutes)
  await until(async () => server.in(channel).length > 0)
  const [message] = server.in(channel)
  if (!message) throw new Error('there is no message')
  return message
}

const textsTo = (person: string) => server.to(person).map(textOf).join('\n')
const repliesText = () => server.replies.map(textOf).join('\n')

describe('Mattermost: commands', () => {
  test('a command saves news under the name that Mattermost shows, and its person gets a link and an Undo button', async () => {
    const connected = await connectMattermost(app, server)
    const reply = await connected.command(mira, 'win', 'We shipped search')
    expect(reply).toMatchObject({ response_type: 'ephemeral' })
    await until(async () => server.replies.length === 1)
    const [receipt] = server.replies
    expect(receipt?.text).toContain('/receipts/')
    const [row] = await app.sql`
      select author from content_blocks where team_id = ${connected.team.id}`
    expect(row?.['author']).toBe('Mira Solano')
    await connected.press(mira, receipt ?? {}, 'undo_news')
    await settledBlocksOf(app, connected.team, 0)
    await until(async () => textsTo(mira).includes('it will not be in the newsletter'))
  })

  test('nobody else can use the Undo button of a person', async () => {
    const connected = await connectMattermost(app, server)
    await save(connected, 'We shipped search')
    await until(async () => server.replies.length === 1)
    expect(connected.press(eve, server.replies[0] ?? {}, 'undo_news')).rejects.toThrow('401')
    expect(await blocksOf(app, connected.team)).toHaveLength(1)
  })

  test('a command without text opens a form, and what is written there is saved once', async () => {
    const connected = await connectMattermost(app, server)
    expect(await connected.command(mira, 'win', '')).toEqual({})
    const form = await connected.form(mira)
    const missing = await connected.submit(mira, form, { body: ' ' })
    expect(missing.errors?.body).toContain('There was no text')
    const values = { title: 'Search', body: 'It **finds** all. @channel', block_type: 'general' }
    await connected.submit(mira, form, values)
    await connected.submit(mira, form, values)
    await settledBlocksOf(app, connected.team, 1)
    expect(await blocksOf(app, connected.team)).toMatchObject([{ title: 'Search' }])
    await until(async () => repliesText().includes('Saved for the newsletter: '))
  })

  test('a message of a public channel is saved by its link, with its author and its first image, and once', async () => {
    const connected = await connectMattermost(app, server)
    const post = idOf('written')
    const link = `${server.url}/acme/pl/${post}`
    const files = [
      { id: 'textfile', mime_type: 'text/plain' },
      { id: 'imagefile', mime_type: 'image/png' },
    ]
    server.files.set('imagefile', new Uint8Array(await tinyImage('#0a84ff')))
    const message = 'We **shipped** the new search. @channel'
    const written = { channel_id: idOf('square'), user_id: tomas, message, metadata: { files } }
    server.written.set(post, written)
    expect(await connected.command(mira, 'tidings', link)).toEqual({})
    await until(async () => repliesText().includes('Saved for the newsletter: '))
    await connected.command(ben, 'win', link)
    await until(async () => repliesText().includes('saved for the newsletter already'))
    const rows = await app.sql`
      select author, title, source_url, image_url, body from content_blocks where team_id = ${connected.team.id}`
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      author: 'Tomás',
      title: 'We shipped the new search',
      source_url: link,
    })
    expect(rows[0]?.['image_url']).not.toBeNull()
    expect(rows[0]?.['body']).not.toContain('@channel')
    const people = await app.sql`
      select user_id, role from block_contributors where team_id = ${connected.team.id} order by role, user_id`
    expect(people.map(({ user_id, role }) => [user_id, role])).toContainEqual([tomas, 'author'])
  })

  test.each([
    ['a private channel', { type: 'P' }],
    ['a direct message', { type: 'D' }],
    ['a channel that the bot cannot read', { type: 'O', isMember: false }],
  ])(
    'a message of %s is not saved by its link, and its person gets the reason',
    async (_, closed) => {
      const connected = await connectMattermost(app, server)
      const post = idOf('closed')
      server.channels.set(idOf('closedchannel'), closed)
      server.written.set(post, {
        channel_id: idOf('closedchannel'),
        user_id: tomas,
        message: 'Secret',
      })
      await connected.command(mira, 'win', `${server.url}/acme/pl/${post}`)
      await until(async () => repliesText().includes('Only messages of public channels'))
      expect(await blocksOf(app, connected.team)).toHaveLength(0)
      const rows =
        await app.sql`select event::text from deliveries where team_id = ${connected.team.id}`
      expect(JSON.stringify(rows)).not.toContain('Secret')
    },
  )

  test('the link to a message of another server is text', async () => {
    const connected = await connectMattermost(app, server)
    await save(connected, `https://chat.evil.example/acme/pl/${idOf('written')}`)
    expect(server.calls.filter((name) => name.startsWith('GET posts'))).toEqual([])
  })

  test('a form that does not open says so to its person', async () => {
    const connected = await connectMattermost(app, server)
    server.failures.set('POST actions/dialogs/open', 'down')
    await connected.command(mira, 'kudos', '')
    await until(async () => repliesText().includes('did not open'))
  })

  test('/tidings says what became of news, how much waits and what comes next', async () => {
    const connected = await connectMattermost(app, server)
    const ask = async (word: string) => textOf(await connected.command(mira, 'tidings', word))
    expect(await ask('help')).toContain('/tidings next')
    expect(await ask('')).toContain('/tidings win We shipped')
    expect(await ask('mine')).toContain('not sent any news yet')
    await save(connected, 'We shipped [search](https://evil.example)')
    await until(async () => (await ask('mine')).includes('waiting for review'))
    expect(await ask('mine')).not.toContain('](https://evil.example)')
    expect(await ask('Status')).toContain('1 item waits')
    expect(await ask('next')).toContain('No newsletter')
  })

  test('the link to an account is sent only for a command that the server has signed', async () => {
    const connected = await connectMattermost(app, server)
    for (const trigger_id of [
      server.trigger(eve),
      server.trigger(mira, { isForged: true }),
      server.trigger(mira, { at: Date.now() - 3_600_000 }),
    ]) {
      server.replies.length = 0
      await connected.command(mira, 'tidings', 'link', { changes: { trigger_id } })
      await until(async () => server.replies.length > 0)
      expect(repliesText()).toContain('This did not work')
      expect(repliesText()).not.toContain('/account/chat/')
    }
  })

  test('the page of the connection says that the token of the bot is refused, until another one is saved', async () => {
    const connected = await connectMattermost(app, server, { access_token: 'a wrong token' })
    await registerConnections(app.forwarder)
    const admin = await signedIn(app, connected.team, 'admin')
    const page = async () => (await admin.get(`/integrations/${connected.connectionId}`)).html
    expect(await page()).toContain('Mattermost refused the token (401)')
    await updateConnection(systemContext(app.forwarder, connected.team.id), {
      adapter,
      id: connected.connectionId,
      given: { access_token: bot.token },
    })
    await registerConnections(app.forwarder)
    expect(await page()).not.toContain('Mattermost refused the token')
  })
})

describe('Mattermost: review', () => {
  test.each([
    ['an admin of the server, who sees that it is verified', true, true, 'Approved by'],
    [
      'an admin of the server, who sees that it is not verified',
      true,
      false,
      'belongs to no editor',
    ],
    ['no admin of the server', false, true, 'belongs to no editor'],
  ])(
    'an editor is known by their email address when the bot is %s',
    async (_, isAdmin, email_verified, expected) => {
      const connected = await connectMattermost(app, server, { review_channel: channel })
      const email = `eve-${crypto.randomUUID()}@acme.test`
      await member(app, connected.team, 'editor', { email })
      server.people[eve] = { username: 'eve', email: email.toUpperCase(), email_verified }
      server.setAdmin(isAdmin)
      await save(connected, 'We shipped search')
      const message = await digest()
      await connected.press(eve, message, 'approve_draft')
      await until(async () => `${textOf(message)}${textsTo(eve)}`.includes(expected))
      server.people[eve] = { username: 'eve' }
    },
  )

  test('only the title of a draft that a form cannot show is changed there', async () => {
    const connected = await reviewing()
    await save(connected, `We shipped search\n\n${'Ünï '.repeat(900)}`)
    const message = await digest()
    await connected.press(ada, message, 'edit_in_form')
    const form = await connected.form(ada)
    expect(form.dialog.introduction_text).toContain('only the title')
    const refused = await connected.submit(ada, form, { title: '' })
    expect(refused.errors?.title).toBe('Write a title.')
    await connected.submit(ada, form, { title: 'Search, in a new title' })
    await until(async () => textOf(message).includes('in a new title'))
    const [row] =
      await app.sql`select body from content_blocks where team_id = ${connected.team.id}`
    expect(row?.['body']).toContain('Ünï')
  })
})

describe('Mattermost: forged requests', () => {
  test('a button is refused whose content, message or person is not the one that was signed', async () => {
    const connected = await reviewing()
    const other = await reviewing()
    await save(connected, 'We shipped search')
    await save(connected, 'We shipped more', 2)
    const message = await digest()
    const context = buttonOf(message, 'approve_draft').integration?.context ?? {}
    const changed: Record<string, unknown>[] = [
      { context: { ...context, name: 'messages_off' } },
      {
        context: {
          ...context,
          value: buttonOf(message, 'approve_draft', 1).integration?.context?.['value'],
        },
      },
      { context: { ...context, message: 'another' } },
      { context: { ...context, signature: '' } },
      { context: {} },
      { user_id: ben },
      { trigger_id: 'x' },
    ]
    for (const changes of changed)
      expect(connected.press(ada, message, 'approve_draft', { changes })).rejects.toThrow('401')
    const press = {
      ...{
        user_id: ada,
        user_name: 'ada',
        channel_id: channel,
        post_id: message.id,
        type: 'button',
      },
      ...{ trigger_id: server.trigger(ada), context },
    }
    const toOther = connected.post(other.url, { kind: 'button', body: press })
    expect(toOther).rejects.toThrow('401')
    expect((await blocksOf(app, connected.team)).map(({ status }) => status)).toEqual([
      'draft',
      'draft',
    ])
  })

  test('a button does nothing when the server has not signed who used it, or signed it long ago', async () => {
    const connected = await reviewing()
    await save(connected, 'We shipped search')
    const message = await digest()
    const old = Date.now() - 3_600_000
    for (const trigger_id of [
      server.trigger(ada, { isForged: true }),
      server.trigger(ada, { at: old }),
    ])
      await connected.press(ada, message, 'approve_draft', { changes: { trigger_id } })
    await until(async () => {
      const rows = await app.sql`
        select 1 from deliveries where team_id = ${connected.team.id} and reason like '%has not signed%'`
      return rows.length === 2
    })
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
  })

  test('the same use of a button is done once', async () => {
    const connected = await connectMattermost(app, server)
    await save(connected, 'We shipped search')
    await publishBlocks(app, connected.team)
    await planIn(app, 11)
    await until(async () => server.to(mira).length === 1)
    const [message] = server.to(mira)
    if (!message) throw new Error('there is no message')
    const changes = { trigger_id: server.trigger(mira) }
    for (const _ of [1, 2, 3]) await connected.press(mira, message, 'messages_off', { changes })
    await until(async () => textsTo(mira).includes('You get no more messages'))
    const rows = await app.sql`
      select 1 from deliveries where team_id = ${connected.team.id} and reason = 'A person wants no messages.'`
    expect(rows).toHaveLength(1)
  })

  test('a form is refused that was opened for another person or changed, and one that is a day old saves nothing', async () => {
    const connected = await reviewing()
    await connected.command(mira, 'win', '')
    const form = await connected.form(mira)
    expect(connected.submit(eve, form, { body: 'Forged' })).rejects.toThrow('401')
    const [text = '', signature = ''] = (form.dialog.state ?? '').split('.')
    const read = JSON.parse(Buffer.from(text, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...read, user: eve })).toString('base64url')
    const state = `${forged}.${signature}`
    const changed = { ...form, dialog: { ...form.dialog, state } }
    expect(connected.submit(eve, changed, { body: 'Forged' })).rejects.toThrow('401')
    const body = { type: 'dialog_submission', state: form.dialog.state, user_id: mira }
    const late = await adapter.receive(
      {
        method: 'POST',
        url: new URL(form.url ?? ''),
        headers: new Headers({ 'content-type': 'application/json' }),
        body: new TextEncoder().encode(JSON.stringify({ ...body, submission: { body: 'Late' } })),
      },
      {
        settings: v.parse(adapter.settings, connected.settings),
        now: new Date(Date.now() + 25 * 3_600_000),
        team: emptyTeam,
        language: 'en',
        keys: noKeys,
        provider: noProvider,
      },
    )
    expect(late).toMatchObject({
      kind: 'immediateReply',
      reply: { body: { error: expect.stringContaining('nothing was saved') } },
    })
    expect(await blocksOf(app, connected.team)).toHaveLength(0)
  })

  test('a form does not open for a person whom only the request names', async () => {
    const connected = await connectMattermost(app, server)
    const forged = server.trigger(mira, { isForged: true })
    await connected.command(mira, 'win', '', { changes: { trigger_id: forged } })
    await until(async () => repliesText().includes('did not open'))
    expect(server.dialogs).toHaveLength(0)
  })
})

describe('Mattermost: messages to people', () => {
  test('a bot that has written news gets no message', async () => {
    const connected = await connectMattermost(app, server)
    await save(connected, 'We shipped search')
    const person = server.people[mira]
    server.people[mira] = { username: 'mira.solano', is_bot: true }
    await publishBlocks(app, connected.team)
    await planIn(app, 11)
    const messages = await settledChatMessagesOf(app, connected.team, 1)
    if (person) server.people[mira] = person
    expect(messages).toMatchObject([{ reason: expect.stringContaining('deactivated') }])
    expect(server.to(mira)).toHaveLength(0)
  })

  test('messages that were turned off with a button are turned on again with the next one', async () => {
    const connected = await connectMattermost(app, server)
    await save(connected, 'We shipped search')
    await publishBlocks(app, connected.team)
    await planIn(app, 11)
    await until(async () => server.to(mira).length === 1)
    const [message] = server.to(mira)
    if (!message) throw new Error('there is no message')
    await connected.press(mira, message, 'messages_off')
    await until(async () => textsTo(mira).includes('You get no more messages'))
    const off = server.to(mira)[1]
    if (!off) throw new Error('there is no reply')
    await connected.press(mira, off, 'messages_on')
    await until(async () => textsTo(mira).includes('You get messages about your news again'))
  })

  test('with a token that Mattermost refuses, a message fails and says what to do', async () => {
    const connected = await connectMattermost(app, server)
    await save(connected, 'We shipped search')
    await publishBlocks(app, connected.team)
    await updateConnection(systemContext(app.forwarder, connected.team.id), {
      adapter,
      id: connected.connectionId,
      given: { access_token: 'revoked' },
    })
    await planIn(app, 11)
    await until(async () => (await chatMessagesOf(app, connected.team))[0]?.status === 'failed')
    expect((await chatMessagesOf(app, connected.team))[0]?.reason).toContain(
      'save it as access_token',
    )
  })
})

test('the forms and messages of Mattermost are within its limits in every language', async () => {
  const connected = await reviewing()
  for (const [index, language] of languages.entries()) {
    server.reset()
    await app.sql`update teams set language = ${language} where id = ${connected.team.id}`
    await connected.command(mira, 'win', '')
    await connected.form(mira)
    await save(connected, 'We shipped search', index + 1)
    // A channel gets at most five messages in a minute.
    const message = await digest(index)
    await connected.press(ada, message, 'edit_in_form')
    await connected.form(ada)
    await connected.press(ada, message, 'decline_draft')
    await connected.form(ada)
    expect({ language, faults: server.faults }).toEqual({ language, faults: [] })
  }
})
