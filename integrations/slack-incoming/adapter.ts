import * as v from 'valibot'
import { maxBodyBytes } from '../../src/contract/text.ts'
import type { Language } from '../../src/contract/vocabulary.ts'
import { defineAdapter } from '../kit/adapter.ts'
import { buildChatItem, type ChatSubmission } from '../kit/chat/submissions.ts'
import { mrkdwnToText } from '../kit/markdown/mrkdwn.ts'
import { mrkdwnToMarkdown } from '../kit/markdown/mrkdwn-markdown.ts'
import type { Received, Reply } from '../kit/requests/received.ts'
import { jsonOf, readObject, strictUtf8 } from '../kit/requests/webhook-request.ts'
import { SlackMessage } from '../kit/slack/message.ts'
import { readMessage } from '../kit/slack/text.ts'
import { oneLine, truncateUtf16 } from '../kit/text/fit-length.ts'
import { normalizeText, shortHash } from '../kit/text/plain-text.ts'

/** Slack's response, which tools expect. */
const ok: Reply = { body: 'ok' }

export const adapter = defineAdapter({
  slug: 'slack-incoming',
  name: 'Slack-compatible webhook',
  category: 'chat',
  // The address is the secret, as in Slack.
  settings: v.object({}),

  async receive(request, { now, language }): Promise<Received<ChatSubmission>> {
    const text = strictUtf8(request.body)
    const payload = text && readPayload(text, request.headers.get('content-type'))
    if (!payload) return refused('invalid_payload')
    const message = v.parse(SlackMessage, payload)
    const news = readMessage(
      message,
      upToBody((mrkdwn) => toMarkdown(mrkdwn, language)),
    )
    const day = now.toISOString().slice(0, 10)
    if (news === undefined)
      return hasPictures(payload)
        ? { kind: 'ignored', deliveryId: `${day}:${shortHash(text)}`, reason: 'no text', reply: ok }
        : refused('no_text')

    // Such messages have no id: the same text on the same day (UTC) is a repetition.
    const id = `${day}:${shortHash(JSON.stringify(news))}`
    const author = isBot.test(message.username.trim()) ? '' : oneLine(message.username)
    const event: ChatSubmission = {
      ...news,
      external_id: `slack-incoming:${id}`,
      block_type: 'general',
      ...(author && { author }),
    }
    return { kind: 'event', deliveryId: id, event, reply: ok }
  },

  /** Needs no call: the event contains everything. */
  async compose({ event, language }) {
    return { kind: 'items', items: [buildChatItem(event, language)] }
  },
})

/** A name such as `release-bot`, which is not an author to readers. */
const isBot = /(?:^|[\s_-])bot$|\[bot\]$/i

/** Converts no more text than a block has room for: 1 MB takes half a second, in which all other requests wait. */
function upToBody(convert: (mrkdwn: string) => string): (mrkdwn: string) => string {
  let left = maxBodyBytes
  return (mrkdwn) => {
    const part = truncateUtf16(left, mrkdwn)
    left -= part.length
    return convert(part)
  }
}

const toMarkdown = (mrkdwn: string, language: Language) =>
  mrkdwnToMarkdown(normalizeText(mrkdwnToText(mrkdwn, language)))

/**
 * Refuses a message with Slack's error codes, which tools that post to Slack can read. Nothing is
 * stored.
 */
const refused = (error: 'invalid_payload' | 'no_text') =>
  ({ kind: 'immediateReply', reply: { status: 400, body: error } }) as const

/**
 * The JSON in the body or in the field `payload` of a form. `curl -d` sends JSON with the content
 * type of a form.
 */
const readPayload = (text: string, contentType: string | null) =>
  readObject(text.trimStart().startsWith('{') ? text : jsonOf(text, contentType))

/**
 * Whether a message has blocks or attachments. Without text they are pictures and buttons, which
 * Slack shows.
 */
const hasPictures = (payload: object) =>
  ['blocks', 'attachments'].some((name) => {
    const list: unknown = Reflect.get(payload, name)
    return Array.isArray(list) && list.length > 0
  })
