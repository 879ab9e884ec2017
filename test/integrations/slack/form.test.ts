import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { languages } from '../../../src/contract/vocabulary.ts'
import { requireView } from '../../support/slack/block-kit.ts'
import { connect, deliveredBlock, jsonOf, noon, startSlack } from '../../support/slack/slack.ts'
import {
  command,
  globalShortcut,
  messageAction,
  people,
  submission,
  suggestion,
  triggerId,
} from '../../support/slack/slack-payloads.ts'

const slack = startSlack(people)
afterAll(() => slack.stop())
beforeEach(() => {
  slack.calls.length = 0
  slack.failures.clear()
})

const connection = connect(slack)
const here = { response_url: slack.responseUrl }

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })

const line = (...elements: object[]) => ({ type: 'rich_text_section', elements })
const richText = {
  type: 'rich_text',
  elements: [
    line(
      { type: 'text', text: 'Thanks ' },
      { type: 'user', user_id: 'U0MIRA' },
      { type: 'text', text: ' ' },
      { type: 'emoji', name: 'tada' },
    ),
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: [
        line(
          { type: 'text', text: 'one ' },
          { type: 'text', text: 'more', style: { italic: true } },
        ),
        line({ type: 'text', text: 'two' }),
      ],
    },
    { type: 'rich_text_quote', elements: [{ type: 'text', text: 'quoted' }] },
  ],
}

describe('the Slack form', () => {
  const openedView = () => jsonOf(slack.callsOf('views.open')[0], 'view')
  const initial = (
    view: { blocks: { block_id?: string; element?: { initial_value?: string } }[] },
    id: string,
  ) => view.blocks.find(({ block_id }) => block_id === id)?.element

  test.each(languages)(
    "the Slack form for a long message keeps Slack's limits in the language %s",
    async (language) => {
      const said = connect(slack, {}, undefined, language)
      const hostile = '"\\\u2028'.repeat(2_000)
      const files = [{ id: 'F0IMAGE', mimetype: 'image/png', alt_txt: hostile }]
      const given = { text: hostile, user: 'U0TOMAS', ts: '1795000000.000200', files }
      const name = 'privategroup'
      const channel = { id: 'G0PRIVATE', name }
      await said.runAfter(await said.send(messageAction('', { message: given, channel, ...here })))
      const view = openedView()
      requireView(view)
      expect(view.blocks.length).toBeGreaterThan(6)
    },
  )

  test('a Slack command without text opens the form with its type selected', async () => {
    const received = await connection.send(command(' \n', { command: '/welcome', ...here }))
    expect(received).toMatchObject({ kind: 'immediateReply', reply: {} })
    await connection.runAfter(received)
    expect(slack.callsOf('views.open')[0]?.fields).toMatchObject({ trigger_id: triggerId })
    expect(initial(openedView(), 'block_type')).toMatchObject({
      initial_option: { value: 'new_starter', text: { text: 'New starter' } },
    })
    expect(slack.callsOf('users.info')).toEqual([])
  })

  test('the Slack form for a message with an image says so, and its text does not name the image', async () => {
    const permalink = 'https://acme.slack.com/files/U0TOMAS/F0LANTERN/lantern.png'
    const image = { id: 'F0LANTERN', name: 'lantern.png', mimetype: 'image/png', permalink }
    const files = [
      { ...image, alt_txt: 'A lantern' },
      { ...image, id: 'F0OTHER', name: 'b.png' },
    ]
    const message = { type: 'message', text: 'We lit it', ts: '1795000000.000200', files }
    await connection.runAfter(await connection.send(messageAction('', { ...here, message })))
    const view = openedView()
    expect(JSON.parse(view.private_metadata)).toMatchObject({
      file: 'F0LANTERN',
      file_alt: 'A lantern',
    })
    expect(initial(view, 'body')).toMatchObject({
      initial_value: `We lit it\n\n[b.png](${permalink})`,
    })
    expect(JSON.stringify(view.blocks)).toContain('The image of the message is saved, too.')
  })

  test('the global Slack shortcut opens an empty form', async () => {
    await connection.runAfter(await connection.send(globalShortcut()))
    expect(initial(openedView(), 'body')).not.toHaveProperty('initial_value')
  })

  test('the Slack form for a message contains its text, its names and its author', async () => {
    const text = '*Big* news\nThanks <@U0MIRA>, see <https://acme.test/a?b=1&amp;c|the notes>'
    await connection.runAfter(await connection.send(messageAction(text, here)))
    const view = openedView()
    expect(initial(view, 'title')).toMatchObject({ initial_value: 'Big news' })
    expect(initial(view, 'body')).toMatchObject({
      initial_value: '*Big* news\nThanks Mira Solano, see [the notes](https://acme.test/a?b=1&c)',
    })
    expect(JSON.stringify(view.blocks)).toContain('Written by Tomás Weld')
    expect(JSON.stringify(view.blocks)).not.toContain('Warning')
    expect(JSON.parse(view.private_metadata)).toEqual({
      channel: 'C0WINS',
      message_ts: '1795000000.000200',
      author_id: 'U0TOMAS',
      author_name: 'Tomás Weld',
      response_url: slack.responseUrl,
      since: noon.toISOString(),
    })
  })

  test('the Slack form for a message of the GitHub app, whose text is only in blocks, has their text, links labeled', async () => {
    const github = 'https://github.com/acme/web'
    const message = {
      type: 'message',
      text: '',
      bot_profile: { name: 'GitHub' },
      ts: '1795000000.000200',
      blocks: [
        section(`*Release published by <${github}/ines|ines-a>*`),
        { type: 'divider' },
        section(`<${github}/releases/v2.4.0|v2.4.0>\n• offline search\n• faster start`),
        { type: 'context', elements: [{ type: 'mrkdwn', text: `<${github}|acme/web>` }] },
        { type: 'actions', elements: [{ type: 'button', text: { text: 'View' } }] },
      ],
    }
    await connection.runAfter(await connection.send(messageAction('', { message })))
    const view = openedView()
    expect(initial(view, 'title')).toMatchObject({ initial_value: 'Release published by ines-a' })
    const body = initial(view, 'body')?.initial_value ?? ''
    expect(body).toContain(`[v2.4.0](${github}/releases/v2.4.0)\n• offline search\n• faster start`)
    expect(JSON.stringify(view.blocks)).toContain('Written by GitHub')

    const notes = JSON.parse(view.private_metadata)
    const received = await connection.send(
      submission({ title: 'Release published by ines-a', body, notes }),
    )
    expect((await connection.blockOf(received)).item).toMatchObject({
      title: 'Release published by ines-a',
      body: `<p><strong>Release published by <a href="${github}/ines">ines-a</a></strong></p>\n<p><a href="${github}/releases/v2.4.0">v2.4.0</a></p>\n<ul>\n<li>offline search</li>\n<li>faster start</li>\n</ul>\n<p><a href="${github}">acme/web</a></p>`,
      author: 'GitHub',
    })
  })

  test('the Slack form for a message with attachments, rich text and files has their text and names the files', async () => {
    const message = {
      text: null,
      user: 'U0TOMAS',
      ts: '1795000000.000200',
      blocks: [richText],
      attachments: [
        {
          title: 'Build 7',
          title_link: 'https://ci.test/7',
          fields: [{ title: 'Env', value: 'prod' }],
        },
        { fallback: 'A page', title: 'A page', from_url: 'https://acme.test/page' },
      ],
      files: [
        {
          name: 'plan.pdf',
          title: 'The plan',
          permalink: 'https://acme.slack.com/files/U1/F1/plan.pdf',
        },
        { name: 'photo.png', permalink: 'javascript:alert(1)' },
      ],
    }
    await connection.runAfter(await connection.send(messageAction('', { message })))
    const view = openedView()
    expect(initial(view, 'title')).toMatchObject({ initial_value: 'Thanks Mira Solano 🎉' })
    expect(initial(view, 'body')).toMatchObject({
      initial_value: [
        'Thanks Mira Solano 🎉',
        '• one _more_',
        '• two',
        '> quoted',
        '',
        '[Build 7](https://ci.test/7)',
        'Env: prod',
        '',
        '[The plan](https://acme.slack.com/files/U1/F1/plan.pdf)',
        'photo.png',
      ].join('\n'),
    })
  })

  test('the Slack form opens for a message whose time Slack names only in the message, or not at all', async () => {
    const none = { message_ts: undefined, message: { text: 'Hi', user: 'U0TOMAS' } }
    for (const [more, message_ts] of [
      [{ message_ts: undefined }, '1795000000.000200'],
      [none, undefined],
    ] as const) {
      slack.calls.length = 0
      await connection.runAfter(await connection.send(messageAction('Hi', more)))
      const notes = JSON.parse(openedView().private_metadata)
      expect(notes).toMatchObject({ channel: 'C0WINS', author_name: 'Tomás Weld' })
      expect(notes.message_ts).toBe(message_ts)
      const received = await connection.send(submission({ title: 'Hi', body: 'Hi', notes }))
      expect((await connection.blockOf(received)).item).toMatchObject({
        external_id: message_ts ? `slack:message:C0WINS:${message_ts}` : 'slack:view:V0FORM',
        author: 'Tomás Weld',
      })
    }
  })

  test.each([
    { id: 'D0TWO', name: 'directmessage' },
    { id: 'G0OLD', name: 'secret' },
    { id: 'C0NEW', name: 'privategroup' },
    { id: 'C0FEW', name: 'mpdm-mira--tomas-1' },
  ])('the Slack form warns about a private conversation: %j', async (channel) => {
    await connection.runAfter(await connection.send(messageAction('Psst', { channel })))
    expect(openedView().blocks[0].text.text).toContain('Warning: this message comes from a private')
  })

  test('the Slack form says when a message is too long for it, and cuts no character in half', async () => {
    await connection.runAfter(await connection.send(messageAction(`x${'🎉'.repeat(2000)}`)))
    const view = openedView()
    expect(JSON.stringify(view.blocks)).toContain('its end was removed')
    const prefilled = initial(view, 'body')?.initial_value
    expect(prefilled?.isWellFormed()).toBe(true)
    expect(prefilled).toHaveLength(2999)
  })

  test('the Slack form opens without names while Slack does not provide them', async () => {
    slack.failures.set('users.info', 'stalled')
    await connection.runAfter(await connection.send(messageAction('Thanks <@U0MIRA>')))
    const view = openedView()
    expect(initial(view, 'body')).toMatchObject({ initial_value: 'Thanks someone' })
    expect(JSON.parse(view.private_metadata)).toMatchObject({ author_id: 'U0TOMAS' })
  })

  test('the reply says what to do when Slack does not open the form', async () => {
    slack.failures.set('views.open', 'refusing')
    await connection.runAfter(await connection.send(command('', here)))
    expect(slack.followUps()).toMatchObject([
      { response_type: 'ephemeral', text: expect.stringContaining('Try again') },
    ])
  })

  test('the Slack form offers the events of the team', async () => {
    expect(await connection.send(suggestion('summer'))).toEqual({
      kind: 'immediateReply',
      reply: {
        body: {
          options: [{ text: { type: 'plain_text', text: 'Summer party' }, value: 'summer-party' }],
        },
      },
      providerSettings: expect.anything(),
    })
    expect(await connection.send(suggestion('winter'))).toMatchObject({
      reply: { body: { options: [] } },
    })
  })
})

describe('submitted Slack forms', () => {
  const filled = {
    title: 'Launch day',
    body: 'We <3 it',
    blockType: 'general',
    event: 'summer-party',
  }

  test('a submitted Slack form becomes the block it describes, and closes', async () => {
    const received = await connection.send(submission(filled))
    expect(received).toMatchObject({ deliveryId: 'view:V0FORM:1795000002.abc', reply: {} })
    expect((await connection.blockOf(received)).item).toEqual({
      title: 'Launch day',
      body: '<p>We &lt;3 it</p>',
      block_type: 'general',
      event_slug: 'summer-party',
      external_id: 'slack:view:V0FORM',
      author: 'Mira Solano',
    })
  })

  test('a submitted Slack form for a message becomes an item of the author of the message', async () => {
    const notes = { channel: 'C0WINS', message_ts: '1.2', author_id: 'U0TOMAS', ...here }
    const received = await connection.send(submission({ ...filled, notes }))
    const { item } = await connection.blockOf(received)
    expect(item).toMatchObject({ external_id: 'slack:message:C0WINS:1.2', author: 'Tomás Weld' })
    await connection.notifyDelivered(received, [deliveredBlock('slack:message:C0WINS:1.2')])
    expect(slack.followUps()).toHaveLength(1)
  })

  test('a submitted Slack form links to its message unless the conversation is private or Slack does not show it', async () => {
    const notes = { channel: 'C0WINS', message_ts: '1.2', author_name: 'Tomás Weld' }
    const blockFor = async (more: object) =>
      await connection.blockOf(
        await connection.send(submission({ ...filled, notes: { ...notes, ...more } })),
      )
    expect((await blockFor({})).item?.source_url).toBe('https://acme.slack.com/archives/C0WINS/p12')
    slack.calls.length = 0
    expect((await blockFor({ is_private: true })).item).not.toHaveProperty('source_url')
    expect(slack.callsOf('chat.getPermalink')).toEqual([])
    slack.failures.set('chat.getPermalink', 'refusing')
    expect((await blockFor({})).item).not.toHaveProperty('source_url')
    slack.failures.set('chat.getPermalink', 'limited')
    await expect(blockFor({})).rejects.toMatchObject({ problem: 'rate_limited' })
  })

  test('a submitted Slack form without values stays open and says what is required', async () => {
    for (const state of [{}, undefined])
      expect(await connection.send(submission({ view: { state } }))).toMatchObject({
        kind: 'immediateReply',
        reply: {
          body: {
            errors: { title: 'Write a title.', body: 'There was no text, so nothing was saved.' },
          },
        },
      })
  })

  test('a submitted Slack form without a response address is answered in a direct message', async () => {
    await connection.notifyDelivered(await connection.send(submission(filled)), [
      deliveredBlock('slack:view:V0FORM'),
    ])
    expect(slack.callsOf('chat.postMessage')[0]?.fields).toMatchObject({ channel: 'U0MIRA' })
  })

  test.each([
    [{ title: ' ', body: 'x' }, { title: 'Write a title.' }],
    [{ title: 'x', body: null }, { body: 'There was no text, so nothing was saved.' }],
    [
      { title: '', body: '' },
      { title: 'Write a title.', body: 'There was no text, so nothing was saved.' },
    ],
    [
      { title: 'x'.repeat(256), body: 'x' },
      { title: 'The title is too long: it can have 255 characters.' },
    ],
    [
      { title: 'x', body: '🎉'.repeat(20_000) },
      { body: 'This is too long (more than 64 KiB), so nothing was saved.' },
    ],
  ])(
    'a submitted Slack form with an invalid field stays open and names the field: %j',
    async (input, errors) => {
      expect(await connection.send(submission(input))).toMatchObject({
        kind: 'immediateReply',
        reply: { body: { response_action: 'errors', errors } },
      })
    },
  )

  test('a submitted Slack form with an unknown type becomes general news', async () => {
    const received = await connection.send(submission({ ...filled, blockType: 'nonsense' }))
    expect((await connection.blockOf(received)).item?.block_type).toBe('general')
  })

  test('a submitted Slack form with metadata that is not ours becomes an item', async () => {
    const view = { private_metadata: 'This is for you' }
    const received = await connection.send(submission({ ...filled, view }))
    expect((await connection.blockOf(received)).item?.external_id).toBe('slack:view:V0FORM')
  })
})
