import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { loadAdapters } from '../../integrations/index.ts'
import kudos from '../../integrations/teams/fixtures/kudos.json'
import { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { fixtureTime, post, runAdapter } from '../support/adapters.ts'
import { hostileMessages, wordsOf } from '../support/chats/chat-texts.ts'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'

const token = Buffer.from('key of the tests').toString('base64')
const found = (await loadAdapters()).get('teams')
if (found === undefined) throw new Error('there is no Teams adapter')
const teams = found

const hmac = (body: string | Uint8Array, key: string | Uint8Array = Buffer.from(token, 'base64')) =>
  createHmac('sha256', key).update(body).digest('base64')

const right = JSON.stringify(kudos.body)

/** Plays a signed message, right in everything but what is given. */
function send(
  body: string | Uint8Array = right,
  authorization = `HMAC ${hmac(body)}`,
  settings = {},
) {
  const headers = { ...kudos.headers, authorization }
  return runAdapter(teams, post(headers, body), { security_token: token, ...settings })
}

const message = (text: string, more: object = {}) =>
  JSON.stringify({ ...kudos.body, text, ...more })

async function newsOf(text: string) {
  const { outcome } = await send(message(text))
  return v.parse(v.object({ items: v.tuple([IngestPayload]) }), outcome).items[0]
}

describe('Microsoft Teams: signature', () => {
  const signature = hmac(right)

  test.each([
    ['missing', ''],
    ['of another scheme', `Bearer ${signature}`],
    ['alone', signature],
    ['of another token', `HMAC ${hmac(right, 'another')}`],
    ['under the token as it is written', `HMAC ${hmac(right, token)}`],
    ['truncated', `HMAC ${signature.slice(0, -2)}`],
    ['without padding', `HMAC ${signature.replace('=', '')}`],
    ['in upper case', `HMAC ${signature.toUpperCase()}`],
    ['in hex', `HMAC ${Buffer.from(signature, 'base64').toString('hex')}`],
    ['over the same JSON written differently', `HMAC ${hmac(JSON.stringify(kudos.body, null, 2))}`],
  ])('a Teams signature that is %s is refused', async (_, authorization) => {
    expect((await send(right, authorization)).outcome).toMatchObject({ rejected: 401 })
  })

  test('a Teams request with an empty body is refused', async () => {
    expect((await send('')).outcome).toMatchObject({ rejected: 401 })
  })

  test('both Teams tokens are accepted while one is being rotated', async () => {
    const next = Buffer.from('next').toString('base64')
    const rotating = { security_token: [next, token] }
    expect((await send(right, undefined, rotating)).outcome).toHaveProperty('items')
    const signed = await send(right, `HMAC ${hmac(right, 'next')}`, rotating)
    expect(signed.outcome).toHaveProperty('items')
  })

  test.each(['not base64', 'YWJj=', ''])(
    'the Teams token %p is refused as a setting',
    (security_token) => {
      expect(v.safeParse(teams.settings, { security_token }).success).toBe(false)
    },
  )
})

describe('Microsoft Teams: messages', () => {
  const at = (offset_s: number) => new Date(fixtureTime.getTime() + offset_s * 1000).toISOString()

  test.each([
    [-600, true],
    [-601, false],
    [600, true],
    [601, false],
  ])('a Teams message sent %d s from now is accepted: %p', async (offset_s, taken) => {
    const { outcome } = await send(message('win Hi', { timestamp: at(offset_s) }))
    if (taken) expect(outcome).toHaveProperty('items')
    else expect(outcome).toMatchObject({ rejected: 401 })
  })

  test('a Teams message without a readable time is refused', async () => {
    const { outcome } = await send(message('win Hi', { timestamp: 'today' }))
    expect(outcome).toMatchObject({ rejected: 401 })
  })

  test.each([
    ['JSON that breaks off', '{"type":'],
    ['a list', '[]'],
    ['nothing but depth', '['.repeat(200_000)],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['a message without an id', message('win Hi', { id: undefined })],
    ['a message from nobody', message('win Hi', { from: null })],
  ])('a signed Teams request that contains %s is refused', async (_, body) => {
    expect((await send(body)).outcome).toMatchObject({ rejected: 400 })
  })

  test('a Teams message with the same id in another conversation is another message', async () => {
    const ids = await Promise.all(
      ['19:a', '19:b', '19:a'].map(async (id) => {
        const { outcome } = await send(message('win Hi', { conversation: { id } }))
        return JSON.stringify(outcome)
      }),
    )
    expect(new Set(ids).size).toBe(2)
  })

  test('a Teams message that is too long is not saved, and the reply says so', async () => {
    const { outcome } = await send(message(`win ${'🎉'.repeat(20_000)}`))
    expect(outcome).toMatchObject({
      immediateReply: {
        body: { type: 'message', text: expect.stringContaining('nothing was saved') },
      },
    })
  })

  test.each([
    ['<at>Tidings</at>&nbsp;<at>News</at> win Hi', 'Hi'],
    ['<at>Tidings</at> WIN: Hi <at>Tidings</at>', 'Hi Tidings'],
    ['<p><at>Tidings</at> win</p><p>One<br/>Two</p>', 'One\nTwo'],
    ['win 1 &lt; 2 &amp;amp; 3', '1 < 2 &amp; 3'],
    ['win A<img src="x" onerror="y">B', 'AB'],
  ])('the Teams message %p has the text %p', async (text, body) => {
    expect(wordsOf(await newsOf(text))).toBe(body.toLowerCase())
  })

  test.each(['<at>', '<img alt="', '<at><at', '&nbsp;', '<br'])(
    'the time for a Teams message of %s repeated grows with its length only',
    async (part) => {
      const growth = await growthOf(
        (size) => send(message(`<at>Tidings</at> ${part.repeat(size)}`)),
        3_000,
      )
      expect(growth).toBeLessThan(maxLinearGrowth)
    },
  )
})

describe('hostile text in Teams messages', () => {
  test.each(hostileMessages)('%s in a Teams message is shown as text', async (_, written, body) => {
    const escaped = written.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    expect(wordsOf(await newsOf(`win ${escaped}`))).toBe(body.toLowerCase())
  })
})

test('no id, address or copy of a Teams message is stored or shown', async () => {
  const { stored, outcome } = await send()
  const kept = JSON.stringify([stored, outcome])
  expect(kept).toContain('Mira Solano')
  for (const leak of [
    ...['29:1', 'aadObject', 'b7c1f3d2', '5e1d7c90', '19:', 'thread.tacv2', '1795164'],
    ...['serviceUrl', 'smba', 'html copy', 'skype', 'Windows'],
  ])
    expect(kept).not.toContain(leak)
})
