import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { defineAdapter, type Received } from '../adapter.ts'
import { type ChatNews, chatItem } from '../chat.ts'
import { jsonOf, notReadable, readObject } from '../requests.ts'
import { strictUtf8 } from '../signature.ts'
import { fits, oneLine } from '../text.ts'
import { Message, wordsOf } from './message.ts'

/** What Slack answers; tools wait for these very words. */
const ok = { body: 'ok' }

export const adapter = defineAdapter({
  slug: 'slack-incoming',
  name: 'Slack-compatible webhook',
  category: 'chat',
  // The address is the secret, as it is at Slack.
  settings: v.object({}),

  async receive(request, { now }): Promise<Received<ChatNews>> {
    const body = strictUtf8(request.body)
    const json = body && jsonOf(body, request.headers.get('content-type'))
    const payload = json ? readObject(json) : undefined
    if (payload === undefined) return notReadable('invalid_payload')
    const message = v.parse(Message, payload)
    const words = wordsOf(message)
    if (words === '' || !fits(words)) return notReadable(words === '' ? 'no_text' : 'msg_too_long')

    const id = sameDay(words, now)
    const author = oneLine(message.username)
    const event: ChatNews = {
      external_id: `slack-incoming:${id}`,
      block_type: 'general',
      body: words,
      ...(author && { author }),
    }
    return { kind: 'event', deliveryId: id, event, reply: ok }
  },

  /** Pure: all there is to tell came with the message. */
  async compose({ event }) {
    return { kind: 'items', items: [chatItem(event)] }
  },
})

/** Such messages carry no id: the same words on the same day (UTC) are a repeat. */
const sameDay = (words: string, now: Date) =>
  createHash('sha256')
    .update(`${now.toISOString().slice(0, 10)}\n${words}`)
    .digest('hex')
    .slice(0, 32)
