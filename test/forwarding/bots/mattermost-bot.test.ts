import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
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
  retryJobsOf,
  settledBlocksOf,
} from '../../support/chats/chat-rows.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { askNow } from '../../support/chats/questions.ts'
import { member, signedIn } from '../../support/console.ts'
import { tinyImage } from '../../support/hostile/hostile-images.ts'
import {
  buttonOf,
  type ConnectedMattermost,
  connectMattermost,
  textOf,
} from '../../support/mattermost/mattermost-bot.ts'
import {
  bot,
  type MattermostPost,
  startMattermost,
} from '../../support/mattermost/mattermost-server.ts'
import { newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
import { until } from '../../support/until.ts'

const idOf = (name: string) => name.padEnd(26, '0')
const [mira, tomas, ada, ben, eve, gone] = ['mira', 'tomas', 'ada', 'ben', 'eve', 'gone'].map(
  idOf,
) as [string, string, string, string, string, string]
/** The channel for reviews and questions, of each test its own: planning sends messages for the teams of all tests. */
let channel = ''
let tests = 0
const server = startMattermost({
  [mira]: { username: 'mira.solano', first_name: 'Mira', last_name: 'Solano' },
  [tomas]: { username: 'tomas', nickname: 'Tomás' },
  [ada]: { username: 'ada', nickname: 'Ada **bold** @channel' },
  [ben]: { username: 'ben', first_name: 'Ben', last_name: 'Okoro' },
  [eve]: { username: 'eve' },
  [gone]: { username: 'gone', delete_at: 1_700_000_000_000 },
})
const app = await startChatApp({ adapters: [adapter] }, [server])
beforeEach(() => {
  server.failures.clear()
  server.setAdmin(false)
  channel = idOf(`editors${++tests}x`)
  for (const list of [server.posts, server.replies, server.dialogs, server.faults, server.calls])
    list.length = 0
})
afterEach(() => {
  expect(server.faults).toEqual([])
})

/** A member of the team who has linked their account with the link of `/tidings link`. */
async function linked(
  { command, team }: ConnectedMattermost,
  user: string,
  role: 'editor' | 'viewer',
) {
  const person = await signedIn(app, team, role)
  const before = server.replies.length
  await command(user, 'tidings', 'link')
  await until(async () => server.replies.length > before)
  const path = /\/account\/chat\/[\w-]+/.exec(server.replies.at(-1)?.text ?? '')?.[0] ?? ''
  expect((await person.post(path)).status).toBe(303)
  return person
}

async function reviewing(given: Record<string, unknown> = {}) {
  const connected = await connectMattermost(app, server, { review_channel: channel, ...given })
  await linked(connected, ada, 'editor')
  await linked(connected, ben, 'editor')
  server.replies.length = 0
  return connected
}

async function save({ team, command }: ConnectedMattermost, text: string, count = 1) {
  await command(mira, 'win', text)
  await settledBlocksOf(app, team, count)
}

/** The first message in the channel for reviews. */
async function digest(): Promise<MattermostPost> {
  await planIn(app)
  await until(async () => server.in(channel).length > 0)
  const [message] = server.in(channel)
  if (!message) throw new Error('there is no message')
  return message
}

const textsTo = (person: string) => server.to(person).map(textOf).join('\n')
const repliesText = () => server.replies.map(textOf).join('\n')

/** Approves the blocks of a team and sends them in a newsletter. */
async function publish({ team }: ConnectedMattermost): Promise<string> {
  const call = await unlimitedClient(app, team)
  const ids = (await blocksOf(app, team)).map(({ id }) => id)
  for (const id of ids) await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
  const path = await newsletterOf(call, ids)
  await send(call, path)
  return path
}

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
    expect(server.faults).toEqual([])
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
    expect(server.faults).toEqual([])
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
    expect(server.faults).toEqual([])
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
      kind: adapter,
      id: connected.connectionId,
      given: { access_token: bot.token },
    })
    await registerConnections(app.forwarder)
    expect(await page()).not.toContain('Mattermost refused the token')
  })
})

describe('Mattermost: review', () => {
  test('new drafts are posted once, and an editor approves one with a button', async () => {
    const connected = await reviewing()
    await save(connected, 'We shipped <b>search</b> @ada')
    await Promise.all([planIn(app), planIn(app)])
    const message = await digest()
    expect(textOf(message)).toContain('1 new draft to review')
    expect(textOf(message)).toContain('by Mira Solano')
    expect(await connected.press(ada, message, 'approve_draft')).toEqual({})
    await until(async () => textOf(message).includes('Approved by Ada \\*\\*bold\\*\\*'))
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'ready' }])
    expect(() => buttonOf(message, 'approve_draft')).toThrow()
    await planIn(app, 2)
    expect(server.in(channel)).toHaveLength(1)
    expect(server.faults).toEqual([])
  })

  test('a draft is declined after a question, and only the person who sent it gets a message about that', async () => {
    const connected = await reviewing()
    await save(connected, 'We shipped search')
    const message = await digest()
    await connected.press(ada, message, 'decline_draft')
    const question = await connected.form(ada)
    expect(question.dialog).toMatchObject({ title: 'Decline this draft?', elements: [] })
    expect(await blocksOf(app, connected.team)).toHaveLength(1)
    await connected.submit(ada, question)
    await until(async () => textOf(message).includes('Declined by Ada'))
    await until(async () => server.to(mira).length > 0)
    expect(textsTo(mira)).toContain('have decided not to use it this time')
    expect(await blocksOf(app, connected.team)).toHaveLength(0)
    expect(server.to(ada)).toHaveLength(0)
    expect(server.faults).toEqual([])
  })

  test('when two editors decide differently, the first counts and both are informed', async () => {
    const connected = await reviewing()
    await save(connected, 'We shipped search')
    const message = await digest()
    await connected.press(ben, message, 'decline_draft')
    const question = await connected.form(ben)
    await connected.press(ada, message, 'approve_draft')
    await until(async () => (await blocksOf(app, connected.team))[0]?.status === 'ready')
    await connected.submit(ben, question)
    await until(async () => textsTo(ben).includes('The first choice counts.'))
    await until(async () => textsTo(ada).includes('Ben Okoro chose to decline'))
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'ready' }])
    expect(server.faults).toEqual([])
  })

  test('a person who is not an editor changes nothing and gets a link in a direct message that works once', async () => {
    const connected = await connectMattermost(app, server, { review_channel: channel })
    await save(connected, 'We shipped search')
    const message = await digest()
    await connected.press(eve, message, 'approve_draft')
    await until(async () => textsTo(eve).includes('belongs to no editor'))
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
    const path = /\/account\/chat\/[\w-]+/.exec(textsTo(eve))?.[0] ?? ''
    const viewer = await signedIn(app, connected.team, 'viewer')
    expect((await viewer.post(path)).status).toBe(303)
    expect((await viewer.post(path)).status).toBe(404)
    await connected.press(eve, message, 'approve_draft')
    await until(async () => textsTo(eve).includes('can make you one'))
    await connected.press(eve, message, 'edit_in_form')
    await until(async () => textsTo(eve).split('can make you one').length === 3)
    expect(server.dialogs).toHaveLength(0)
  })

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

  test('a deactivated account cannot review with an old button', async () => {
    const connected = await reviewing()
    await save(connected, 'We shipped search')
    const message = await digest()
    const person = server.people[ben]
    server.people[ben] = { username: 'ben', delete_at: 1 }
    await connected.press(ben, message, 'approve_draft')
    await until(async () => textsTo(ben).includes('belongs to no editor'))
    expect(textsTo(ben)).not.toContain('/account/chat/')
    if (person) server.people[ben] = person
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
  })

  test('an editor changes a draft in a form, and who was slower gets a message with their text', async () => {
    const connected = await reviewing()
    await save(connected, 'We shipped **search**')
    const message = await digest()
    await connected.press(ada, message, 'edit_in_form')
    const first = await connected.form(ada)
    await connected.press(ben, message, 'edit_in_form')
    const second = await connected.form(ben)
    expect(JSON.stringify(first.dialog)).toContain('We shipped **search**')
    await connected.submit(ada, first, { title: 'Search', body: 'It *finds* all.' })
    await until(async () => textOf(message).includes('It finds all.'))
    const refused = await connected.submit(ben, second, { title: '' })
    expect(refused.errors?.title).toBe('Write a title.')
    await connected.submit(ben, second, { title: 'Slower', body: 'My text' })
    await until(async () => textsTo(ben).includes('My text'))
    expect(textsTo(ben)).toContain('Ada')
    await until(async () => textsTo(ada).includes('Your version counts'))
    expect(await blocksOf(app, connected.team)).toMatchObject([{ title: 'Search' }])
    expect(server.faults).toEqual([])
  })

  test('only the title of a draft that a form cannot show is changed there', async () => {
    const connected = await reviewing()
    await save(connected, `We shipped search\n\n${'Ünï '.repeat(900)}`)
    const message = await digest()
    await connected.press(ada, message, 'edit_in_form')
    const form = await connected.form(ada)
    expect(form.dialog.introduction_text).toContain('only the title')
    await connected.submit(ada, form, { title: 'Search, in a new title' })
    await until(async () => textOf(message).includes('in a new title'))
    const [row] =
      await app.sql`select body from content_blocks where team_id = ${connected.team.id}`
    expect(row?.['body']).toContain('Ünï')
    expect(server.faults).toEqual([])
  })

  test('drafts whose message was posted without a response are found in the channel and not posted again', async () => {
    const connected = await reviewing()
    await save(connected, 'We shipped search')
    server.failures.set('POST posts', 'lost')
    await planIn(app)
    await until(async () => (await chatMessagesOf(app, connected.team))[0]?.reason != null)
    server.deletePendingIds()
    server.failures.clear()
    await until(async () => {
      await retryJobsOf(app, connected.team)
      return (await chatMessagesOf(app, connected.team))[0]?.status === 'sent'
    })
    expect(server.in(channel)).toHaveLength(1)
    const message = await digest()
    await connected.press(ada, message, 'approve_draft')
    await until(async () => textOf(message).includes('Approved by'))
  })

  test('members of other teams are not editors for the Mattermost of a team', async () => {
    const connected = await connectMattermost(app, server, { review_channel: channel })
    const other = await connectMattermost(app, server)
    await linked(other, ada, 'editor')
    await save(connected, 'We shipped search')
    const message = await digest()
    await connected.press(ada, message, 'approve_draft')
    await until(async () => textsTo(ada).includes('belongs to no editor'))
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
  })

  test('twelve long drafts are posted within the limits of a message', async () => {
    const connected = await reviewing()
    for (let count = 1; count <= 12; count++)
      await save(connected, `${count} *${'_long_ '.repeat(300)}`, count)
    await planIn(app)
    await until(async () => server.in(channel).length === 2)
    expect(server.faults).toEqual([])
    const labels = server.in(channel).map((message) => textOf(message).split('Approve').length - 1)
    expect(labels.toSorted()).toEqual([10, 2])
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
    await publish(connected)
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
  test('everybody who contributed or is thanked gets one message when the newsletter is sent', async () => {
    const connected = await connectMattermost(app, server)
    await save(connected, 'We shipped search')
    await connected.command(mira, 'kudos', '@tomas for the launch', { mentioned: [tomas] })
    await settledBlocksOf(app, connected.team, 2)
    await publish(connected)
    await planIn(app, 11)
    await until(async () =>
      (await chatMessagesOf(app, connected.team)).every(({ status }) => status === 'sent'),
    )
    await planIn(app, 12)
    expect(await chatMessagesOf(app, connected.team)).toHaveLength(2)
    expect(textsTo(mira)).toContain('Your news items are in the newsletter “November”')
    expect(textsTo(tomas)).toContain('Somebody thanks you')
    expect(server.to(mira)).toHaveLength(1)
    expect(server.faults).toEqual([])
  })

  test('a person who has a deactivated account, is a bot or has turned messages off gets none', async () => {
    const connected = await connectMattermost(app, server)
    await save(connected, 'We shipped search')
    await connected.command(mira, 'kudos', '@tomas and @gone for the launch', {
      mentioned: [tomas, gone],
    })
    await settledBlocksOf(app, connected.team, 2)
    await connected.command(tomas, 'tidings', 'off')
    await until(async () => repliesText().includes('You get no more messages'))
    const person = server.people[mira]
    server.people[mira] = { username: 'mira.solano', is_bot: true }
    await publish(connected)
    await planIn(app, 11)
    await until(async () => {
      const rows = await chatMessagesOf(app, connected.team)
      return rows.length === 3 && rows.every(({ status }) => status === 'skipped')
    })
    if (person) server.people[mira] = person
    expect((await chatMessagesOf(app, connected.team)).map(({ reason }) => reason)).toEqual([
      expect.stringContaining('deactivated'),
      expect.stringContaining('deactivated'),
      expect.stringContaining('wants no messages'),
    ])
    expect([mira, tomas, gone].flatMap((person) => server.to(person))).toHaveLength(0)
  })

  test('messages that were turned off with a button are turned on again with the next one', async () => {
    const connected = await connectMattermost(app, server)
    await save(connected, 'We shipped search')
    await publish(connected)
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
    expect(server.faults).toEqual([])
  })

  test.each([
    ['limited', 2],
    ['down', 2],
    // Mattermost returns the message that it has for the pending id.
    ['lost', 2],
  ] as const)(
    'a message is sent once when Mattermost is %s, with at most %d requests to create it',
    async (failure, count) => {
      const connected = await connectMattermost(app, server)
      await save(connected, 'We shipped search')
      await publish(connected)
      server.failures.set('POST posts', failure)
      await planIn(app, 11)
      await until(async () => (await chatMessagesOf(app, connected.team))[0]?.reason != null)
      server.failures.clear()
      await until(async () => {
        await retryJobsOf(app, connected.team)
        return (await chatMessagesOf(app, connected.team)).every(({ status }) => status === 'sent')
      })
      expect(server.to(mira)).toHaveLength(1)
      const created = server.calls.filter((name) => name === 'POST posts')
      expect(created.length).toBeLessThanOrEqual(count)
      expect(server.faults).toEqual([])
    },
  )

  test('a message that may have been sent is not repeated when Mattermost does not show its channel', async () => {
    const connected = await connectMattermost(app, server)
    await save(connected, 'We shipped search')
    await publish(connected)
    server.failures.set('POST posts', 'lost')
    await planIn(app, 11)
    await until(async () => (await chatMessagesOf(app, connected.team))[0]?.reason != null)
    server.failures.set('GET channels/*/posts', 'no_access')
    await until(async () => {
      await retryJobsOf(app, connected.team)
      return (await chatMessagesOf(app, connected.team))[0]?.status === 'unknown'
    })
    expect(server.to(mira)).toHaveLength(1)
  })

  test('with a token that Mattermost refuses, a message fails and says what to do', async () => {
    const connected = await connectMattermost(app, server)
    await save(connected, 'We shipped search')
    await publish(connected)
    await updateConnection(systemContext(app.forwarder, connected.team.id), {
      kind: adapter,
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

test('a channel of Mattermost is asked for news, replies in the form count, and an editor stops the questions', async () => {
  const connected = await connectMattermost(app, server)
  await linked(connected, ada, 'editor')
  const admin = await signedIn(app, connected.team, 'admin')
  await askNow(app, admin, { ...connected, channel })
  await until(async () => server.in(channel).length > 0)
  const [message] = server.in(channel)
  if (!message) throw new Error('there is no question')
  expect(textOf(message)).toContain('What went \\*well\\*?')
  await connected.press(mira, message, 'open_form')
  await connected.submit(mira, await connected.form(mira), { title: 'A win', body: 'We won.' })
  await until(async () => {
    const rows =
      await app.sql`select block_id from prompt_replies where team_id = ${connected.team.id}`
    return rows.length === 1
  })
  await connected.press(ada, message, 'prompts_off')
  const question = await connected.form(ada)
  expect(question.dialog.title).toBe('Stop these questions?')
  await connected.submit(ada, question)
  await until(async () => textOf(message).includes('has switched these questions off'))
  await connected.press(ada, message, 'prompts_on')
  await until(async () => !textOf(message).includes('has switched these questions off'))
  expect(server.faults).toEqual([])
})

test.each(languages)(
  'the forms and messages of Mattermost in %s are within its limits',
  async (language) => {
    const connected = await reviewing()
    await app.sql`update teams set language = ${language} where id = ${connected.team.id}`
    await connected.command(mira, 'win', '')
    await connected.form(mira)
    await save(connected, 'We shipped search')
    const message = await digest()
    await connected.press(ada, message, 'edit_in_form')
    await connected.form(ada)
    await connected.press(ada, message, 'decline_draft')
    await connected.form(ada)
    expect(server.faults).toEqual([])
  },
)

test('a sent newsletter is posted by the bot to its channel', async () => {
  const connected = await connectMattermost(app, server, { newsletter_channel: channel })
  await save(connected, 'We shipped search @channel')
  const path = await publish(connected)
  const editor = await signedIn(app, connected.team, 'editor')
  await editor.post(`${path}/posts`, { connection: connected.connectionId })
  await until(async () => server.in(channel).length > 0)
  expect(server.in(channel)[0]?.message).toContain('**November**')
  expect(server.faults).toEqual([])
})
