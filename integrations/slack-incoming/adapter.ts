import * as v from 'valibot'
import { defineAdapter, type Received, type Reply } from '../kit/adapter.ts'
import { buildChatItem, type ChatSubmission } from '../kit/chat.ts'
import { defaultLanguage } from '../kit/messages/index.ts'
import { mrkdwnToText } from '../kit/mrkdwn.ts'
import { mrkdwnToMarkdown } from '../kit/mrkdwn-markdown.ts'
import { strictUtf8 } from '../kit/signature.ts'
import { SlackMessage } from '../kit/slack/message.ts'
import { readMessage } from '../kit/slack/text.ts'
import { normalizeText, oneLine, shortHash } from '../kit/text.ts'
import { jsonOf, readObject } from '../kit/webhook-request.ts'

/** What Slack answers; tools wait for this very word. */
const ok: Reply = { body: 'ok' }

export const adapter = defineAdapter({
  slug: 'slack-incoming',
  name: 'Slack-compatible webhook',
  category: 'chat',
  // The address is the secret, as it is at Slack.
  settings: v.object({}),

  async receive(request, { now }): Promise<Received<ChatSubmission>> {
    const text = strictUtf8(request.body)
    const payload = text && readPayload(text, request.headers.get('content-type'))
    if (!payload) return refused('invalid_payload')
    const message = v.parse(SlackMessage, payload)
    const news = readMessage(message, toMarkdown)
    const day = now.toISOString().slice(0, 10)
    if (news === undefined)
      return hasPictures(payload)
        ? { kind: 'ignored', deliveryId: `${day}:${shortHash(text)}`, reason: 'no text', reply: ok }
        : refused('no_text')

    // Such messages carry no id: the same words on the same day (UTC) are a repeat.
    const id = `${day}:${shortHash(JSON.stringify(news))}`
    const author = oneLine(message.username)
    const event: ChatSubmission = {
      ...news,
      external_id: `slack-incoming:${id}`,
      block_type: 'general',
      ...(author && { author }),
    }
    return { kind: 'event', deliveryId: id, event, reply: ok }
  },

  /** Pure: all there is to tell came with the message. */
  async compose({ event, language = defaultLanguage }) {
    return { kind: 'items', items: [buildChatItem(event, language)] }
  },
})

const toMarkdown = (mrkdwn: string) => mrkdwnToMarkdown(normalizeText(mrkdwnToText(mrkdwn)))

/** In Slack's words, which tools that post to Slack know how to read. Nothing is stored. */
const refused = (error: 'invalid_payload' | 'no_text') =>
  ({ kind: 'handshake', reply: { status: 400, body: error } }) as const

/** JSON, as the body or as the field `payload` of a form. `curl -d` sends JSON and calls it a form. */
const readPayload = (text: string, contentType: string | null) =>
  readObject(text.trimStart().startsWith('{') ? text : jsonOf(text, contentType))

/** Blocks and attachments without text are pictures and buttons, which Slack shows. */
const hasPictures = (payload: object) =>
  ['blocks', 'attachments'].some((name) => {
    const list: unknown = Reflect.get(payload, name)
    return Array.isArray(list) && list.length > 0
  })
