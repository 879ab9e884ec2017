import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { loadAdapters } from '../../integrations/index.ts'
import { emptyTeam } from '../../integrations/kit/dry-run.ts'
import attachments from '../../integrations/slack-incoming/fixtures/attachments.json'
import blocks from '../../integrations/slack-incoming/fixtures/blocks.json'
import text from '../../integrations/slack-incoming/fixtures/text.json'
import { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { fixtureTime, noKeys, noProvider, post, runAdapter } from '../support/adapters.ts'
import { hostileMessages, wordsOf } from '../support/chats/chat-texts.ts'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'

const found = (await loadAdapters()).get('slack-incoming')
if (found === undefined) throw new Error('there is no adapter for incoming webhooks')
const incoming = found

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

function send(body: object | string | Uint8Array, contentType: string = json) {
  const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  return runAdapter(incoming, post({ 'content-type': contentType }, raw), {})
}

async function newsOf(body: object | string, contentType?: string) {
  const { outcome } = await send(body, contentType)
  return v.parse(v.object({ items: v.tuple([IngestPayload]) }), outcome).items[0]
}

const section = (words: string) => ({ type: 'section', text: { type: 'mrkdwn', text: words } })

describe('a message to a Slack-compatible webhook', () => {
  const body = JSON.stringify({ text: 'Hi' })

  test.each([
    ['JSON', body, json],
    ['JSON with a charset', body, 'Application/JSON; charset=utf-8'],
    ['JSON that curl -d calls a form', ` ${body}`, form],
    ['JSON that is called text', body, 'text/plain'],
    ['a form', `payload=${encodeURIComponent(body)}`, form],
    ['a form with other fields', `channel=wins&payload=${encodeURIComponent(body)}`, form],
  ])('a message to a Slack-compatible webhook is accepted as %s', async (_, raw, contentType) => {
    expect(await newsOf(raw, contentType)).toMatchObject({ title: 'Hi', body: '<p>Hi</p>' })
  })

  test('a message to a Slack-compatible webhook is answered with the word that Slack answers', async () => {
    const { received } = await send({ text: 'Hi' })
    expect(received).toMatchObject({ kind: 'event', reply: { body: 'ok' } })
  })

  test.each([
    ['nothing', '', json],
    ['JSON that breaks off', '{"text":', json],
    ['a list', '[]', json],
    ['a word', '"Hi"', json],
    ['nothing but depth', `{"text":${'['.repeat(100_000)}`, json],
    ['a form without payload', 'text=Hi', form],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), json],
  ])(
    'a request to a Slack-compatible webhook that contains %s is refused',
    async (_, raw, contentType) => {
      expect((await send(raw, contentType)).outcome).toEqual({
        immediateReply: { status: 400, body: 'invalid_payload' },
      })
    },
  )

  test.each<object>([{}, { text: ' \n' }, { text: 7, blocks: 'Hi' }, { blocks: [] }])(
    'a message to a Slack-compatible webhook without text is refused: %j',
    async (payload) => {
      expect((await send(payload)).outcome).toEqual({
        immediateReply: { status: 400, body: 'no_text' },
      })
    },
  )
})

test('parts of a Slack message that do not have the documented shape are skipped', async () => {
  const odd = [7, null, { type: 'section', text: 'Hi' }, { type: 'section', text: { text: 7 } }]
  const read = await newsOf({ text: 'One', blocks: [...odd, section('Two')], attachments: [null] })
  expect(read).toMatchObject({ title: 'One', body: '<p>Two</p>' })
})

describe('the title of a message to a Slack-compatible webhook', () => {
  test.each<[string, object, string]>([
    ['the header', blocks.body, 'Tideline 2.0 is out'],
    ['the text beside blocks', { text: 'Sum\nup', blocks: [section('Long')] }, 'Sum'],
    ['the first line of blocks', { blocks: [section('One\nTwo')] }, 'One'],
    ['the first line of the text', { text: '\n One\nTwo' }, 'One'],
    ['the first line of an attachment', { attachments: [{ title: 'One', text: 'Two' }] }, 'One'],
    ['the text beside an empty block', { text: 'One', blocks: [section(' ')] }, 'One'],
    ['80 characters at most', { text: 'X'.repeat(100) }, `${'X'.repeat(79)}…`],
  ])('the title of a message to a Slack-compatible webhook is %s', async (_, payload, title) => {
    expect((await newsOf(payload)).title).toBe(title)
  })
})

describe('the text of a Slack attachment', () => {
  test.each<[string, object, string]>([
    ['what it shows', { fallback: 'No', title: 'A', text: 'B' }, 'A\nB'],
    ['where its title leads', { title: 'A', title_link: 'https://a.test' }, 'A'],
    ['no address that is none', { title: 'A', title_link: 'javascript:alert(1)' }, 'A'],
    ['no address without a title', { text: 'B', title_link: 'https://a.test' }, 'B'],
    ['its fields', { fields: [{ title: 'A', value: '1' }, { value: '2' }] }, 'A: 1\n2'],
    ['its blocks', { fallback: 'No', blocks: [section('A'), { type: 'divider' }] }, 'A'],
    ['its fallback', { fallback: 'A', image_url: 'https://a.test' }, 'A'],
  ])('the text of a Slack attachment contains %s', async (_, attachment, body) => {
    expect(wordsOf(await newsOf({ attachments: [attachment] }))).toBe(body.toLowerCase())
  })
})

describe('hostile text in a message to a Slack-compatible webhook', () => {
  test.each(hostileMessages)(
    '%s in a message to a Slack-compatible webhook is shown as text',
    async (_, written, body) => {
      const escaped = written.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      expect(wordsOf(await newsOf({ text: escaped }))).toBe(body.toLowerCase())
      expect(wordsOf(await newsOf({ blocks: [section(escaped)] }))).toBe(body.toLowerCase())
      expect(wordsOf(await newsOf({ attachments: [{ text: escaped }] }))).toBe(body.toLowerCase())
    },
  )

  test('a message to a Slack-compatible webhook that is too long is cut', async () => {
    expect((await newsOf({ text: '🎉'.repeat(40_000) })).body).toEndWith('<p>…</p>')
  })

  test('of the text of a Slack-compatible message, no more is converted than a block has room for', async () => {
    const growth = await growthOf(
      (size) => send({ text: '@a #1 :x: <@U1> '.repeat(size) }),
      5_000,
      4,
    )
    expect(growth).toBeLessThan(4)
  })

  test('the time for empty lines in rich text of a Slack-compatible message grows with their number only', async () => {
    const growth = await growthOf((size) => {
      const text = { type: 'text', text: `a${'\n'.repeat(size)}b` }
      const section = { type: 'rich_text_section', elements: [text] }
      return send({ blocks: [{ type: 'rich_text', elements: [section] }] })
    }, 4_000)
    expect(growth).toBeLessThan(maxLinearGrowth)
  })

  test('the time for mentions that never end in a Slack-compatible message grows with their number only', async () => {
    const growth = await growthOf((size) => {
      const blocks = Array.from({ length: size }, () => section('<@U'))
      return send({ text: '<@U'.repeat(5 * size), blocks })
    }, 1_000)
    expect(growth).toBeLessThan(maxLinearGrowth)
  })
})

test('the same message to a Slack-compatible webhook is one delivery within a day', async () => {
  const team = emptyTeam
  const idAt = async (now: Date, body: object) => {
    const request = post({ 'content-type': json }, JSON.stringify(body))
    const received = await incoming.receive(request, {
      settings: {},
      now,
      team,
      language: 'en',
      keys: noKeys,
      provider: noProvider,
    })
    return received.kind === 'event' ? received.deliveryId : received.kind
  }
  const later = (hours: number) => new Date(fixtureTime.getTime() + hours * 3_600_000)
  const first = await idAt(fixtureTime, { text: 'Lunch at noon' })
  expect(await idAt(later(14), { text: 'Lunch at noon' })).toBe(first)
  expect(await idAt(later(16), { text: 'Lunch at noon' })).not.toBe(first)
  expect(await idAt(fixtureTime, { text: 'Lunch at one' })).not.toBe(first)
})

test('no id of a person, picture, button or channel name of a Slack-compatible message is stored or shown', async () => {
  for (const { body } of [text, blocks, attachments]) {
    const { stored, outcome } = await send(body)
    const kept = JSON.stringify([stored, outcome])
    for (const leak of [
      ...['U0MIRA', 'U0TOMAS', 'C0WINS', 'usr_771', 'Mira Solano', '"#wins"', ':rocket:'],
      ...['spy.example', 'secret-value', 'Approve', 'Rerun', 'chart', 'Lantern CI', '36a64f'],
    ])
      expect(kept).not.toContain(leak)
  }
})
