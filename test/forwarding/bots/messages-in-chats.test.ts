import { afterAll, describe, expect, test } from 'bun:test'
import type { BotMessage, Chat } from '../../support/chats/chat.ts'
import {
  chatMessagesOf,
  retryUntil,
  settledBlocksOf,
  settledChatMessagesOf,
} from '../../support/chats/chat-rows.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { askNow } from '../../support/chats/questions.ts'
import { startChats } from '../../support/chats/start-chats.ts'
import { signedIn } from '../../support/console.ts'
import { tinyImage } from '../../support/hostile/hostile-images.ts'
import { publishBlocks } from '../../support/newsletters.ts'
import { completion, startProvider } from '../../support/providers/ai-provider.ts'
import { until } from '../../support/until.ts'

const model = startProvider()
const ai = { baseUrl: model.baseUrl, apiKey: null, model: 'test-model' }
const { app, chats } = await startChats({ ai })
const { discord, googleChat, mattermost, teams } = chats
afterAll(() => model.close())

/** The first message in a channel. */
async function messageIn(chat: Chat, channel: string): Promise<BotMessage> {
  await until(async () => chat.messagesIn(channel).length > 0)
  const [message] = chat.messagesIn(channel)
  if (!message) throw new Error('there is no message')
  return message
}

describe.each([discord, googleChat, mattermost, teams])('Messages in $name', (chat) => {
  test('everybody who contributed or is thanked gets one message when the newsletter is sent', async () => {
    await chat.sendNews('We shipped search')
    await chat.thank('tomas')
    await settledBlocksOf(app, chat.team, 2)
    await publishBlocks(app, chat.team, { title: 'November <users/all> <at>all</at> @channel' })
    await Promise.all([planIn(chat, 11), planIn(chat, 12)])
    const messages = await settledChatMessagesOf(app, chat.team, 2)
    expect(messages.map(({ status }) => status)).toEqual(['sent', 'sent'])
    const about = 'news items are in the newsletter “November'
    expect(chat.messagesTo('mira').filter((one) => one.text().includes(about))).toHaveLength(1)
    expect(chat.textTo('tomas')).toContain('Somebody thanks you in the newsletter “November')
    expect(chat.messagesTo('tomas')).toHaveLength(1)
  })

  test('a person who has left gets no message', async () => {
    await chat.thank('eve')
    await settledBlocksOf(app, chat.team, 1)
    chat.leave('eve')
    await publishBlocks(app, chat.team)
    await planIn(chat, 11)
    const messages = await settledChatMessagesOf(app, chat.team, 2)
    expect(messages.flatMap(({ reason }) => reason ?? [])).toEqual([
      expect.stringContaining('deactivated'),
    ])
    expect(chat.messagesTo('eve')).toEqual([])
  })

  test('a channel is asked for news, replies in the form count, and an editor stops the questions', async () => {
    const admin = await signedIn(app, chat.team, 'admin')
    await askNow(app, admin, chat)
    const message = await messageIn(chat, chat.channel)
    expect(message.text()).toContain(chat.escape('What went *well*?'))
    const form = await message.button('open_form').open('mira')
    await form.submit({ title: 'A win', body: 'We won.' })
    await until(async () => {
      const rows = await app.sql`select 1 from prompt_replies where team_id = ${chat.team.id}`
      return rows.length === 1
    })
    const question = await message.button('prompts_off').open('ada')
    expect(question.text).toContain('Stop these questions?')
    await question.submit()
    const stopped = 'has switched these questions off'
    await until(async () => message.text().includes(stopped))
    expect(message.text()).toContain(chat.nameOf('ada'))
    await message.button('prompts_on').press('ada')
    await until(async () => !message.text().includes(stopped))
  })

  test('a sent newsletter is posted by the bot to its channel once', async () => {
    await chat.sendNews('Harbour **Bank** stays @everyone')
    await settledBlocksOf(app, chat.team, 1)
    const path = await publishBlocks(app, chat.team)
    const editor = await signedIn(app, chat.team, 'editor')
    await editor.get(`${path}/export`)
    const post = () => editor.post(`${path}/posts`, { connection: chat.connectionId })
    await post()
    const message = await messageIn(chat, chat.newsletterChannel)
    expect(message.text()).toContain('November')
    expect(message.text()).toContain('Harbour')
    await post()
    await until(async () => (await editor.get(`${path}/export`)).html.includes('Posted'))
    expect(chat.messagesIn(chat.newsletterChannel)).toHaveLength(1)
  })
})

describe.each([discord, mattermost])('Requests to $name', (chat) => {
  test.each(chat.failures)(
    'a message is sent once when the first request is %s, with two requests to create it',
    async (failure) => {
      await chat.sendNews('We shipped search')
      await settledBlocksOf(app, chat.team, 1)
      await publishBlocks(app, chat.team)
      chat.failPosting(failure)
      await planIn(chat, 11)
      await until(async () => (await chatMessagesOf(app, chat.team))[0]?.reason != null)
      chat.recover()
      await retryUntil(app, chat.team, 'sent')
      expect(chat.messagesTo('mira')).toHaveLength(1)
      // A message that is planned later than the chat has it is not found there, but its repetition is recognized.
      expect(chat.postingRequests()).toBe(2)
    },
  )

  test('a message that may have been sent is not repeated when the bot cannot read the channel', async () => {
    await chat.sendNews('We shipped search')
    await settledBlocksOf(app, chat.team, 1)
    await publishBlocks(app, chat.team)
    chat.failPosting('lost')
    await planIn(chat, 11)
    await until(async () => (await chatMessagesOf(app, chat.team))[0]?.reason != null)
    chat.hideMessages()
    await retryUntil(app, chat.team, 'unknown')
    expect(chat.messagesTo('mira')).toHaveLength(1)
  })
})

const readAsNews = () =>
  completion({ intent: 'news', missing: 'nothing', parts: ['We move to the harbour'] })

describe.each([googleChat, teams])('Conversations in $name', (chat) => {
  test.each([
    ['the news', 'news', 'what', 'What is the news?', 'We move to the harbour', ''],
    [
      'the person',
      'kudos',
      'who',
      'Whom do you want to thank?',
      'Tomás for the design',
      'Kudos to ',
    ],
  ])(
    'the bot reads a direct message with AI, asks for %s when that is missing, and saves what the person says',
    async (_, intent, missing, question, said, heading) => {
      model.answer = ({ body }) =>
        JSON.stringify(body.messages).includes(said)
          ? completion({ intent, missing: 'nothing', parts: [said] })
          : completion({ intent, missing, parts: [] })
      await chat.write('I have something for the newsletter')
      await until(async () => chat.textTo('mira').includes(question))
      await chat.write(said)
      expect(await settledBlocksOf(app, chat.team, 1)).toMatchObject([
        { title: `${heading}${said}`, status: 'draft' },
      ])
    },
  )

  test.each(['words', 'a command'])(
    'the image of an earlier message is saved with the reply to its question in %s, and the conversation ends',
    async (kind) => {
      model.answer = readAsNews
      const reply = 'We move to the harbour'
      await chat.write('', await tinyImage('#0a84ff'))
      await until(async () => chat.textTo('mira').includes('What is the news?'))
      await chat.write(kind === 'words' ? reply : chat.command(reply))
      await settledBlocksOf(app, chat.team, 1)
      const [block] = await app.sql`
        select title, image_url from content_blocks where team_id = ${chat.team.id}`
      expect(block).toMatchObject({
        title: reply,
        image_url: expect.stringContaining('/media/'),
      })
      const [conversation] = await app.sql`
        select missing, texts from chat_conversations where team_id = ${chat.team.id}`
      expect(conversation).toEqual({ missing: null, texts: [] })
    },
  )

  test('the form contains a message that no model has read, and what is saved stays private', async () => {
    model.answer = () => new Response('down', { status: 401 })
    const written = `We ${chat.bold('move')} to the harbour`
    await chat.write(written)
    await until(async () => chat.messagesTo('mira').length > 0)
    const [reply] = chat.messagesTo('mira')
    const form = await reply?.button('open_form').open('mira')
    expect(form?.text).toContain(`"value":"${written}"`)
    await form?.submit({ title: '', body: written })
    await settledBlocksOf(app, chat.team, 1)
    await planIn(chat)
    const message = await messageIn(chat, chat.channel)
    expect(message.text()).toContain('News from a private conversation')
    const again = await reply?.button('open_form').open('mira')
    expect(again?.text).not.toContain('harbour')
  })

  test('a message that no model has read stays in the form after the next message', async () => {
    model.answer = () => new Response('down', { status: 401 })
    await chat.write('We move to the harbour')
    await until(async () => chat.messagesTo('mira').length > 0)
    model.answer = () => completion({ intent: 'help', missing: 'nothing', parts: [] })
    await chat.write('Are you there?')
    await until(async () => chat.messagesTo('mira').length > 1)
    const form = await chat.messagesTo('mira')[0]?.button('open_form').open('mira')
    expect(form?.text).toContain('"value":"We move to the harbour"')
  })
})
