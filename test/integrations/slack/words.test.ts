import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { displayNames, slackClient } from '../../../integrations/slack/client.ts'
import { settingsSchema } from '../../../integrations/slack/settings.ts'
import { connect, noon, startSlack } from '../../support/slack/slack.ts'
import { command, people, submission } from '../../support/slack/slack-payloads.ts'

const slack = startSlack(people)
afterAll(() => slack.stop())
beforeEach(() => {
  slack.calls.length = 0
  slack.failures.clear()
})

const connection = connect(slack)
const hoursLater = new Date(noon.getTime() + 5 * 60 * 60_000)

describe('names of people in Slack messages', () => {
  const mention = command('Thanks <@U0TOMAS> and <@U0GONE>')
  const textFor = async (now = noon) =>
    (await connection.blockOf(await connection.send(mention), now)).item

  test('Slack user ids are replaced by display names, and ids of unknown people by "someone"', async () => {
    expect((await textFor())?.body).toBe('<p>Thanks Tomás Weld and someone</p>')
  })

  test("Slack is asked once for each display name, including the author's, and for twenty people at most", async () => {
    const ids = `<@U0MIRA> ${Array.from({ length: 30 }, (_, index) => `<@U${index}>`).join(' ')}`
    await connection.blockOf(await connection.send(command(`${ids} ${ids}`)))
    expect(slack.callsOf('users.info')).toHaveLength(20)
  })

  test('a Slack message waits for its names while Slack refuses the token, and the error says what to do', async () => {
    slack.failures.set('users.info', 'refusing')
    const refused = { problem: 'refused', message: expect.stringContaining('bot_token') }
    await expect(textFor(hoursLater)).rejects.toMatchObject(refused)
    slack.failures.clear()
    expect(await textFor(hoursLater)).toMatchObject({
      body: '<p>Thanks Tomás Weld and someone</p>',
    })
  })

  test('a Slack message waits for its names while Slack is unavailable', async () => {
    slack.failures.set('users.info', 'down')
    await expect(textFor(hoursLater)).rejects.toMatchObject({ problem: 'unavailable' })
  })

  test.each(['<html>maintenance</html>', '', '{"ok":false}', '{"ok":false,"error":7}'])(
    'a Slack message waits for its names while the response is %p, which Slack does not document',
    async (response) => {
      const provider = { fetch: async () => new Response(response) }
      const settings = v.parse(settingsSchema, { signing_secret: 'x', bot_token: 'xoxb-1' })
      await expect(
        displayNames(slackClient(settings, provider, 1_000), ['U0MIRA']),
      ).rejects.toMatchObject({ problem: 'unavailable' })
    },
  )

  test('Slack display names are requested again after the time in Retry-After', async () => {
    slack.failures.set('users.info', 'limited')
    const limited = { problem: 'rate_limited', retryAfterSeconds: 30 }
    await expect(textFor(hoursLater)).rejects.toMatchObject(limited)
  })

  test('a Slack message does not wait for the display name of its author alone, because the event contains a name', async () => {
    slack.failures.set('users.info', 'refusing')
    const received = await connection.send(command('A new kitchen'))
    expect((await connection.blockOf(received)).item).toMatchObject({ author: 'mira' })
  })

  test('hostile Slack display names are shown as text', async () => {
    const rude = startSlack({ U0MIRA: 'x'.repeat(400), U0TOMAS: '<!channel>\u202e\n<b>T' })
    const received = await connect(rude).send(command('By <@U0TOMAS>'))
    const { item, block } = await connect(rude).blockOf(received)
    rude.stop()
    expect(item?.title).toBe('By <!channel> <b>T')
    expect(block.author).toHaveLength(255)
  })
})

describe('hostile text in Slack messages', () => {
  const blockFor = async (text: string) =>
    (await connection.blockOf(await connection.send(command(text)))).block

  test.each([
    ['a script', '<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['an escaped script', '&lt;img src=x onerror=1&gt;', '<p>&lt;img src=x onerror=1&gt;</p>'],
    ['an escaped mention', 'Hi &lt;@U0TOMAS&gt; &lt;!here&gt;', '<p>Hi Tomás Weld</p>'],
    ['emoji and right-to-left', '🎉👩‍👩‍👧 שלום עולם', '<p>🎉👩‍👩‍👧 שלום עולם</p>'],
    ['control characters', 'a\0b\u001b[2J\r\nc', '<p>c</p>'],
    ['a lone surrogate', 'a\ud800b', '<p>A\ufffdb</p>'],
  ])('%s in a Slack message is shown as text', async (_, text, body) => {
    expect((await blockFor(text)).body).toBe(body)
  })

  test('lone surrogates and NUL in a Slack form are removed', async () => {
    const received = await connection.send(submission({ title: 'a\ud800\0b', body: '\udc00\0b' }))
    const { block } = await connection.blockOf(received)
    expect(block).toMatchObject({ title: 'a\ufffdb', body: '<p>\ufffdb</p>' })
  })

  test('a Slack command whose text has no visible character opens the form', async () => {
    expect((await connection.send(command('\0 \u202e'))).kind).toBe('immediateReply')
  })

  test('a Slack command of 40,000 characters is stored whole when it fits', async () => {
    expect((await blockFor('x'.repeat(40_000))).body).toBe(`<p>X${'x'.repeat(39_999)}</p>`)
  })

  test('a Slack command of 40,000 emoji is not saved, and the reply says so', async () => {
    expect(await connection.send(command('🎉'.repeat(40_000)))).toMatchObject({
      kind: 'immediateReply',
      reply: { body: { text: expect.stringContaining('This is too long') } },
    })
  })

  test.each([
    ['by escaping', '<b '.repeat(20_000)],
    ['by names', '<@U0TOMAS>'.repeat(6500)],
  ])('a Slack message that grows past the size limit %s is cut', async (_, text) => {
    const { body } = await blockFor(text)
    expect(body.slice(-8)).toMatch(/…(?:<\/p>)?$/)
    expect(Buffer.byteLength(body)).toBeGreaterThan(62 * 1024)
  })

  test('one letter under a thousand accents in a Slack message makes a title', async () => {
    expect([...(await blockFor(`q${'\u0323'.repeat(1000)}`)).title]).toHaveLength(80)
  })
})
