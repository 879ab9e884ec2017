import { describe, expect, test } from 'bun:test'
import type { BotMessage, Chat } from '../../support/chats/chat.ts'
import {
  blocksOf,
  chatMessagesOf,
  retryUntil,
  settledBlocksOf,
} from '../../support/chats/chat-rows.ts'
import { accountLinkIn } from '../../support/chats/link-account.ts'
import { planIn } from '../../support/chats/plan-messages.ts'
import { startChats } from '../../support/chats/start-chats.ts'
import { member, signedIn } from '../../support/console.ts'
import { untilNothingIsSent } from '../../support/jobs.ts'
import { unlimitedClient } from '../../support/newsletters.ts'
import { until } from '../../support/until.ts'

const { app, chats } = await startChats()
const { discord, googleChat, mattermost, teams } = chats

const statusesOf = async ({ team }: Chat) => (await blocksOf(app, team)).map(({ status }) => status)

/** The message in the channel for reviews. */
async function postedIn(chat: Chat): Promise<BotMessage> {
  await planIn(chat)
  await until(async () => chat.messagesIn(chat.channel).length > 0)
  const [message] = chat.messagesIn(chat.channel)
  if (!message) throw new Error('there is no message')
  return message
}

/** The message for the review of this news. */
async function reviewOf(chat: Chat, news = 'We shipped search'): Promise<BotMessage> {
  await chat.sendNews(news)
  await settledBlocksOf(app, chat.team, 1)
  return await postedIn(chat)
}

// A text that fills a field of a form, and in some chats more than one message.
const writtenTimes = 80
const writtenWords = ['*Hafenbank*', '[Kai_3](a)', '👩‍👩‍👧‍👦']
const longText = `${writtenWords.join(' ')} `.repeat(writtenTimes).trim()

/** How often each of these words is in what the bot writes, without the escapes of Markdown. */
const timesIn = (shown: string) =>
  writtenWords.map((word) => shown.replaceAll('\\', '').split(word).length - 1)

describe.each([discord, googleChat, mattermost, teams])('Reviews in $name', (chat) => {
  test('new drafts are posted once, and an editor approves one with a button', async () => {
    await chat.sendNews('We shipped <b>search</b> <@&5> @everyone @ada')
    await settledBlocksOf(app, chat.team, 1)
    await Promise.all([planIn(chat), planIn(chat)])
    const message = await postedIn(chat)
    expect(message.text()).toContain('1 new draft to review')
    expect(message.text()).toContain('by Mira Solano')
    await message.button('approve_draft').press('ada')
    await until(async () => message.text().includes(`Approved by ${chat.nameOf('ada')}`))
    expect(await statusesOf(chat)).toEqual(['ready'])
    expect(() => message.button('approve_draft')).toThrow()
    await planIn(chat, 2)
    expect(chat.messagesIn(chat.channel)).toHaveLength(1)
  })

  test('a draft is declined after a question, and only the person who sent it gets a message about that', async () => {
    const message = await reviewOf(chat)
    const question = await message.button('decline_draft').open('ada')
    expect(question.text).toContain('Decline this draft?')
    expect(await statusesOf(chat)).toEqual(['draft'])
    await question.submit()
    await until(async () => message.text().includes(`Declined by ${chat.nameOf('ada')}`))
    await until(async () => chat.textTo('mira').includes('have decided not to use it this time'))
    expect(await statusesOf(chat)).toEqual([])
    expect(chat.messagesIn(chat.channel)).toHaveLength(1)
    for (const other of ['ada', 'ben', 'eve', 'tomas'] as const)
      expect(chat.messagesTo(other)).toEqual([])
  })

  test('a declined draft that an editor restores in Tidings can be approved in the chat', async () => {
    const message = await reviewOf(chat)
    const [draft] = await blocksOf(app, chat.team)
    const question = await message.button('decline_draft').open('ada')
    const late = await message.button('decline_draft').open('ben')
    await question.submit()
    await until(async () => message.text().includes(`Declined by ${chat.nameOf('ada')}`))
    const editor = await signedIn(app, chat.team, 'editor')
    await editor.get('/library')
    await editor.post(`/library/${draft?.id}/restore`)
    expect(await statusesOf(chat)).toEqual(['draft'])
    await planIn(chat)
    await until(async () => !message.text().includes('Declined by'))
    // A question from before declines nothing.
    await late.submit()
    await until(async () => chat.textTo('ben').includes('“We shipped search” has changed'))
    expect(await statusesOf(chat)).toEqual(['draft'])
    await message.button('approve_draft').press('ben')
    await until(async () => message.text().includes(`Approved by ${chat.nameOf('ben')}`))
    expect(await statusesOf(chat)).toEqual(['ready'])
  })

  test('a draft that was edited after its message was posted is not approved unread', async () => {
    const message = await reviewOf(chat)
    const shown = message.button('approve_draft')
    const [draft] = await blocksOf(app, chat.team)
    const call = await unlimitedClient(app, chat.team)
    await call('PATCH', `/content_blocks/${draft?.id}`, { title: 'Something else' })
    await shown.press('ada')
    await until(async () => message.text().includes('Something else'))
    await until(async () => chat.textTo('ada').includes('“Something else” has changed'))
    expect(await statusesOf(chat)).toEqual(['draft'])
  })

  test('an editor changes a draft in a form, and who was slower gets all of their text back', async () => {
    const message = await reviewOf(chat, `We shipped ${chat.bold('search')}`)
    const first = await message.button('edit_in_form').open('ada')
    const second = await message.button('edit_in_form').open('ben')
    expect(first.text).toContain(`We shipped ${chat.bold('search')}`)
    await first.submit({ title: 'Search', body: `It ${chat.bold('finds')} all.` })
    await until(async () => message.text().includes('It finds all.'))
    await second.submit({ title: 'Slower', body: longText })
    await until(async () => timesIn(chat.textTo('ben')).every((times) => times === writtenTimes))
    expect(chat.textTo('ben')).toContain(chat.mentionOf('ada'))
    await until(async () => chat.textTo('ada').includes('Your version counts'))
    expect(await blocksOf(app, chat.team)).toMatchObject([{ title: 'Search' }])
  })

  test('an editor whose draft was declined while they wrote gets all of their text back', async () => {
    const message = await reviewOf(chat)
    const form = await message.button('edit_in_form').open('ada')
    const question = await message.button('decline_draft').open('ben')
    await question.submit()
    await until(async () => (await statusesOf(chat)).length === 0)
    await form.submit({ title: 'Late', body: longText })
    await until(async () => chat.textTo('ada').includes('This draft does not exist any more'))
    expect(chat.textTo('ada')).toContain('This is what you wrote:')
    await until(async () => timesIn(chat.textTo('ada')).every((times) => times === writtenTimes))
    await untilNothingIsSent(app)
    expect(chat.textTo('ada').split('This draft does not exist any more')).toHaveLength(2)
  })

  test('an editor who becomes a viewer while they write gets all of their text back', async () => {
    const message = await reviewOf(chat)
    const form = await message.button('edit_in_form').open('ada')
    const setRoles = (role: string) =>
      app.sql`update members set role = ${role} where team_id = ${chat.team.id}`
    await setRoles('viewer')
    await form.submit({ title: 'Late', body: longText })
    await until(async () => chat.textTo('ada').includes('can make you one'))
    await setRoles('editor')
    expect(chat.textTo('ada')).toContain('This is what you wrote:')
    await until(async () => timesIn(chat.textTo('ada')).every((times) => times === writtenTimes))
    await untilNothingIsSent(app)
    expect(chat.textTo('ada').split('can make you one')).toHaveLength(2)
    expect(await statusesOf(chat)).toEqual(['draft'])
  })

  test('a person who is not an editor changes nothing, and gets a link to their account that works once', async () => {
    const message = await reviewOf(chat)
    await message.button('approve_draft').press('eve')
    await until(async () => chat.textTo('eve').includes('belongs to no editor'))
    expect(await message.button('edit_in_form').refusalFor('eve')).toContain('Link your account')
    expect(await statusesOf(chat)).toEqual(['draft'])
    const path = accountLinkIn(chat.textTo('eve'))
    const viewer = await signedIn(app, chat.team, 'viewer')
    const account = chat.idOf('eve')
    expect((await viewer.get(path)).html.toLowerCase()).toContain(`eve (${account})`)
    expect((await viewer.post(path)).status).toBe(303)
    expect((await viewer.post(path)).status).toBe(404)
    await message.button('approve_draft').press('eve')
    await until(async () => chat.textTo('eve').includes('can make you one'))
    expect(await message.button('edit_in_form').refusalFor('eve')).toContain('can make you one')
    expect((await viewer.get('/account')).html).toContain(`${chat.name}: ${account}<`)
  })
})

describe.each([discord, mattermost])('Editors in $name', (chat) => {
  test('when two editors decide differently, the first counts and both are informed', async () => {
    const message = await reviewOf(chat)
    const question = await message.button('decline_draft').open('ben')
    await message.button('approve_draft').press('ada')
    await until(async () => (await statusesOf(chat))[0] === 'ready')
    await question.submit()
    await until(async () => chat.textTo('ben').includes('The first choice counts.'))
    await until(async () =>
      chat.textTo('ada').includes(`${chat.mentionOf('ben')} chose to decline`),
    )
    expect(await statusesOf(chat)).toEqual(['ready'])
  })

  test('a person who has left cannot review with an old button', async () => {
    const message = await reviewOf(chat)
    chat.leave('ben')
    await message.button('approve_draft').press('ben')
    await until(async () => chat.textTo('ben').includes('belongs to no editor'))
    expect(accountLinkIn(chat.textTo('ben'))).toBe('')
    expect(await statusesOf(chat)).toEqual(['draft'])
  })

  test('editors of another team are not editors, also when an editor has the same name', async () => {
    const other = await chat.connectOtherTeam()
    await other.addEditor('tomas')
    await member(app, chat.team, 'editor', { name: 'Tomás Weld' })
    const message = await reviewOf(chat)
    await message.button('approve_draft').press('tomas')
    await until(async () => chat.textTo('tomas').includes('belongs to no editor'))
    expect(await statusesOf(chat)).toEqual(['draft'])
  })
})

test('an editor who declines a draft in Discord reads that in place of the question', async () => {
  const message = await reviewOf(discord)
  const question = await message.button('decline_draft').open('ada')
  await question.submit()
  await until(async () => discord.textTo('ada').includes('The draft is declined'))
})

test.each([discord, googleChat, mattermost])(
  'drafts that $name has posted without a response are found in the channel and not posted again',
  async (chat) => {
    await chat.sendNews('We shipped search')
    await settledBlocksOf(app, chat.team, 1)
    chat.failPosting('lost')
    await planIn(chat)
    await until(async () => (await chatMessagesOf(app, chat.team))[0]?.reason != null)
    chat.recoverLater()
    await retryUntil(app, chat.team, 'sent')
    expect(chat.messagesIn(chat.channel)).toHaveLength(1)
    const message = await postedIn(chat)
    await message.button('approve_draft').press('ada')
    await until(async () => message.text().includes('Approved by'))
  },
)
