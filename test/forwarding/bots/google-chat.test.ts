import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { adapter } from '../../../integrations/google-chat/adapter.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { blocksOf, retryJobsOf, settledBlocksOf } from '../../support/chats/chat-rows.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { scheduleQuestions } from '../../support/chats/questions.ts'
import { member, signedIn } from '../../support/console.ts'
import { addOnReply } from '../../support/google-chat/google-add-on.ts'
import { dialogIn } from '../../support/google-chat/google-cards.ts'
import {
  actionIn,
  type ChatMessage,
  connectGoogleChat,
  type GoogleChat,
  startGoogleChat,
} from '../../support/google-chat/google-chat.ts'
import { tinyImage } from '../../support/hostile/hostile-images.ts'
import { removeConnections, untilNothingIsSent } from '../../support/jobs.ts'
import { blockOf, newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
import { completion, startProvider } from '../../support/providers/ai-provider.ts'
import { until } from '../../support/until.ts'

const mira = 'users/1'
const tomas = 'users/2'
const ada = 'users/3'
const ben = 'users/4'
const gone = 'users/5'
const room = 'spaces/AAAAwins'
const editors = 'spaces/AAAAeditors'

let google: GoogleChat
const model = startProvider()
let app: TestApp
beforeAll(async () => {
  google = await startGoogleChat({
    [mira]: { name: 'Mira Solano' },
    [tomas]: { name: 'Tomás Weld' },
    [ada]: { name: 'Ada Reyes' },
    [ben]: { name: 'Ben Okoro' },
    [gone]: { name: 'Gone', isGone: true },
  })
  const ai = { baseUrl: model.baseUrl, apiKey: null, model: 'test-model' }
  app = await startApp({ adapters: [adapter], ai })
})
afterAll(async () => {
  await app.close()
  await google.stop()
  await model.close()
})
beforeEach(async () => {
  await untilNothingIsSent(app)
  await removeConnections(app)
  google.reset()
})
afterEach(() => {
  expect(google.faults).toEqual([])
})

/** The messages in a space, once there are so many. */
async function messagesIn(space: string, count = 1): Promise<ChatMessage[]> {
  await until(async () => google.in(space).length >= count)
  return google.in(space)
}

async function messageIn(space: string, count = 1): Promise<ChatMessage> {
  const message = (await messagesIn(space, count)).at(-1)
  if (!message) throw new Error('there is no message')
  return message
}

const textOf = (message: ChatMessage) => JSON.stringify(message.cardsV2)

/** A team that reviews in a space, whose editors Ada and Ben are in Google Chat. */
async function reviewing({ isAddOn = false } = {}) {
  const connected = await connectGoogleChat(app, google, { review_channel: editors }, isAddOn)
  for (const [id, name] of [
    [ada, 'Ada'],
    [ben, 'Ben'],
  ] as const) {
    const email = `${crypto.randomUUID()}@lumen.example`
    await member(app, connected.team, 'editor', { name, email })
    google.people[id] = { name, email }
  }
  return connected
}

test('a slash command in Google Chat becomes a draft, and only its sender gets the link and can undo it', async () => {
  const connected = await connectGoogleChat(app, google)
  const reply = await (await connected.say(mira, '/win We shipped search')).json()
  expect(reply).toEqual({
    text: 'Saved. Its link will follow here in a moment.',
    privateMessageViewer: { name: mira },
  })
  const receipt = await messageIn(room)
  expect(receipt.viewer).toBe(mira)
  const [, address = ''] = /<(.*)\|We shipped search>/.exec(receipt.text) ?? []
  expect((await fetch(address)).status).toBe(200)
  expect(await blocksOf(app, connected.team)).toMatchObject([
    { title: 'We shipped search', status: 'draft' },
  ])
  const undone = await connected.press(mira, actionIn(receipt, 'undo_news'), { at: receipt })
  expect(await undone.json()).toEqual({})
  await until(async () => receipt.text === 'Removed: it will not be in the newsletter.')
  expect(receipt.cardsV2).toEqual([])
  expect(await blocksOf(app, connected.team)).toHaveLength(0)
  expect(google.faults).toEqual([])
})

test('a message that Google Chat sends twice is one block', async () => {
  const connected = await connectGoogleChat(app, google)
  const message = { name: 'spaces/AAAAwins/messages/1.1', text: '/news We move', sender: {} }
  const [first, second] = [
    await connected.event(mira, { type: 'MESSAGE', message }),
    await connected.event(mira, { type: 'MESSAGE', message }),
  ]
  expect([first.status, second.status]).toEqual([200, 200])
  await settledBlocksOf(app, connected.team, 1)
})

test('a message of a person is saved with the form of Google Chat, with its image and its author', async () => {
  const connected = await connectGoogleChat(app, google)
  google.files.set('spaces/AAAAwins/messages/7.7/attachments/a=', await tinyImage('#0a84ff'))
  const opened = await connected.event(mira, {
    type: 'APP_COMMAND',
    appCommandMetadata: { appCommandId: 6, appCommandType: 'MESSAGE_ACTION' },
    isDialogEvent: true,
    dialogEventType: 'REQUEST_DIALOG',
    message: {
      name: 'spaces/AAAAwins/messages/7.7',
      formattedText: '*Harbour Bank* stays <users/4>',
      sender: { name: tomas, displayName: 'Tomás Weld', type: 'HUMAN' },
      attachment: [
        {
          contentType: 'image/png',
          attachmentDataRef: { resourceName: 'spaces/AAAAwins/messages/7.7/attachments/a=' },
        },
      ],
      annotations: [
        { type: 'USER_MENTION', userMention: { user: { name: ben, displayName: 'Ben Okoro' } } },
      ],
    },
  })
  const dialog = dialogIn(await opened.json())
  expect(JSON.stringify(dialog)).toContain('*Harbour Bank* stays Ben Okoro')
  const saved = await connected.press(mira, actionIn(dialog, 'save_news'), {
    dialog: 'SUBMIT',
    form: { title: 'Harbour Bank stays', body: 'For *two* years.', block_type: 'general' },
  })
  expect(JSON.stringify(await saved.json())).toContain('"statusCode":"OK"')
  await settledBlocksOf(app, connected.team, 1)
  const call = await unlimitedClient(app, connected.team)
  const { content_blocks } = (await call('GET', '/content_blocks')).json
  expect(content_blocks).toMatchObject([
    { title: 'Harbour Bank stays', origin: { author: 'Tomás Weld' } },
  ])
  expect(content_blocks[0].body).toContain('<strong>two</strong>')
  expect(content_blocks[0].image_url).toContain('/media/')
})

test('contributors in Google Chat get one message that their news is published, and people who were thanked get one, too', async () => {
  const connected = await connectGoogleChat(app, google)
  await connected.say(mira, '/win We shipped search')
  await connected.say(mira, '/kudos Tomás for the design', {
    formattedText: '/kudos <users/2> for the design',
    annotations: [
      { type: 'USER_MENTION', userMention: { user: { name: tomas, displayName: 'Tomás Weld' } } },
    ],
  })
  await connected.say(gone, '/win I leave')
  const call = await unlimitedClient(app, connected.team)
  const ids = (await settledBlocksOf(app, connected.team, 3)).map(({ id }) => id)
  for (const id of ids) await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
  await send(call, await newsletterOf(call, ids, { title: 'November <users/all>' }))
  await Promise.all([planIn(app, 11), planIn(app, 12)])
  await until(async () => {
    const rows =
      await app.sql`select status from chat_messages where team_id = ${connected.team.id}`
    return rows.length === 3 && rows.every(({ status }) => ['sent', 'skipped'].includes(status))
  })
  expect(textOf(await messageIn('spaces/dm1'))).toContain(
    'Your news items are in the newsletter “November',
  )
  expect(textOf(await messageIn('spaces/dm2'))).toContain(
    'Somebody thanks you in the newsletter “November',
  )
  expect(google.in('spaces/dm5')).toHaveLength(0)
  expect([google.in('spaces/dm1').length, google.in('spaces/dm2').length]).toEqual([1, 1])
  expect(google.faults).toEqual([])
})

test('a message whose answer was lost is found in Google Chat and not sent again', async () => {
  const connected = await reviewing()
  await connected.say(mira, '/win We shipped search')
  await settledBlocksOf(app, connected.team, 1)
  google.onMessage(() => {
    google.failure.kind = 'lost'
  })
  await planIn(app, 0)
  await messageIn(editors)
  google.onMessage(() => {})
  await until(async () => {
    const rows = await app.sql`
      select 1 from chat_messages where team_id = ${connected.team.id} and attempts > 0 and reason is not null`
    return rows.length === 1
  })
  google.failure.kind = null
  await until(async () => {
    await retryJobsOf(app, connected.team)
    const rows = await app.sql`
      select 1 from chat_messages where team_id = ${connected.team.id} and status = 'sent'`
    return rows.length === 1
  })
  expect(google.in(editors)).toHaveLength(1)
})

test('editors approve and decline drafts in a space of Google Chat, and the message says who did', async () => {
  const connected = await reviewing()
  await connected.say(mira, '/win We shipped <b>search</b>')
  await connected.say(mira, '/win We moved')
  await settledBlocksOf(app, connected.team, 2)
  await planIn(app, 0)
  const message = await messageIn(editors)
  const approve = actionIn(message, 'approve_draft')
  expect((await connected.press(ada, approve, { at: message })).status).toBe(200)
  await until(async () => textOf(message).includes('Approved by Ada'))
  const decline = actionIn(message, 'decline_draft')
  const asked = await connected.press(ada, decline, { at: message, dialog: 'REQUEST' })
  const dialog = dialogIn(await asked.json())
  expect(JSON.stringify(dialog)).toContain('It can be restored in Tidings for a day')
  await connected.press(ben, actionIn(dialog, 'decline_draft'), { at: message, dialog: 'SUBMIT' })
  await until(async () => textOf(message).includes('Declined by Ben'))
  await until(async () => google.in('spaces/dm1').length > 0)
  expect(textOf(await messageIn('spaces/dm1'))).toContain('The editors have decided not to use it')
  expect((await blocksOf(app, connected.team)).map(({ status }) => status)).toEqual(['ready'])
  expect(google.faults).toEqual([])
})

test('a draft that was edited after Google Chat showed it is not approved unread', async () => {
  const connected = await reviewing()
  await connected.say(mira, '/win We shipped search')
  await settledBlocksOf(app, connected.team, 1)
  await planIn(app, 0)
  const message = await messageIn(editors)
  const shown = actionIn(message, 'approve_draft')
  const [draft] = await blocksOf(app, connected.team)
  const call = await unlimitedClient(app, connected.team)
  await call('PATCH', `/content_blocks/${draft?.id}`, { title: 'Something else' })
  await connected.press(ada, shown, { at: message })
  await until(async () => textOf(message).includes('Something else'))
  const notice = await messageIn(editors, 2)
  expect(notice).toMatchObject({ viewer: ada })
  expect(notice.text).toContain('“Something else” has changed')
  expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
})

test('a person without an account in Tidings cannot approve, and alone gets the link to say who they are', async () => {
  const connected = await reviewing()
  await connected.say(mira, '/win We shipped search')
  await settledBlocksOf(app, connected.team, 1)
  await planIn(app, 0)
  const message = await messageIn(editors)
  await connected.press(tomas, actionIn(message, 'approve_draft'), { at: message })
  const notice = await messageIn(editors, 2)
  expect(notice).toMatchObject({ viewer: tomas })
  const [, link = ''] = /<(http[^|]*)\|Link your account>/.exec(notice.text) ?? []
  expect((await fetch(link, { redirect: 'manual' })).status).toBeLessThan(400)
  expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
})

test('an editor changes a draft in a dialog of Google Chat', async () => {
  const connected = await reviewing()
  await connected.say(mira, '/win We shipped *search*')
  await settledBlocksOf(app, connected.team, 1)
  await planIn(app, 0)
  const message = await messageIn(editors)
  const opened = await connected.press(ada, actionIn(message, 'edit_in_form'), {
    at: message,
    dialog: 'REQUEST',
  })
  const dialog = dialogIn(await opened.json())
  expect(JSON.stringify(dialog)).toContain('We shipped *search*')
  await connected.press(ada, actionIn(dialog, 'save_draft'), {
    dialog: 'SUBMIT',
    form: { title: 'Search is here', body: 'It finds *everything*.' },
  })
  await until(async () => textOf(message).includes('Search is here'))
  const refused = await connected.press(tomas, actionIn(message, 'edit_in_form'), {
    at: message,
    dialog: 'REQUEST',
  })
  expect(JSON.stringify(dialogIn(await refused.json()))).toContain('Link your account')
})

test('what people write to the app in Google Chat is shown to reviewers only if it was said in an open space or with a slash command', async () => {
  const connected = await reviewing()
  const direct = { name: 'spaces/dm1', spaceType: 'DIRECT_MESSAGE', singleUserBotDm: true }
  const group = { name: 'spaces/AAAAgroup', spaceType: 'GROUP_CHAT' }
  const open = { name: 'spaces/AAAAopen', spaceType: 'SPACE' }
  const closed = { ...open, accessSettings: { accessState: 'PRIVATE' } }
  const said: [string, object, boolean][] = [
    ['/win Red', direct, true],
    ['/win Orange', closed, true],
    ['win Yellow', open, true],
    ['win Green', direct, false],
    ['win Blue', group, false],
    ['win Indigo', closed, false],
  ]
  for (const [text, space] of said) {
    const message = { name: `spaces/AAAAwins/messages/${crypto.randomUUID()}`, text }
    await connected.event(mira, { type: 'MESSAGE', space, message })
  }
  await settledBlocksOf(app, connected.team, said.length)
  await planIn(app, 0)
  const shown = () => google.in(editors).map(textOf).join()
  await until(async () => shown().split('approve_draft').length > said.length)
  for (const [text, , isShown] of said)
    expect([text, shown().includes(text.split(' ')[1] ?? '')]).toEqual([text, isShown])
})

test('what was said in a private conversation of Google Chat is not shown to reviewers', async () => {
  const connected = await reviewing()
  const opened = await connected.event(mira, {
    type: 'APP_COMMAND',
    space: { name: 'spaces/secret', spaceType: 'DIRECT_MESSAGE' },
    appCommandMetadata: { appCommandType: 'MESSAGE_ACTION' },
    isDialogEvent: true,
    dialogEventType: 'REQUEST_DIALOG',
    message: { name: 'spaces/secret/messages/1.1', text: 'The contract is signed' },
  })
  const dialog = dialogIn(await opened.json())
  expect(JSON.stringify(dialog)).toContain('private conversation')
  await connected.press(mira, actionIn(dialog, 'save_news'), {
    dialog: 'SUBMIT',
    form: { title: '', body: 'The contract is signed' },
  })
  await settledBlocksOf(app, connected.team, 1)
  await planIn(app, 0)
  const message = textOf(await messageIn(editors))
  expect(message).toContain('News from a private conversation')
  expect(message).not.toContain('contract')
})

test('an access token that Google revoked is replaced once, and a refused service account says what to check', async () => {
  const connected = await connectGoogleChat(app, google)
  await connected.say(mira, '/win One')
  await messageIn(room)
  google.forgetTokens()
  await connected.say(mira, '/win Two')
  await messageIn(room, 2)
})

test('a sent newsletter is posted to the space once, also when it is posted again', async () => {
  const connected = await connectGoogleChat(app, google, { newsletter_channel: 'spaces/AAAAall' })
  const editor = await signedIn(app, connected.team, 'editor')
  const call = await unlimitedClient(app, connected.team)
  const block = await blockOf(call, { title: 'Harbour <users/all> Bank' })
  const path = await newsletterOf(call, [block], { title: 'November <b>news</b>' })
  await send(call, path)
  await editor.get(`${path}/export`)
  google.onMessage(() => {
    google.failure.kind = 'lost'
  })
  await editor.post(`${path}/posts`, { connection: connected.connectionId })
  const page = async () => (await editor.get(`${path}/export`)).html
  await until(async () => (await page()).includes('Not confirmed'))
  google.onMessage(() => {})
  google.failure.kind = null
  await editor.post(`${path}/posts`, { connection: connected.connectionId })
  await until(async () => !(await page()).includes('Not confirmed'))
  const [posted, ...others] = google.in('spaces/AAAAall')
  expect(others).toEqual([])
  expect(textOf(posted ?? (await messageIn('spaces/AAAAall')))).toContain(
    '• Harbour &lt;users/all&gt; Bank',
  )
  expect(google.faults).toEqual([])
})

test('a direct message to the app is read with AI: the app asks for what is missing, and saves what the person says', async () => {
  const connected = await connectGoogleChat(app, google)
  model.answer = ({ body }) =>
    JSON.stringify(body.messages).includes('Tomás')
      ? completion({ intent: 'kudos', missing: 'nothing', parts: ['Tomás for the design'] })
      : completion({ intent: 'kudos', missing: 'who', parts: [] })
  const space = { name: 'spaces/dm1', spaceType: 'DIRECT_MESSAGE', singleUserBotDm: true }
  const write = (text: string) => {
    const name = `spaces/dm1/messages/${crypto.randomUUID()}`
    const message = { name, text, sender: { name: mira, displayName: 'Mira Solano' } }
    return connected.event(mira, { type: 'MESSAGE', space, message })
  }
  await write('I would like to thank somebody')
  expect(textOf(await messageIn('spaces/dm1'))).toContain('Whom do you want to thank?')
  await write('Tomás for the design')
  expect(await settledBlocksOf(app, connected.team, 1)).toMatchObject([
    { title: 'Kudos to Tomás for the design', status: 'draft' },
  ])
  expect(google.faults).toEqual([])
})

const replies = ['We move to the harbour', '/win We move to the harbour']

test.each(replies)(
  'the image of an earlier message to the app of Google Chat is saved with the reply “%s” to its question, which ends',
  async (reply) => {
    const connected = await connectGoogleChat(app, google)
    const resourceName = 'spaces/dm1/messages/8.8/attachments/a='
    google.files.set(resourceName, await tinyImage('#0a84ff'))
    model.answer = () =>
      completion({ intent: 'news', missing: 'nothing', parts: ['We move to the harbour'] })
    const space = { name: 'spaces/dm1', spaceType: 'DIRECT_MESSAGE', singleUserBotDm: true }
    const write = (more: object) => {
      const name = `spaces/dm1/messages/${crypto.randomUUID()}`
      const message = { name, sender: { name: mira, displayName: 'Mira Solano' }, ...more }
      return connected.event(mira, { type: 'MESSAGE', space, message })
    }
    const attachmentDataRef = { resourceName }
    await write({ text: '', attachment: [{ contentType: 'image/png', attachmentDataRef }] })
    expect(textOf(await messageIn('spaces/dm1'))).toContain('What is the news?')
    await write({ text: reply })
    await settledBlocksOf(app, connected.team, 1)
    const [block] = await app.sql`
    select title, image_url from content_blocks where team_id = ${connected.team.id}`
    expect(block).toMatchObject({
      title: 'We move to the harbour',
      image_url: expect.stringContaining('/media/'),
    })
    const [conversation] = await app.sql`
    select missing, texts from chat_conversations where team_id = ${connected.team.id}`
    expect(conversation).toEqual({ missing: null, texts: [] })
    expect(google.faults).toEqual([])
  },
)

test('after a message that no model has read, the form of Google Chat contains it, and what is saved stays private', async () => {
  const connected = await reviewing()
  model.answer = () => new Response('down', { status: 401 })
  const space = { name: 'spaces/dm1', spaceType: 'DIRECT_MESSAGE', singleUserBotDm: true }
  const message = { name: 'spaces/dm1/messages/m.m', text: 'We *move* to the harbour' }
  await connected.event(mira, { type: 'MESSAGE', space, message })
  const reply = await messageIn('spaces/dm1')
  const open = actionIn(reply, 'open_form')
  const opened = await connected.press(mira, open, { at: reply, dialog: 'REQUEST' })
  const form = dialogIn(await opened.json())
  expect(JSON.stringify(form)).toContain('"value":"We *move* to the harbour"')
  const fields = { title: '', body: 'We *move* to the harbour' }
  await connected.press(mira, actionIn(form, 'save_news'), { form: fields, dialog: 'SUBMIT' })
  await settledBlocksOf(app, connected.team, 1)
  await planIn(app, 0)
  expect(textOf(await messageIn(editors))).toContain('News from a private conversation')
  const again = await connected.press(mira, open, { at: reply, dialog: 'REQUEST' })
  expect(JSON.stringify(dialogIn(await again.json()))).not.toContain('harbour')
  expect(google.faults).toEqual([])
})

test('an app that is built as a Google Workspace add-on works like another Chat app: news, form, receipt, review and undo', async () => {
  const connected = await reviewing({ isAddOn: true })
  const { address } = connected
  const replyOf = async (response: Response) => addOnReply(await response.json(), address)
  expect(await replyOf(await connected.say(mira, '/win We shipped search'))).toMatchObject({
    text: expect.stringContaining('Saved. Its link will follow'),
    privateMessageViewer: { name: mira },
  })
  const help = await replyOf(await connected.say(mira, 'hello'))
  const open = actionIn(help, 'open_form')
  const form = await replyOf(await connected.press(mira, open, { dialog: 'REQUEST' }))
  const fields = { title: '', body: 'We moved' }
  const save = actionIn(form, 'save_news')
  expect(
    await replyOf(await connected.press(mira, save, { form: fields, dialog: 'SUBMIT' })),
  ).toHaveProperty('action.notification.text')
  await settledBlocksOf(app, connected.team, 2)
  await planIn(app, 0)
  const message = await messageIn(editors)
  const approve = actionIn(message, 'approve_draft')
  expect(approve.function).toBe(connected.url)
  await connected.press(ada, approve, { at: message })
  await until(async () => textOf(message).includes('Approved by Ada'))
  const decline = actionIn(message, 'decline_draft')
  const asked = await connected.press(ben, decline, { at: message, dialog: 'REQUEST' })
  const confirm = actionIn(await replyOf(asked), 'decline_draft')
  await replyOf(await connected.press(ben, confirm, { at: message, dialog: 'SUBMIT' }))
  await until(async () => textOf(message).includes('Declined by Ben'))
  await connected.say(mira, '/news We celebrate')
  await settledBlocksOf(app, connected.team, 2)
  await until(async () => google.in(room).some(({ text }) => text.includes('We celebrate')))
  const receipt = google.in(room).find(({ text }) => text.includes('We celebrate'))
  if (!receipt) throw new Error('there is no receipt')
  await connected.press(mira, actionIn(receipt, 'undo_news'), { at: receipt })
  await until(async () => receipt.text === 'Removed: it will not be in the newsletter.')
  expect((await blocksOf(app, connected.team)).map(({ status }) => status)).toEqual(['ready'])
  expect(google.faults).toEqual([])
})

test('a space of Google Chat is asked for news, replies in the form count, and an editor stops the questions', async () => {
  const connected = await reviewing()
  await scheduleQuestions(
    app,
    { ...connected, askedChannels: [room] },
    new Date(Date.now() + 60_000),
  )
  await planIn(app, 1)
  const message = await messageIn(room)
  expect(textOf(message)).toContain('What went well this week?')
  const open = actionIn(message, 'open_form')
  const opened = await connected.press(mira, open, { at: message, dialog: 'REQUEST' })
  const form = dialogIn(await opened.json())
  const fields = { title: 'A win', body: 'We won.' }
  await connected.press(mira, actionIn(form, 'save_news'), { form: fields, dialog: 'SUBMIT' })
  await until(async () => {
    const rows = await app.sql`select 1 from prompt_replies where team_id = ${connected.team.id}`
    return rows.length === 1
  })
  const stop = actionIn(message, 'prompts_off')
  const asked = await connected.press(ada, stop, { at: message, dialog: 'REQUEST' })
  const confirm = actionIn(dialogIn(await asked.json()), 'prompts_off')
  await connected.press(ada, confirm, { at: message, dialog: 'SUBMIT' })
  await until(async () => textOf(message).includes('has switched these questions off'))
  expect(google.faults).toEqual([])
})
