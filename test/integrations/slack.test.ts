import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  botToken,
  connect,
  eventOf,
  jsonOf,
  landedBlock,
  noon,
  startSlack,
} from '../support/slack.ts'
import {
  command,
  globalShortcut,
  messageAction,
  messageEvent,
  people,
  press,
  submission,
  suggestion,
  triggerId,
} from '../support/slack-payloads.ts'

const slack = startSlack(people)
afterAll(() => slack.stop())
beforeEach(() => {
  slack.calls.length = 0
  slack.moods.clear()
})

const connection = connect(slack)
const here = { response_url: slack.responseUrl }
const minuteLater = new Date(noon.getTime() + 60_000)

describe('a command', () => {
  test.each([
    ['/win', 'wins_milestones' as const],
    ['/news', 'general' as const],
    ['/kudos', 'wins_milestones' as const],
    ['/welcome', 'new_starter' as const],
  ])('%s makes a block of type %s', async (name, block_type) => {
    const received = await connection.send(command('We shipped v2', { command: name }))
    expect(received).toMatchObject({
      kind: 'event',
      deliveryId: expect.stringMatching(/^command:[0-9a-f]{32}$/),
      reply: { body: { response_type: 'ephemeral', text: expect.stringContaining('in a moment') } },
    })
    const { item } = await connection.blockOf(received)
    expect(item).toEqual({
      title: 'We shipped v2',
      body: 'We shipped v2',
      block_type,
      external_id: expect.stringMatching(/^slack:command:[0-9a-f]{32}$/),
      author: 'Mira Solano',
    })
    expect(slack.calls[0]?.authorization).toBe(`Bearer ${botToken}`)
  })

  test('every trigger is a delivery of its own', async () => {
    const one = eventOf(await connection.send(command('Hi', { trigger_id: '1' })))
    const again = eventOf(await connection.send(command('Hi', { trigger_id: '1' })))
    const other = eventOf(await connection.send(command('Hi', { trigger_id: '2' })))
    expect(again.deliveryId).toBe(one.deliveryId)
    expect(other.deliveryId).not.toBe(one.deliveryId)
  })

  test('takes the first line for the title, cut between words', async () => {
    const line =
      'The search team moved every index to the new cluster without a single minute of rest'
    const { item } = await connection.blockOf(await connection.send(command(`${line}\n\nMore`)))
    expect(item?.title).toBe(
      'The search team moved every index to the new cluster without a single minute…',
    )
    expect(item?.body).toBe(`${line}\n\nMore`)
  })

  test('help answers, and saves nothing', async () => {
    expect(await connection.send(command(' Help '))).toMatchObject({
      kind: 'handshake',
      reply: { body: { text: expect.stringContaining('/kudos') } },
    })
  })

  test('is answered without asking Slack anything', async () => {
    for (const method of ['users.info', 'views.open']) slack.moods.set(method, 'stalled')
    expect((await connection.send(command('Thanks <@U0TOMAS>'))).kind).toBe('event')
    expect((await connection.send(command(''))).kind).toBe('handshake')
    expect((await connection.send(messageAction('Hi'))).kind).toBe('handshake')
    expect(slack.calls).toEqual([])
  })
})

describe('what follows', () => {
  const landed = async () => {
    const received = await connection.send(command('We shipped v2', here))
    await connection.land(received, [landedBlock('slack:command:1')])
    const [message] = slack.followUps()
    return { message, undo: message.blocks[1].elements[0] }
  }

  test('the link and an Undo, for the person alone', async () => {
    const { message, undo } = await landed()
    expect(message).toMatchObject({
      response_type: 'ephemeral',
      text: 'In the library: <https://news.acme.test/blocks/cb_1|We &lt;shipped&gt; v2 &amp; more>',
    })
    expect(undo).toMatchObject({ type: 'button', text: { text: 'Undo' } })
    expect(undo.value).not.toContain('U0MIRA')
  })

  test('no Undo for what was there already', async () => {
    const received = await connection.send(command('We shipped v2', here))
    await connection.land(received, [landedBlock('slack:command:1', false)])
    expect(slack.followUps()).toMatchObject([{ text: expect.stringContaining('already') }])
    expect(slack.followUps()[0].blocks).toHaveLength(1)
  })

  test('Undo takes the block back and says so', async () => {
    const { undo } = await landed()
    const received = await connection.send(press(undo.value, here))
    expect(eventOf(received)).toMatchObject({ reply: {}, event: { type: 'undo' } })
    expect(await connection.composed(eventOf(received))).toEqual({
      kind: 'withdraw',
      externalIds: ['slack:command:1'],
    })
    await connection.land(received, [])
    expect(slack.followUps()[1]).toMatchObject({
      replace_original: true,
      text: expect.stringContaining('Taken back'),
    })
  })

  test('Undo says when the block stands in an issue already', async () => {
    const { undo } = await landed()
    const received = await connection.send(press(undo.value, here))
    await connection.land(received, [landedBlock('slack:command:1')])
    expect(slack.followUps()[1].text).toContain('stays')
  })

  test.each([
    ['another person', (value: string) => press(value, { ...here, user: { id: 'U0TOMAS' } })],
    ['another block', (value: string) => press(value.replace(/1$/, '2'), here)],
    ['a made-up value', () => press('slack:command:1', here)],
  ])('Undo does nothing for %s', async (_, pressed) => {
    const { undo } = await landed()
    const received = await connection.send(pressed(undo.value))
    expect(received.kind).toBe('handshake')
    await connection.runAfter(received)
    expect(slack.followUps()[1].text).toContain('Only the person who saved this')
  })

  test('Undo still works while the signing secret is rotated', async () => {
    const { undo } = await landed()
    const rotated = connect(slack, {
      signing_secret: ['new', connection.settings.signing_secret[0]],
    })
    expect((await rotated.send(press(undo.value))).kind).toBe('event')
  })

  test('a follow-up Slack does not take is an error the host can see', async () => {
    slack.moods.set('/hooks/answer', 'down')
    const received = await connection.send(command('We shipped v2', here))
    const landing = connection.land(received, [landedBlock('slack:command:1')])
    expect(landing).rejects.toThrow('status 503')
  })
})

describe('the form', () => {
  const openedView = () => jsonOf(slack.callsOf('views.open')[0], 'view')
  const initial = (view: { blocks: { block_id?: string; element?: object }[] }, id: string) =>
    view.blocks.find(({ block_id }) => block_id === id)?.element

  test('opens for a command without text, its kind chosen', async () => {
    const received = await connection.send(command(' \n', { command: '/welcome', ...here }))
    expect(received).toMatchObject({ kind: 'handshake', reply: {} })
    await connection.runAfter(received)
    expect(slack.callsOf('views.open')[0]?.fields).toMatchObject({ trigger_id: triggerId })
    expect(initial(openedView(), 'block_type')).toMatchObject({
      initial_option: { value: 'new_starter', text: { text: 'New starter' } },
    })
    expect(slack.callsOf('users.info')).toEqual([])
  })

  test('opens for the global shortcut, empty', async () => {
    await connection.runAfter(await connection.send(globalShortcut()))
    expect(initial(openedView(), 'body')).not.toHaveProperty('initial_value')
  })

  test('opens for a message with its text, its names and its author', async () => {
    const text = '*Big* news\nThanks <@U0MIRA>, see <https://acme.test/a?b=1&amp;c|the notes>'
    await connection.runAfter(await connection.send(messageAction(text, here)))
    const view = openedView()
    expect(initial(view, 'title')).toMatchObject({ initial_value: '*Big* news' })
    expect(initial(view, 'body')).toMatchObject({
      initial_value: '*Big* news\nThanks Mira Solano, see the notes (https://acme.test/a?b=1&c)',
    })
    expect(JSON.stringify(view.blocks)).toContain('Written by Tomás Weld')
    expect(JSON.stringify(view.blocks)).not.toContain('Warning')
    expect(JSON.parse(view.private_metadata)).toEqual({
      channel: 'C0WINS',
      message_ts: '1795000000.000200',
      author_name: 'Tomás Weld',
      response_url: slack.responseUrl,
      since: noon.toISOString(),
    })
  })

  test.each([
    { id: 'D0TWO', name: 'directmessage' },
    { id: 'G0OLD', name: 'secret' },
    { id: 'C0NEW', name: 'privategroup' },
    { id: 'C0FEW', name: 'mpdm-mira--tomas-1' },
  ])('warns about a private conversation: %j', async (channel) => {
    await connection.runAfter(await connection.send(messageAction('Psst', { channel })))
    expect(openedView().blocks[0].text.text).toContain('Warning: this message comes from a private')
  })

  test('says when a message is too long for it, and cuts no character in half', async () => {
    await connection.runAfter(await connection.send(messageAction(`x${'🎉'.repeat(2000)}`)))
    const view = openedView()
    expect(JSON.stringify(view.blocks)).toContain('its end was cut off')
    const { initial_value } = initial(view, 'body') as { initial_value: string }
    expect(initial_value.isWellFormed()).toBe(true)
    expect(initial_value.length).toBe(2999)
  })

  test('opens without names while Slack keeps them back', async () => {
    slack.moods.set('users.info', 'stalled')
    await connection.runAfter(await connection.send(messageAction('Thanks <@U0MIRA>')))
    const view = openedView()
    expect(initial(view, 'body')).toMatchObject({ initial_value: 'Thanks someone' })
    expect(JSON.parse(view.private_metadata)).toMatchObject({ author_id: 'U0TOMAS' })
  })

  test('that does not open tells the person what to do', async () => {
    slack.moods.set('views.open', 'refusing')
    const after = connection.runAfter(await connection.send(command('', here)))
    await expect(after).rejects.toThrow('not opened')
    expect(slack.followUps()).toMatchObject([
      { response_type: 'ephemeral', text: expect.stringContaining('Try again') },
    ])
  })

  test('offers the events of the team', async () => {
    expect(await connection.send(suggestion('summer'))).toEqual({
      kind: 'handshake',
      reply: {
        body: {
          options: [{ text: { type: 'plain_text', text: 'Summer party' }, value: 'summer-party' }],
        },
      },
      learned: expect.anything(),
    })
    expect(await connection.send(suggestion('winter'))).toMatchObject({
      reply: { body: { options: [] } },
    })
  })
})

describe('a filled form', () => {
  const filled = {
    title: 'Launch day',
    body: 'We <3 it',
    blockType: 'general',
    event: 'summer-party',
  }

  test('becomes the block it describes, and closes', async () => {
    const received = await connection.send(submission(filled))
    expect(received).toMatchObject({ deliveryId: 'view:V0FORM:1795000002.abc', reply: {} })
    expect((await connection.blockOf(received)).item).toEqual({
      title: 'Launch day',
      body: 'We <3 it',
      block_type: 'general',
      event_slug: 'summer-party',
      external_id: 'slack:view:V0FORM',
      author: 'Mira Solano',
    })
  })

  test('for a message is the message’s news, by its author', async () => {
    const notes = { channel: 'C0WINS', message_ts: '1.2', author_id: 'U0TOMAS', ...here }
    const received = await connection.send(submission({ ...filled, notes }))
    const { item } = await connection.blockOf(received)
    expect(item).toMatchObject({ external_id: 'slack:message:C0WINS:1.2', author: 'Tomás Weld' })
    await connection.land(received, [landedBlock('slack:message:C0WINS:1.2')])
    expect(slack.followUps()).toHaveLength(1)
  })

  test('without a response address is answered in a direct message', async () => {
    await connection.land(await connection.send(submission(filled)), [
      landedBlock('slack:view:V0FORM'),
    ])
    expect(slack.callsOf('chat.postMessage')[0]?.fields).toMatchObject({ channel: 'U0MIRA' })
  })

  test.each([
    [{ title: ' ', body: 'x' }, { title: 'Title is required.' }],
    [{ title: 'x', body: null }, { body: 'Text is required.' }],
    [
      { title: '', body: '' },
      { title: 'Title is required.', body: 'Text is required.' },
    ],
    [{ title: 'x'.repeat(256), body: 'x' }, { title: 'Title must be at most 255 characters.' }],
    [{ title: 'x', body: '🎉'.repeat(20_000) }, { body: 'Text must be at most 64 KiB.' }],
  ])('with a fault stays open and says which', async (input, errors) => {
    expect(await connection.send(submission(input))).toMatchObject({
      kind: 'handshake',
      reply: { body: { response_action: 'errors', errors } },
    })
  })

  test('of an unknown kind is plain news', async () => {
    const received = await connection.send(submission({ ...filled, blockType: 'nonsense' }))
    expect((await connection.blockOf(received)).item?.block_type).toBe('general')
  })

  test('with notes that are not ours is still news', async () => {
    const view = { private_metadata: 'This is for you' }
    const received = await connection.send(submission({ ...filled, view }))
    expect((await connection.blockOf(received)).item?.external_id).toBe('slack:view:V0FORM')
  })
})

describe('names', () => {
  const mention = command('Thanks <@U0TOMAS> and <@U0GONE>')
  const textFor = async (now = noon) =>
    (await connection.blockOf(await connection.send(mention), now)).item

  test('stand where ids stood; a stranger is someone', async () => {
    expect((await textFor())?.body).toBe('Thanks Tomás Weld and someone')
  })

  test('are asked for once each, the author’s too, and for twenty people at most', async () => {
    const ids = `<@U0MIRA> ${Array.from({ length: 30 }, (_, index) => `<@U${index}>`).join(' ')}`
    await connection.blockOf(await connection.send(command(`${ids} ${ids}`)))
    expect(slack.callsOf('users.info')).toHaveLength(20)
  })

  test('that the app may not see are done without', async () => {
    slack.moods.set('users.info', 'refusing')
    expect(await textFor()).toMatchObject({ body: 'Thanks someone and someone', author: 'mira' })
  })

  test.each(['down', 'limited'] as const)(
    'are waited for while Slack is %s, for a minute',
    async (mood) => {
      slack.moods.set('users.info', mood)
      await expect(textFor()).rejects.toThrow('Slack could not be asked for names')
      expect(await textFor(minuteLater)).toMatchObject({ body: 'Thanks someone and someone' })
    },
  )

  test('that are hostile stay harmless', async () => {
    const rude = startSlack({ U0MIRA: 'x'.repeat(400), U0TOMAS: '<!channel>\u202e\n<b>T' })
    const received = await connect(rude).send(command('By <@U0TOMAS>'))
    const { item, block } = await connect(rude).blockOf(received)
    rude.stop()
    expect(item?.title).toBe('By <!channel> <b>T')
    expect(block.author).toHaveLength(255)
  })
})

describe('hostile text', () => {
  const blockFor = async (text: string) =>
    (await connection.blockOf(await connection.send(command(text)))).block

  test.each([
    ['a script', '<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['an escaped script', '&lt;img src=x onerror=1&gt;', '<p>&lt;img src=x onerror=1&gt;</p>'],
    ['an escaped mention', 'Hi &lt;@U0TOMAS&gt; &lt;!here&gt;', 'Hi Tomás Weld here'],
    ['emoji and right-to-left', '🎉👩‍👩‍👧 שלום עולם', '🎉👩‍👩‍👧 שלום עולם'],
    ['control characters', 'a\0b\u001b[2J\r\nc', 'ab[2J\nc'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ])('%s is text', async (_, text, body) => {
    expect((await blockFor(text)).body).toBe(body)
  })

  test('lone surrogates and NUL in a form are cleaned', async () => {
    const received = await connection.send(submission({ title: 'a\ud800\0b', body: '\udc00\0b' }))
    const { block } = await connection.blockOf(received)
    expect(block).toMatchObject({ title: 'a\ufffdb', body: '\ufffdb' })
  })

  test('text that says nothing opens the form', async () => {
    expect((await connection.send(command('\0 \u202e'))).kind).toBe('handshake')
  })

  test('40,000 characters are kept when they fit', async () => {
    expect((await blockFor('x'.repeat(40_000))).body).toHaveLength(40_000)
  })

  test('40,000 emoji do not fit, and the person is told', async () => {
    expect(await connection.send(command('🎉'.repeat(40_000)))).toMatchObject({
      kind: 'handshake',
      reply: { body: { text: expect.stringContaining('longer than the library takes') } },
    })
  })

  test.each([
    ['by escaping', '<b '.repeat(20_000)],
    ['by names', '<@U0TOMAS>'.repeat(6500)],
  ])('what grows past the limit %s is cut there', async (_, text) => {
    const { body } = await blockFor(text)
    expect(body.slice(-8)).toMatch(/…(?:<\/p>)?$/)
    expect(Buffer.byteLength(body)).toBeGreaterThan(64 * 1024 - 16)
  })

  test('one letter under a thousand accents makes a title all the same', async () => {
    expect([...(await blockFor(`q${'\u0323'.repeat(1000)}`)).title]).toHaveLength(80)
  })
})

test('messages nobody saved are not news', async () => {
  expect(await connection.send(messageEvent({ user: 'U0MIRA' }))).toMatchObject({
    kind: 'ignored',
    deliveryId: 'Ev0001',
    reason: 'a plain channel message is not news',
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
