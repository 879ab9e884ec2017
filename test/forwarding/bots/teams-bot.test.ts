import { afterEach, expect, test } from 'bun:test'
import { adapter } from '../../../integrations/teams/adapter.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { blocksOf, retryJobsOf, settledBlocksOf } from '../../support/chats/chat-rows.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { member } from '../../support/console.ts'
import { tinyImage } from '../../support/hostile/hostile-images.ts'
import { unlimitedClient } from '../../support/newsletters.ts'
import { startProvider } from '../../support/providers/ai-provider.ts'
import { taskIn } from '../../support/teams/adaptive-cards.ts'
import {
  type ConnectedTeamsBot,
  connectTeamsBot,
  dataIn,
  groupId,
  inChannel,
  mentionOfBot,
  startTeams,
  type TeamsMessage,
  teamId,
  tenantId,
} from '../../support/teams/teams-bot.ts'
import { until } from '../../support/until.ts'

const mira = 'b1b9d0f2-7c9a-4b1e-8f57-6f3f6f1a2b01'
const tomas = 'b1b9d0f2-7c9a-4b1e-8f57-6f3f6f1a2b02'
const ada = 'b1b9d0f2-7c9a-4b1e-8f57-6f3f6f1a2b03'
const ben = 'b1b9d0f2-7c9a-4b1e-8f57-6f3f6f1a2b04'
const guest = 'b1b9d0f2-7c9a-4b1e-8f57-6f3f6f1a2b05'
const editors = '19:editors@thread.tacv2'

const teams = startTeams({
  [mira]: { name: 'Mira Solano', email: 'mira@lumen.example' },
  [tomas]: { name: 'Tomás Weld', email: 'tomas@lumen.example' },
  [ada]: { name: 'Ada Reyes' },
  [ben]: { name: 'Ben Okoro' },
})
const model = startProvider()
const ai = { baseUrl: model.baseUrl, apiKey: null, model: 'test-model' }
const app = await startChatApp({ adapters: [adapter], ai }, [teams, { stop: model.close }])
afterEach(() => {
  expect(teams.faults).toEqual([])
})

/** The newest message in a conversation, once there are so many. */
async function messageIn(place: string, count = 1): Promise<TeamsMessage> {
  await until(async () => teams.in(place).length >= count)
  const message = teams.in(place).at(-1)
  if (!message) throw new Error('there is no message')
  return message
}

const textOf = (message: TeamsMessage) => message.text + JSON.stringify(message.attachments)

const inStandardChannel = inChannel('19:wins@thread.tacv2', 'standard')

/** The first text of the card of a message. */
const firstText = ({ attachments: [card] }: TeamsMessage): string => card.content.body[0].text

/** A team that reviews in a channel, whose editors Ada and Ben are in Teams. */
async function reviewing() {
  const connected = await connectTeamsBot(app, teams, { review_channel: editors })
  for (const [id, name] of [
    [ada, 'Ada'],
    [ben, 'Ben'],
  ] as const) {
    const { email } = await member(app, connected.team, 'editor', { name })
    teams.people[id] = { name, email }
  }
  return connected
}

test('a message to the bot in Teams becomes a draft, and its sender alone gets the link and can undo it', async () => {
  const connected = await connectTeamsBot(app, teams)
  const channel = { id: '19:wins@thread.tacv2;messageid=1', conversationType: 'channel', tenantId }
  const response = await connected.say(mira, '<at>Tidings</at> win We shipped search', {
    conversation: channel,
    entities: [mentionOfBot],
  })
  expect([response.status, await response.text()]).toEqual([200, ''])
  const receipt = await messageIn(`a:${mira}`)
  const [, address = ''] = /\[We shipped search\]\(([^)]*)\)/.exec(textOf(receipt)) ?? []
  expect((await fetch(address)).status).toBe(200)
  expect(await blocksOf(app, connected.team)).toMatchObject([{ title: 'We shipped search' }])
  await connected.press(mira, dataIn(receipt, 'undo_news'), receipt)
  await until(async () => textOf(receipt).includes('Removed: it will not be in the newsletter.'))
  expect(await blocksOf(app, connected.team)).toHaveLength(0)
  expect(teams.in('19:wins@thread.tacv2')).toHaveLength(0)
})

test('a message without a command gets help with the button of the form, and saves nothing', async () => {
  const connected = await connectTeamsBot(app, teams, { without_ai: 'true' })
  await connected.say(mira, 'what can you do?')
  const help = await messageIn(`a:${mira}`)
  for (const words of [
    '**@Tidings win We shipped version 2** saves',
    '**@Tidings mine** what became',
  ])
    expect(textOf(help)).toContain(words)
  const opened = await connected.dialog(mira, 'task/fetch', { data: dataIn(help, 'open_form') })
  const form = taskIn(await opened.json())
  const data = { ...dataIn(form, 'save_news'), title: '', body: 'We **moved**' }
  const saved = await connected.dialog(mira, 'task/submit', { data })
  expect(await saved.json()).toEqual({})
  expect(await settledBlocksOf(app, connected.team, 1)).toMatchObject([{ title: 'We moved' }])
})

test('a message of a colleague is saved from its menu, once, with its author', async () => {
  const connected = await connectTeamsBot(app, teams)
  const messagePayload = {
    id: '1795164800000',
    from: { user: { id: tomas, displayName: 'Tomás Weld' } },
    body: { contentType: 'html', content: '<p><b>Harbour Bank</b> stays</p>' },
  }
  const value = { commandId: 'save', commandContext: 'message', messagePayload }
  const conversation = { id: '19:wins@thread.tacv2', conversationType: 'channel', tenantId }
  const open = (user: string) =>
    connected.activity(user, {
      type: 'invoke',
      name: 'composeExtension/fetchTask',
      value,
      conversation,
    })
  for (const user of [mira, ada]) {
    const form = taskIn(await (await open(user)).json())
    const data = { ...dataIn(form, 'save_news'), body: '**Harbour Bank** stays' }
    await connected.dialog(user, 'composeExtension/submitAction', { commandId: 'save', data })
  }
  await settledBlocksOf(app, connected.team, 1)
  const call = await unlimitedClient(app, connected.team)
  const { content_blocks } = (await call('GET', '/content_blocks')).json
  expect(content_blocks).toMatchObject([{ origin: { author: 'Tomás Weld' } }])
})

test('the image of a message to the bot is fetched with its token', async () => {
  const connected = await connectTeamsBot(app, teams)
  teams.files.set('lamp', await tinyImage('#0a84ff'))
  const attachments = [{ contentType: 'image/*', contentUrl: `${teams.url}v3/attachments/lamp` }]
  await connected.say(mira, 'win The lamp is lit', { attachments })
  await settledBlocksOf(app, connected.team, 1)
  const [block] = await app.sql`
    select image_url from content_blocks where team_id = ${connected.team.id}`
  expect(block?.['image_url']).toContain('/media/')
})

const image = { contentType: 'html', content: '<p>Lit</p><p><img src="https://x.test/0"></p>' }

/** Saves a message of a channel of Teams from its menu, and returns the form, the image of its block and the reason without one. */
async function savedFromMenu(connected: ConnectedTeamsBot, { id, thread }: Record<string, string>) {
  const messagePayload = { id, from: { user: { id: tomas, displayName: 'Tomás' } }, body: image }
  const place = { id: `19:wins@thread.tacv2;messageid=${thread}`, conversationType: 'channel' }
  const where = {
    type: 'invoke',
    conversation: { ...place, tenantId },
    channelData: { tenant: { id: tenantId }, team: { id: teamId } },
  }
  const name = 'composeExtension/fetchTask'
  const value = { commandId: 'save', commandContext: 'message', messagePayload }
  const form = taskIn(await (await connected.activity(mira, { ...where, name, value })).json())
  const data = { ...dataIn(form, 'save_news'), title: 'Lit', body: 'Lit' }
  const submit = { name: 'composeExtension/submitAction', value: { commandId: 'save', data } }
  await connected.activity(mira, { ...where, ...submit })
  await settledBlocksOf(app, connected.team, 1)
  const [block] = await app.sql`
    select image_url from content_blocks where team_id = ${connected.team.id}`
  const [delivery] = await app.sql`
    select reason from deliveries where team_id = ${connected.team.id}`
  return { form: JSON.stringify(form), url: block?.['image_url'], reason: delivery?.['reason'] }
}

test('the image of a message that is saved from its menu is read from Microsoft Graph, also of a reply', async () => {
  const message = `teams/${groupId}/channels/19:wins@thread.tacv2/messages/1795164800000`
  const png = await tinyImage('#34c759')
  teams.graph.contents[message] = { code: 'let x = 1', picture: png }
  teams.graph.contents[`${message}/replies/1795164800001`] = { picture: png }
  for (const id of ['1795164800000', '1795164800001']) {
    const connected = await connectTeamsBot(app, teams, { read_images: true })
    const { form, url } = await savedFromMenu(connected, { id, thread: '1795164800000' })
    expect(form).toContain('The image of the message is saved, too.')
    expect(url).toContain('/media/')
  }
})

test('where a tenant does not let the app read messages, the text of a saved message is a draft, and the delivery says why the image is missing', async () => {
  const ids = { id: '1795164800000', thread: '1795164800000' }
  teams.graph.isAllowed = false
  const refused = await savedFromMenu(await connectTeamsBot(app, teams, { read_images: true }), ids)
  expect(refused.url).toBeNull()
  expect(refused.reason).toContain('Teams does not let the app read the image.')
  const off = await savedFromMenu(await connectTeamsBot(app, teams), ids)
  expect(off.form).not.toContain('The image of the message')
  expect(off.url).toBeNull()
})

test('a form for another message of Teams reads only the conversation in which it was opened', async () => {
  const secret = `teams/${groupId}/channels/19:board@thread.tacv2/messages/1`
  teams.graph.contents[secret] = { picture: await tinyImage('#ff3b30') }
  const connected = await connectTeamsBot(app, teams, { read_images: true })
  const reference = `message:team=${teamId}&channel=19:board@thread.tacv2&thread=1&message=1`
  const data = { button: 'save_news', form: '1', message: '1', body: 'Lit', file: reference }
  const value = { commandId: 'save', data: { ...data, image_of: '1' } }
  await connected.dialog(mira, 'composeExtension/submitAction', value)
  await settledBlocksOf(app, connected.team, 1)
  const [block] = await app.sql`
    select image_url from content_blocks where team_id = ${connected.team.id}`
  expect(block?.['image_url']).toBeNull()
})

test('a message of a channel that does not mention the bot is neither stored nor answered', async () => {
  const connected = await connectTeamsBot(app, teams)
  const conversation = { id: '19:wins@thread.tacv2', conversationType: 'channel', tenantId }
  const response = await connected.say(mira, 'win We shipped search', { conversation })
  expect(response.status).toBe(200)
  const [row] = await app.sql`
    select count(*)::integer as stored from deliveries where team_id = ${connected.team.id}`
  expect(row?.['stored']).toBe(0)
  expect(teams.messages).toHaveLength(0)
})

test('a guest of the tenant with the address of an editor cannot approve, and alone gets a link', async () => {
  const connected = await reviewing()
  await connected.say(mira, 'win We shipped search')
  await settledBlocksOf(app, connected.team, 1)
  await planIn(app, 0)
  const message = await messageIn(editors)
  const email = teams.people[ada]?.email ?? ''
  teams.people[guest] = { name: 'Guest', email, isGuest: true }
  await connected.press(guest, dataIn(message, 'approve_draft'), message)
  const notice = textOf(await messageIn(`a:${guest}`))
  expect(notice).toContain('Link your account')
  expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
  const opened = await connected.dialog(
    guest,
    'task/fetch',
    { data: dataIn(message, 'edit_in_form') },
    message,
  )
  expect(JSON.stringify(taskIn(await opened.json()))).toContain('Link your account')
})

test('what people write to the bot or save in a channel is shown to the channel for reviews only if Teams says that its channel is a standard one', async () => {
  const connected = await reviewing()
  teams.channels.push(
    { id: '19:general@thread.tacv2', type: 'standard' },
    { id: '19:board@thread.tacv2', type: 'private' },
    { id: '19:unnamed@thread.tacv2' },
  )
  const places: [string, object, 'shown' | 'hidden'][] = [
    ['Red', inChannel('19:red@thread.tacv2', 'standard'), 'shown'],
    ['Orange', inChannel('19:orange@thread.tacv2', 'private'), 'hidden'],
    ['Yellow', inChannel('19:yellow@thread.tacv2', 'shared'), 'hidden'],
    ['Green', inChannel('19:general@thread.tacv2'), 'shown'],
    ['Blue', inChannel('19:board@thread.tacv2'), 'hidden'],
    ['Indigo', inChannel('19:unnamed@thread.tacv2'), 'hidden'],
    ['Violet', inChannel('19:missing@thread.tacv2'), 'hidden'],
    ['White', {}, 'hidden'],
  ]
  for (const [word, place] of places) {
    await connected.say(mira, `<at>Tidings</at> win ${word} said`, place)
    const messagePayload = { id: word, body: { contentType: 'text', content: `${word} saved` } }
    const value = { commandId: 'save', commandContext: 'message', messagePayload }
    const invoke = { type: 'invoke', ...place }
    const opened = { ...invoke, name: 'composeExtension/fetchTask', value }
    const form = taskIn(await (await connected.activity(mira, opened)).json())
    const data = { ...dataIn(form, 'save_news'), title: '', body: `${word} saved` }
    const submit = { name: 'composeExtension/submitAction', value: { commandId: 'save', data } }
    await connected.activity(mira, { ...invoke, ...submit })
  }
  await settledBlocksOf(app, connected.team, places.length * 2)
  await planIn(app, 0)
  const shown = () => teams.in(editors).map(textOf).join()
  await until(async () => shown().split('approve_draft').length === 1 + 2 * places.length)
  for (const [word, , expected] of places)
    expect([word, shown().includes(`${word} said`), shown().includes(`${word} saved`)]).toEqual([
      word,
      expected === 'shown',
      expected === 'shown',
    ])
})

test('what is said in a channel of Teams is private while Teams does not say what the channel is', async () => {
  const connected = await reviewing()
  teams.channels.push({ id: '19:general@thread.tacv2', type: 'standard' })
  teams.failure.kind = 'down'
  await connected.say(mira, '<at>Tidings</at> win We shipped', inChannel('19:general@thread.tacv2'))
  teams.failure.kind = null
  await settledBlocksOf(app, connected.team, 1)
  await planIn(app, 0)
  expect(textOf(await messageIn(editors))).not.toContain('We shipped')
})

test('kudos in Teams wait while the secret of the app has expired, and the people whom they thank are stored with them', async () => {
  const { team, say } = await reviewing()
  const thanked = '<at>Tomás Weld</at>'
  const mentioned = { id: `29:${tomas}`, name: 'Tomás Weld' }
  const entities = [{ type: 'mention', text: thanked, mentioned }]
  teams.secret.isExpired = true
  await say(mira, `kudos ${thanked} for the launch`, { entities })
  await until(async () => {
    const [row] = await app.sql`select reason from deliveries where team_id = ${team.id}`
    return row?.['reason']?.includes('Check app_id, app_password') === true
  })
  expect(await blocksOf(app, team)).toHaveLength(0)
  teams.secret.isExpired = false
  await until(async () => {
    await retryJobsOf(app, team)
    return (await blocksOf(app, team)).length === 1
  })
  await settledBlocksOf(app, team, 1)
  const people = await app.sql`
    select user_id, role from block_contributors where team_id = ${team.id} order by role`
  expect([...people]).toEqual([
    { user_id: tomas, role: 'recipient' },
    { user_id: mira, role: 'sender' },
  ])
})

test('an editor edits a draft in Teams whose address Teams has verified, and is asked to link their account while Teams does not respond', async () => {
  const connected = await reviewing()
  await connected.say(mira, '<at>Tidings</at> win We shiped search', inStandardChannel)
  await settledBlocksOf(app, connected.team, 1)
  await planIn(app, 0)
  const message = await messageIn(editors)
  const open = () =>
    connected.dialog(ada, 'task/fetch', { data: dataIn(message, 'edit_in_form') }, message)
  const form = taskIn(await (await open()).json())
  const data = { ...dataIn(form, 'save_draft'), title: 'We shipped search', body: 'At last' }
  await connected.dialog(ada, 'task/submit', { data }, message)
  await until(async () => textOf(message).includes('We shipped search'))
  expect(await blocksOf(app, connected.team)).toMatchObject([{ title: 'We shipped search' }])
  teams.failure.kind = 'down'
  const refused = JSON.stringify(taskIn(await (await open()).json()))
  expect(refused).toContain('Link your account')
})

test('a very long text that was not saved comes back in several messages of Teams, which split no word and no emoji', async () => {
  const connected = await reviewing()
  await connected.say(mira, '<at>Tidings</at> win We shiped search', inStandardChannel)
  await settledBlocksOf(app, connected.team, 1)
  await planIn(app, 0)
  const message = await messageIn(editors)
  const open = async (who: string) => {
    const data = dataIn(message, 'edit_in_form')
    const opened = await connected.dialog(who, 'task/fetch', { data }, message)
    return dataIn(taskIn(await opened.json()), 'save_draft')
  }
  const save = (who: string, data: object) =>
    connected.dialog(who, 'task/submit', { data }, message)
  const [first, second] = [await open(ben), await open(ada)]
  await save(ben, { ...first, title: 'We shipped search', body: 'At last' })
  await until(async () => textOf(message).includes('We shipped search'))
  const words = '*Hafenbank* [Kai_3](a) 👩‍👩‍👧‍👦 '.repeat(430).trim()
  await save(ada, { ...second, title: 'We shipped', body: words })
  const shown = () => teams.in(`a:${ada}`).map((one) => firstText(one).replaceAll('\\', ''))
  await until(async () => shown().join(' ').split(/\s+/).length >= words.split(' ').length + 2)
  const [reason, ...pieces] = shown()
  expect(reason).toContain('Ben')
  expect(pieces.length).toBeGreaterThan(1)
  const written = `We shipped ${words}`.split(' ')
  expect(pieces.flatMap((piece) => piece.trim().split(/\s+/))).toEqual(written)
})

test('a message that Teams did not confirm is not sent again without a person', async () => {
  const connected = await reviewing()
  await connected.say(mira, 'win We shipped search')
  await settledBlocksOf(app, connected.team, 1)
  teams.onMessage(() => {
    teams.failure.kind = 'lost'
  })
  await planIn(app, 0)
  await messageIn(editors)
  teams.onMessage(() => {})
  teams.failure.kind = null
  await until(async () => {
    await retryJobsOf(app, connected.team)
    const rows = await app.sql`
      select 1 from chat_messages where team_id = ${connected.team.id} and status = 'unknown'`
    return rows.length === 1
  })
  expect(teams.in(editors)).toHaveLength(1)
})
