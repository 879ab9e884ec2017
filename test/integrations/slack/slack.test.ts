import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  botToken,
  connect,
  deliveredBlock,
  eventOf,
  startSlack,
} from '../../support/slack/slack.ts'
import {
  command,
  messageAction,
  messageEvent,
  people,
  press,
} from '../../support/slack/slack-payloads.ts'

const slack = startSlack(people)
afterAll(() => slack.stop())
beforeEach(() => {
  slack.calls.length = 0
  slack.failures.clear()
})

const connection = connect(slack)
const here = { response_url: slack.responseUrl }

describe('Slack commands', () => {
  test.each([
    ['/win', 'wins_milestones' as const],
    ['/news', 'general' as const],
    ['/kudos', 'wins_milestones' as const],
    ['/welcome', 'new_starter' as const],
  ])('the Slack command %s makes a block of type %s', async (name, block_type) => {
    const received = await connection.send(command('We shipped v2', { command: name }))
    expect(received).toMatchObject({
      kind: 'event',
      deliveryId: expect.stringMatching(/^command:[0-9a-f]{32}$/),
      reply: { body: { response_type: 'ephemeral', text: expect.stringContaining('in a moment') } },
    })
    const { item } = await connection.blockOf(received)
    expect(item).toEqual({
      title: name === '/kudos' ? 'Kudos: We shipped v2' : 'We shipped v2',
      body: name === '/kudos' ? '<p>Kudos: We shipped v2</p>' : '<p>We shipped v2</p>',
      block_type,
      external_id: expect.stringMatching(/^slack:command:[0-9a-f]{32}$/),
      author: 'Mira Solano',
    })
    expect(slack.calls[0]?.authorization).toBe(`Bearer ${botToken}`)
  })

  test('every Slack trigger is a delivery of its own', async () => {
    const one = eventOf(await connection.send(command('Hi', { trigger_id: '1' })))
    const again = eventOf(await connection.send(command('Hi', { trigger_id: '1' })))
    const other = eventOf(await connection.send(command('Hi', { trigger_id: '2' })))
    expect(again.deliveryId).toBe(one.deliveryId)
    expect(other.deliveryId).not.toBe(one.deliveryId)
  })

  test('the first line of a Slack command is the title, cut between words', async () => {
    const line =
      'The search team moved every index to the new cluster without a single minute of rest'
    const { item } = await connection.blockOf(await connection.send(command(`${line}\n\nMore`)))
    expect(item?.title).toBe(
      'The search team moved every index to the new cluster without a single minute of…',
    )
    expect(item?.body).toBe(`<p>${line}</p>\n<p>More</p>`)
  })

  test('/win help in Slack answers with help and saves nothing', async () => {
    expect(await connection.send(command(' Help '))).toMatchObject({
      kind: 'immediateReply',
      reply: { body: { text: expect.stringContaining('/kudos') } },
    })
  })

  test('a Slack command is answered without a request to Slack', async () => {
    for (const method of ['users.info', 'views.open']) slack.failures.set(method, 'stalled')
    expect((await connection.send(command('Thanks <@U0TOMAS>'))).kind).toBe('event')
    expect((await connection.send(command(''))).kind).toBe('immediateReply')
    expect((await connection.send(messageAction('Hi'))).kind).toBe('immediateReply')
    expect(slack.calls).toEqual([])
  })
})

describe('Slack follow-up messages', () => {
  const delivered = async () => {
    const received = await connection.send(command('We shipped v2', here))
    await connection.notifyDelivered(received, [deliveredBlock('slack:command:1')])
    const [message] = slack.followUps()
    return { message, undo: message.blocks[1].elements[0] }
  }

  test('the person who saved a Slack message gets its link and an Undo button, and nobody else does', async () => {
    const { message, undo } = await delivered()
    expect(message).toMatchObject({
      response_type: 'ephemeral',
      text: 'Saved for the newsletter: <https://news.acme.test/blocks/cb_1|We &lt;shipped&gt; v2 &amp; more>',
    })
    expect(undo).toMatchObject({ type: 'button', text: { text: 'Undo' } })
    expect(undo.value).not.toContain('U0MIRA')
  })

  test('a Slack message that was in the library already gets no Undo button', async () => {
    const received = await connection.send(command('We shipped v2', here))
    await connection.notifyDelivered(received, [deliveredBlock('slack:command:1', false)])
    expect(slack.followUps()).toMatchObject([{ text: expect.stringContaining('already') }])
    expect(slack.followUps()[0].blocks).toHaveLength(1)
  })

  test('Undo in Slack removes the block and says so', async () => {
    const { undo } = await delivered()
    const received = await connection.send(press(undo.value, here))
    expect(eventOf(received)).toMatchObject({ reply: {}, event: { type: 'undo' } })
    expect(await connection.composed(eventOf(received))).toEqual({
      kind: 'withdraw',
      externalIds: ['slack:command:1'],
    })
    await connection.notifyDelivered(received, [])
    expect(slack.followUps()[1]).toMatchObject({
      replace_original: true,
      text: expect.stringContaining('Removed'),
    })
  })

  test('Undo in Slack says when the block is already in a newsletter', async () => {
    const { undo } = await delivered()
    const received = await connection.send(press(undo.value, here))
    await connection.notifyDelivered(received, [deliveredBlock('slack:command:1')])
    expect(slack.followUps()[1].text).toContain('stays')
  })

  test.each([
    ['another person', (value: string) => press(value, { ...here, user: { id: 'U0TOMAS' } })],
    ['another block', (value: string) => press(value.replace(/1$/, '2'), here)],
    ['a made-up value', () => press('slack:command:1', here)],
  ])('Undo in Slack does nothing for %s', async (_, pressed) => {
    const { undo } = await delivered()
    const received = await connection.send(pressed(undo.value))
    await connection.reply(received)
    expect(slack.followUps()[1].text).toContain('Only the person who saved this')
  })

  test('Undo in Slack works while the signing secret is being rotated', async () => {
    const { undo } = await delivered()
    const rotated = connect(slack, {
      signing_secret: ['new', connection.settings.signing_secret[0]],
    })
    expect((await rotated.send(press(undo.value))).kind).toBe('event')
  })

  test('a Slack follow-up that Slack refuses is an error for the host', async () => {
    slack.failures.set('/hooks/answer', 'down')
    const received = await connection.send(command('We shipped v2', here))
    const notifying = connection.notifyDelivered(received, [deliveredBlock('slack:command:1')])
    expect(notifying).rejects.toThrow('Slack answered 503.')
  })
})

test('Slack channel messages that nobody saved are ignored', async () => {
  expect(await connection.send(messageEvent({ user: 'U0MIRA' }))).toMatchObject({
    kind: 'ignored',
    deliveryId: 'Ev0001',
    reason: 'a plain channel message creates no block',
    reply: {},
  })
  expect(await connection.send(messageEvent({ bot_id: 'B0NEWS' }))).toMatchObject({
    kind: 'ignored',
    reason: 'written by a bot',
  })
  expect(await connection.send(messageEvent({ type: 'reaction_added' }))).toEqual({
    kind: 'unknown',
    eventName: 'event:reaction_added',
  })
})
