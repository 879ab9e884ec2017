import * as v from 'valibot'
import { defineAdapter, type Received, type Reply } from '../adapter.ts'
import { type ChatNews, chatItem } from '../chat.ts'
import { jsonOf, readObject } from '../requests.ts'
import { strictUtf8 } from '../signature.ts'
import { hashOf, oneLine } from '../text.ts'
import { readMessage } from './message.ts'
import { Payload } from './payload.ts'

export const adapter = defineAdapter({
  slug: 'slack-incoming',
  name: 'Slack-compatible webhook',
  category: 'chat',
  /** There is nothing to set: whoever has the address may post, as at Slack. */
  settings: v.object({}),

  async receive(request, { now }): Promise<Received<ChatNews>> {
    const text = strictUtf8(request.body)
    const payload = text && readPayload(text, request.headers.get('content-type'))
    if (!payload) return refused('invalid_payload')
    const { success, output } = v.safeParse(Payload, payload)
    if (!success) return refused('invalid_payload')
    const { text: words, blocks, attachments } = output
    if (oneLine(words) === '' && blocks.length + attachments.length === 0) return refused('no_text')

    // Slack's format has no id. The same message on the same day is one that was sent again.
    const id = `${now.toISOString().slice(0, 10)}:${hashOf(text)}`
    const message = readMessage(output)
    const reply: Reply = { body: 'ok' }
    return message === undefined
      ? { kind: 'ignored', deliveryId: id, reason: 'there is no text in it', reply }
      : {
          kind: 'event',
          deliveryId: id,
          event: { ...message, external_id: `slack-incoming:${id}`, block_type: 'general' },
          reply,
        }
  },

  /** Pure: all there is to tell came with the message. */
  async compose({ event }) {
    return { kind: 'items', items: [chatItem(event)] }
  },
})

/** In Slack's words, which tools that post to Slack know how to read. Nothing is stored. */
const refused = (error: 'invalid_payload' | 'no_text') =>
  ({ kind: 'handshake', reply: { status: 400, body: error } }) as const

/** JSON, as the body or as the field `payload` of a form. `curl -d` sends JSON and calls it a form. */
const readPayload = (text: string, contentType: string | null) =>
  readObject(text.trimStart().startsWith('{') ? text : jsonOf(text, contentType))
