import { expect, test } from 'bun:test'
import { adapter } from '../../integrations/slack-incoming/adapter.ts'
import { play, post } from '../support/adapters.ts'

const json = { 'content-type': 'application/json' }
const send = (message: unknown, now?: Date) =>
  play(adapter, post(json, JSON.stringify(message)), {}, now ? { now } : {})

test('answers as Slack does', async () => {
  const { received } = await send({ text: 'We shipped' })
  expect('reply' in received && received.reply).toEqual({ body: 'ok' })
})

test('takes the same words on one day for a repeat, and on the next day for news', async () => {
  const morning = new Date('2026-11-20T06:00:00Z')
  const ids = await Promise.all(
    [morning, new Date('2026-11-20T23:00:00Z'), new Date('2026-11-21T00:30:00Z')].map(
      async (now) => (await send({ text: 'Backup done' }, now)).deliveryId,
    ),
  )
  expect(ids[0]).toBe(ids[1])
  expect(ids[2]).not.toBe(ids[0])
})

test('keeps words, and neither ids, buttons nor addresses of pictures', async () => {
  const { stored } = await send({
    text: '<@U0SECRET> shipped <https://acme.test|it>',
    channel: 'C0SECRET',
    icon_url: 'https://img.test/secret.png',
    attachments: [{ text: 'fine', callback_id: 'secret', actions: [{ value: 'secret' }] }],
  })
  expect(JSON.stringify(stored)).not.toMatch(/secret/i)
  expect(stored).toMatchObject({ body: 'someone shipped it (https://acme.test)\nfine' })
})

test.each([
  ['no object', '[]'],
  ['no words', '{"text":"  "}'],
  ['words of another type', '{"text":{"a":1},"blocks":7,"attachments":"x"}'],
  ['more than a block holds', JSON.stringify({ text: 'x'.repeat(70_000) })],
])('refuses %s', async (_, body) => {
  const { outcome } = await play(adapter, post(json, body), {})
  expect(outcome).toMatchObject({ rejected: 400 })
})

test('stores hostile text as text', async () => {
  const { stored } = await send({ text: 'a\0b\ud800 <script>x</script> \u202e' })
  expect(stored).toMatchObject({ body: 'ab\ufffd <script>x</script> \u202e' })
})
