import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App, BlockButtonAction, types } from '@slack/bolt'
import type { DeliveredBlock } from '../kit/adapter.ts'
import { escapeForSlack } from '../kit/mrkdwn.ts'
import { shortHash } from '../kit/text.ts'
import { type Message, sendMessage } from './followup.ts'
import type { SlackRequest, SlackResult } from './request-result.ts'

const undoAction = 'undo_news'
const notYours = 'Only the person who saved this can take it back.'

/** Listens for the Undo button. */
export function listenForUndo(app: App, desk: SlackRequest): void {
  app.action<BlockButtonAction>(
    { type: 'block_actions', action_id: undoAction },
    async ({ action, body, ack }) => {
      const address = {
        user: body.user.id,
        response_url: body.response_url,
        since: desk.now.toISOString(),
      }
      const externalId = opened(action.value ?? '', body.user.id, desk.settings.signing_secret)
      const outcome: SlackResult =
        externalId === undefined
          ? {
              kind: 'handshake',
              after: (provider) => sendMessage(address, { text: notYours }, { ...desk, provider }),
            }
          : {
              kind: 'event',
              deliveryId: `undo:${action.action_ts}:${shortHash(body.user.id)}`,
              event: { type: 'undo', external_id: externalId },
              transient: { ...address, people: [] },
            }
      desk.setResult(outcome)
      await ack()
    },
  )
}

/** What a person reads when their news has landed, with a way back if they brought it. */
export function deliveredMessage(
  block: DeliveredBlock,
  user: string,
  secrets: readonly string[],
): Message {
  const link = linkTo(block)
  if (!block.created || block.externalId === null)
    return messageOf(`This is in the library already: ${link}`)
  const undo: types.KnownBlock = {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: undoAction,
        text: { type: 'plain_text', text: 'Undo' },
        value: sealed(block.externalId, user, secrets[0] ?? ''),
      },
    ],
  }
  return messageOf(`In the library: ${link}`, undo)
}

/** What a person reads after Undo. `kept` are the blocks an issue holds on to. */
export function undoneMessage(kept: readonly DeliveredBlock[]): Message {
  const text =
    kept.length === 0
      ? 'Taken back: it is no longer in the library.'
      : `It stands in an issue already, so it stays: ${kept.map(linkTo).join(', ')}. Its editors can take it out.`
  return { ...messageOf(text), replace_original: true }
}

function messageOf(text: string, ...more: types.KnownBlock[]): Message {
  return {
    text,
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }, ...more],
  }
}

const linkTo = ({ url, title }: DeliveredBlock) =>
  `<${url.replace(/[<>|]/g, encodeURIComponent)}|${escapeForSlack(title)}>`

/** A button's value that only this person can use, proven with the signing secret. */
const sealed = (externalId: string, user: string, secret: string) =>
  `${sealOf(externalId, user, secret)}.${externalId}`

function opened(value: string, user: string, secrets: readonly string[]): string | undefined {
  const [seal = '', externalId = ''] = value.split(/\.(.*)/s)
  const genuine = secrets.some((secret) => {
    const expected = Buffer.from(sealOf(externalId, user, secret))
    const given = Buffer.from(seal)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return genuine ? externalId : undefined
}

const sealOf = (externalId: string, user: string, secret: string) =>
  createHmac('sha256', secret).update(`undo:${user}:${externalId}`).digest('hex')
