import { afterEach, expect, test } from 'bun:test'
import { adapter } from '../../../integrations/google-chat/adapter.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { blocksOf, settledBlocksOf } from '../../support/chats/chat-rows.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { member, signedIn } from '../../support/console.ts'
import { addOnReply } from '../../support/google-chat/google-add-on.ts'
import { dialogIn } from '../../support/google-chat/google-cards.ts'
import {
  actionIn,
  type ChatMessage,
  connectGoogleChat,
  startGoogleChat,
} from '../../support/google-chat/google-chat.ts'
import { tinyImage } from '../../support/hostile/hostile-images.ts'
import { blockOf, newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
import { until } from '../../support/until.ts'

const mira = 'users/1'
const tomas = 'users/2'
const ada = 'users/3'
const ben = 'users/4'
const room = 'spaces/AAAAwins'
const editors = 'spaces/AAAAeditors'

const google = await startGoogleChat({
  [mira]: { name: 'Mira Solano' },
  [tomas]: { name: 'Tomás Weld' },
  [ada]: { name: 'Ada Reyes' },
  [ben]: { name: 'Ben Okoro' },
})
const app = await startChatApp({ adapters: [adapter] }, [google])
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
})
