import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { adapter } from '../../../integrations/discord/adapter.ts'
import { updateConnection } from '../../../src/features/connections/index.ts'
import { registerConnections } from '../../../src/forwarding/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
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
import {
  buttonId,
  type ConnectedDiscord,
  connectDiscord,
  textOf,
} from '../../support/discord/discord-bot.ts'
import { type DiscordMessage, discord, startDiscord } from '../../support/discord/discord-server.ts'
import { newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
import { until } from '../../support/until.ts'

const [mira, tomas, ada, ben, eve, gone] = ['201', '202', '203', '204', '205', '206'] as const
const channel = '1600000000000000007'
const server = startDiscord({
  [mira]: { name: 'Mira Solano' },
  [tomas]: { name: 'Tomás Weld' },
  [ada]: { name: 'Ada Reyes', nick: 'Ada **bold** @everyone' },
  [ben]: { name: 'Ben Okoro' },
  [eve]: { name: 'Eve' },
})
const app = await startChatApp({ adapters: [adapter] }, [server])
beforeEach(() => {
  server.failures.clear()
  server.messages.length = 0
  server.replies.length = 0
  server.faults.length = 0
  server.calls.length = 0
  server.people[mira] = { name: 'Mira Solano' }
})
afterEach(() => {
  expect(server.faults).toEqual([])
})

/** A member of the team who has linked their account with the link of `/tidings link`. */
async function linked(
  { tidings, team }: ConnectedDiscord,
  user: string,
  role: 'editor' | 'viewer',
) {
  const person = await signedIn(app, team, role)
  const { data } = await tidings(user, 'link')
  const path = /\/account\/chat\/[\w-]+/.exec(data.content ?? '')?.[0] ?? ''
  expect((await person.post(path)).status).toBe(303)
  return person
}

async function reviewing(given: Record<string, unknown> = {}) {
  const connected = await connectDiscord(app, server, { review_channel: channel, ...given })
  await linked(connected, ada, 'editor')
  await linked(connected, ben, 'editor')
  return connected
}

async function submit({ team, command }: ConnectedDiscord, text: string, count = 1) {
  await command(mira, 'win', text)
  await settledBlocksOf(app, team, count)
}

/** The first message in the channel for reviews. */
async function digest(): Promise<DiscordMessage> {
  await planIn(app)
  await until(async () => server.in(channel).length > 0)
  const [message] = server.in(channel)
  if (!message) throw new Error('there is no message')
  return message
}

/** The replies that only one person sees, as text. */
const repliesText = () => server.replies.map(({ message }) => textOf(message)).join('\n')

/** Approves the blocks of a team and sends them in a newsletter. */
async function publish({ team }: ConnectedDiscord): Promise<string> {
  const call = await unlimitedClient(app, team)
  const ids = (await blocksOf(app, team)).map(({ id }) => id)
  for (const id of ids) await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
  const path = await newsletterOf(call, ids)
  await send(call, path)
  return path
}

describe('Discord: commands', () => {
  test('the commands are registered once, and again after the token was changed', async () => {
    const connected = await connectDiscord(app, server, { bot_token: 'a wrong token' })
    const registered = () => server.calls.filter((name) => name.startsWith('PUT applications'))
    await registerConnections(app.forwarder)
    expect(registered()).toHaveLength(0)
    const admin = await signedIn(app, connected.team, 'admin')
    const { html } = await admin.get(`/integrations/${connected.connectionId}`)
    expect(html).toContain('Discord refused the token (401)')
    await updateConnection(systemContext(app.forwarder, connected.team.id), {
      kind: adapter,
      id: connected.connectionId,
      given: { bot_token: discord.botToken },
    })
    await registerConnections(app.forwarder)
    await registerConnections(app.forwarder)
    expect(registered()).toHaveLength(1)
    expect(server.commands()).toHaveLength(6)
    const page = await admin.get(`/integrations/${connected.connectionId}`)
    expect(page.html).not.toContain('Discord refused the token')
    expect(server.faults).toEqual([])
  })

  test('a token of another application registers nothing and says so', async () => {
    const other = { application_id: '1300000000000000009' }
    const connected = await connectDiscord(app, server, other)
    await registerConnections(app.forwarder)
    const [row] = await app.sql`
      select registration->>'reason' as reason from connections where team_id = ${connected.team.id}`
    expect(row?.['reason']).toContain('belongs to the application')
  })

  test('/tidings says what became of news, how much waits and what comes next', async () => {
    const connected = await connectDiscord(app, server)
    const help = await connected.tidings(mira, 'help')
    expect(textOf(help.data)).toContain('/tidings next')
    expect(textOf((await connected.tidings(mira, 'mine')).data)).toContain('not sent any news yet')
    await submit(connected, 'We shipped [search](https://evil.example)')
    const mine = await connected.tidings(mira, 'mine')
    expect(textOf(mine.data)).toContain('waiting for review')
    expect(mine.data.flags).toBe(64)
    expect(textOf((await connected.tidings(mira, 'status')).data)).toContain('1 item waits')
    expect(textOf((await connected.tidings(mira, 'next')).data)).toContain('No newsletter')
    expect(server.faults).toEqual([])
  })

  test('/tidings mine shows news whose sender could not be told yet', async () => {
    const connected = await connectDiscord(app, server)
    server.failures.set('POST webhooks', 'down')
    await submit(connected, 'We shipped search')
    const mine = await connected.tidings(mira, 'mine')
    expect(textOf(mine.data)).toContain('waiting for review')
    expect(server.replies).toEqual([])
  })
})

describe('Discord: review', () => {
  test('new drafts are posted once, and an editor approves one with a button', async () => {
    const connected = await reviewing()
    await submit(connected, 'We shipped <@&5> search @everyone')
    await Promise.all([planIn(app), planIn(app)])
    const message = await digest()
    expect(textOf(message)).toContain('1 new draft to review')
    expect(textOf(message)).toContain('by Mira Solano')
    expect((await connected.press(ada, buttonId(message, 'approve_draft'), message)).type).toBe(6)
    await until(async () => textOf(message).includes(`Approved by <@${ada}>`))
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'ready' }])
    expect(() => buttonId(message, 'approve_draft')).toThrow()
    await planIn(app, 2)
    expect(server.in(channel)).toHaveLength(1)
    expect(server.faults).toEqual([])
  })

  test('a draft that was edited after its message was posted is not approved unread', async () => {
    const connected = await reviewing()
    await submit(connected, 'We shipped search')
    const message = await digest()
    const shown = buttonId(message, 'approve_draft')
    const [draft] = await blocksOf(app, connected.team)
    const call = await unlimitedClient(app, connected.team)
    await call('PATCH', `/content_blocks/${draft?.id}`, { title: 'Something else' })
    await connected.press(ada, shown, message)
    await until(async () => textOf(message).includes('Something else'))
    await until(async () => repliesText().includes('“Something else” has changed'))
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
  })

  test('a draft is declined after a question, and only the person who sent it gets a message about that', async () => {
    const connected = await reviewing()
    await submit(connected, 'We shipped search')
    const message = await digest()
    const question = await connected.press(ada, buttonId(message, 'decline_draft'), message)
    expect(question.data.flags).toBe(64)
    expect(textOf(question.data)).toContain('Decline this draft?')
    expect(await blocksOf(app, connected.team)).toHaveLength(1)
    await connected.press(ada, buttonId(question.data, 'decline_draft'))
    await until(async () => textOf(message).includes(`Declined by <@${ada}>`))
    await until(async () => server.to(mira).length > 0)
    expect(textOf(server.to(mira)[0])).toContain('have decided not to use it this time')
    await until(async () => repliesText().includes('The draft is declined'))
    expect(await blocksOf(app, connected.team)).toHaveLength(0)
    expect(server.messages.map(({ channel_id }) => channel_id).toSorted()).toEqual(
      [channel, `9${mira}`].toSorted(),
    )
  })

  test('when two editors decide differently, the first counts and both are informed', async () => {
    const connected = await reviewing()
    await submit(connected, 'We shipped search')
    const message = await digest()
    await connected.press(ada, buttonId(message, 'approve_draft'), message)
    await until(async () => (await blocksOf(app, connected.team))[0]?.status === 'ready')
    const [block] = await blocksOf(app, connected.team)
    await connected.press(ben, `decline_draft:${block?.id}.1:sure`, message)
    await until(async () => repliesText().includes('The first choice counts.'))
    await until(async () => server.to(ada).length > 0)
    expect(server.to(ada)[0]?.content).toContain(`<@${ben}>`)
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'ready' }])
  })

  test('a person who is not an editor changes nothing and gets a link that works once', async () => {
    const connected = await connectDiscord(app, server, { review_channel: channel })
    await submit(connected, 'We shipped search')
    const message = await digest()
    await connected.press(eve, buttonId(message, 'approve_draft'), message)
    await until(async () => repliesText().includes('belongs to no editor'))
    const added = server.replies.filter(({ path }) => !path.endsWith('@original'))
    expect(added.map(({ message: { flags } }) => flags)).toEqual([64])
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
    const path = /\/account\/chat\/[\w-]+/.exec(repliesText())?.[0] ?? ''
    const viewer = await signedIn(app, connected.team, 'viewer')
    expect((await viewer.get(path)).html).toContain('Eve (205)')
    expect((await viewer.post(path)).status).toBe(303)
    expect((await viewer.post(path)).status).toBe(404)
    server.replies.length = 0
    await connected.press(eve, buttonId(message, 'approve_draft'), message)
    await until(async () => repliesText().includes('can make you one'))
    expect((await viewer.get('/account')).html).toContain('Discord: 205')
  })

  test('drafts whose message was posted without a response are found in the channel and not posted again', async () => {
    const connected = await reviewing()
    await submit(connected, 'We shipped search')
    server.failures.set('POST channels/*/messages', 'lost')
    await planIn(app)
    await until(async () => (await chatMessagesOf(app, connected.team))[0]?.reason != null)
    server.failures.clear()
    await until(async () => {
      await retryJobsOf(app, connected.team)
      return (await chatMessagesOf(app, connected.team))[0]?.status === 'sent'
    })
    expect(server.calls.filter((name) => name === 'POST channels/*/messages')).toHaveLength(1)
    const message = await digest()
    await connected.press(ada, buttonId(message, 'approve_draft'), message)
    await until(async () => textOf(message).includes(`Approved by <@${ada}>`))
  })

  test('a person who has left the server cannot review with an old button', async () => {
    const connected = await reviewing()
    await submit(connected, 'We shipped search')
    const message = await digest()
    delete server.people[ben]
    await connected.press(ben, buttonId(message, 'approve_draft'), message)
    await until(async () => repliesText().includes('belongs to no editor'))
    server.people[ben] = { name: 'Ben Okoro' }
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
  })

  test('an editor changes a draft in a form, and who was slower gets a message with their text', async () => {
    const connected = await reviewing()
    await submit(connected, 'We shipped **search**')
    const message = await digest()
    const edit = buttonId(message, 'edit_in_form')
    const [first, second] = [
      await connected.press(ada, edit, message),
      await connected.press(ben, edit, message),
    ]
    expect(first.type).toBe(9)
    expect(JSON.stringify(first.data)).toContain('We shipped **search**')
    await connected.submit(ada, first, { title: 'Search', body: 'It *finds* all.' }, message)
    await until(async () => textOf(message).includes('It finds all.'))
    await connected.submit(ben, second, { title: 'Slower', body: 'My text' }, message)
    await until(async () => repliesText().includes('My text'))
    expect(repliesText()).toContain(`<@${ada}> changed`)
    await until(async () => server.to(ada).length > 0)
    expect(server.to(ada)[0]?.content).toContain('Your version counts')
    expect(await blocksOf(app, connected.team)).toMatchObject([{ title: 'Search' }])
    expect(server.faults).toEqual([])
  })

  test('a person without permission reads why the form of a draft does not open', async () => {
    const connected = await reviewing()
    await submit(connected, 'We shipped search')
    const message = await digest()
    const reply = await connected.press(eve, buttonId(message, 'edit_in_form'), message)
    expect(reply.data.flags).toBe(64)
    expect(textOf(reply.data)).toContain('Link your account')
  })

  test('twelve long drafts are posted within the limits of a message', async () => {
    const connected = await reviewing()
    for (let count = 1; count <= 12; count++)
      await submit(connected, `${count} *${'_long_ '.repeat(300)}`, count)
    await planIn(app)
    await until(async () => server.in(channel).length === 3)
    expect(server.faults).toEqual([])
    const labels = server.in(channel).map((message) => textOf(message).split('Approve').length - 1)
    expect(labels.toSorted()).toEqual([2, 5, 5])
  })

  test('what somebody wrote in a private channel is not shown in the channel for reviews', async () => {
    const connected = await reviewing()
    const [open, closed] = ['1600000000000000021', '1600000000000000022']
    const deny = [{ id: discord.server, type: 0, allow: '0', deny: '1024' }]
    server.channels.set(closed, { type: 0, permission_overwrites: deny })
    for (const [index, from] of [open, closed].entries()) {
      const form = await connected.save(mira, tomas, from, `Text of channel ${index}`)
      await connected.submit(mira, form, {})
      await settledBlocksOf(app, connected.team, index + 1)
    }
    const text = textOf(await digest())
    expect(text).toContain('Text of channel 0')
    expect(text).not.toContain('Text of channel 1')
    expect(text).toContain('News from a private conversation')
  })
})

describe('Discord: messages to people', () => {
  test('everybody who contributed or is thanked gets one message when the newsletter is sent', async () => {
    const connected = await connectDiscord(app, server)
    await submit(connected, 'We shipped search')
    await connected.command(mira, 'kudos', `<@${tomas}> for the launch`)
    await settledBlocksOf(app, connected.team, 2)
    await publish(connected)
    await planIn(app, 11)
    await until(async () =>
      (await chatMessagesOf(app, connected.team)).every(({ status }) => status === 'sent'),
    )
    await planIn(app, 12)
    expect(await chatMessagesOf(app, connected.team)).toHaveLength(2)
    expect(textOf(server.to(mira)[0])).toContain('Your news items are in the newsletter “November”')
    expect(textOf(server.to(tomas)[0])).toContain('Somebody thanks you')
    expect(server.to(mira)).toHaveLength(1)
    expect(server.faults).toEqual([])
  })

  test('a person who has left the server, takes no messages or has turned them off gets none', async () => {
    const connected = await connectDiscord(app, server)
    await submit(connected, 'We shipped search')
    await connected.command(mira, 'kudos', `<@${tomas}> and <@${gone}> for the launch`)
    await settledBlocksOf(app, connected.team, 2)
    await connected.tidings(tomas, 'off')
    await until(async () => repliesText().includes('You get no more messages'))
    server.people[mira] = { name: 'Mira Solano', isClosed: true }
    await publish(connected)
    await planIn(app, 11)
    const isSettled = ({ status }: { status: string }) =>
      status === 'skipped' || status === 'failed'
    await until(async () => {
      const rows = await chatMessagesOf(app, connected.team)
      return rows.length === 3 && rows.every(isSettled)
    })
    expect((await chatMessagesOf(app, connected.team)).map(({ reason }) => reason)).toEqual([
      expect.stringContaining('takes no direct messages'),
      expect.stringContaining('wants no messages'),
      expect.stringContaining('deactivated'),
    ])
    expect(server.messages).toHaveLength(0)
  })

  test.each([
    ['limited', 2],
    ['limited_everywhere', 2],
    ['down', 2],
    // Discord returns the message that it has for the nonce.
    ['lost', 2],
  ] as const)(
    'a message is sent once when Discord is %s, with %d requests to create it',
    async (failure, count) => {
      const connected = await connectDiscord(app, server)
      await submit(connected, 'We shipped search')
      await publish(connected)
      server.failures.set('POST channels/*/messages', failure)
      await planIn(app, 11)
      await until(async () => (await chatMessagesOf(app, connected.team))[0]?.reason != null)
      server.failures.clear()
      await until(async () => {
        await retryJobsOf(app, connected.team)
        return (await chatMessagesOf(app, connected.team)).every(({ status }) => status === 'sent')
      })
      expect(server.to(mira)).toHaveLength(1)
      expect(server.calls.filter((name) => name === 'POST channels/*/messages')).toHaveLength(count)
    },
  )

  test('a message that may have been sent is not repeated when Discord does not show its channel', async () => {
    const connected = await connectDiscord(app, server)
    await submit(connected, 'We shipped search')
    await publish(connected)
    server.failures.set('POST channels/*/messages', 'lost')
    await planIn(app, 11)
    await until(async () => (await chatMessagesOf(app, connected.team))[0]?.reason != null)
    server.failures.set('GET channels/*/messages', 'no_access')
    await until(async () => {
      await retryJobsOf(app, connected.team)
      return (await chatMessagesOf(app, connected.team))[0]?.status === 'unknown'
    })
    expect(server.to(mira)).toHaveLength(1)
  })
})

test('a channel of Discord is asked for news, replies in the form count, and an editor stops the questions', async () => {
  const connected = await connectDiscord(app, server)
  await linked(connected, ada, 'editor')
  const admin = await signedIn(app, connected.team, 'admin')
  await askNow(app, admin, { ...connected, channel })
  await until(async () => server.in(channel).length > 0)
  const [message] = server.in(channel)
  if (!message) throw new Error('there is no question')
  expect(textOf(message)).toContain('What went \\*well\\*?')
  const form = await connected.press(mira, buttonId(message, 'open_form'), message)
  expect(form.type).toBe(9)
  await connected.submit(mira, form, { title: 'A win', body: 'We won.' }, message)
  await until(async () => {
    const rows =
      await app.sql`select block_id from prompt_replies where team_id = ${connected.team.id}`
    return rows.length === 1
  })
  const question = await connected.press(ada, buttonId(message, 'prompts_off'), message)
  expect(textOf(question.data)).toContain('Stop these questions?')
  await connected.press(ada, buttonId(question.data, 'prompts_off'))
  await until(async () => textOf(message).includes(`<@${ada}> has switched these questions off`))
  expect(server.faults).toEqual([])
})

test('a sent newsletter is posted by the bot to its channel', async () => {
  const connected = await connectDiscord(app, server, { newsletter_channel: channel })
  await submit(connected, 'We shipped search @everyone')
  const path = await publish(connected)
  const editor = await signedIn(app, connected.team, 'editor')
  await editor.post(`${path}/posts`, { connection: connected.connectionId })
  await until(async () => server.in(channel).length > 0)
  expect(textOf(server.in(channel)[0])).toContain('**November**')
  expect(server.faults).toEqual([])
})

test('members of other teams are not editors for the Discord of a team', async () => {
  const connected = await connectDiscord(app, server, { review_channel: channel })
  const other = await connectDiscord(app, server)
  await linked(other, ada, 'editor')
  await member(app, connected.team, 'editor', { name: 'Ada' })
  await submit(connected, 'We shipped search')
  const message = await digest()
  await connected.press(ada, buttonId(message, 'approve_draft'), message)
  await until(async () => repliesText().includes('belongs to no editor'))
  expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
})
