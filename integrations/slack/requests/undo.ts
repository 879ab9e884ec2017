import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App, BlockButtonAction, types } from '@slack/bolt'
import type { Language } from '../../../src/contract/vocabulary.ts'
import type { DeliveredBlock } from '../../kit/adapter.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { escapeForSlack } from '../../kit/markdown/mrkdwn.ts'
import { shortHash } from '../../kit/text/plain-text.ts'
import type { EphemeralContext } from '../events/stored-event.ts'
import type { Message } from '../messages/followup.ts'
import { replyEvent } from '../messages/reply.ts'
import type { SlackRequest, SlackResult } from './request-result.ts'
import { sourceBlockId } from './source.ts'

const undoAction = 'undo_news'

/** Listens for the Undo button. */
export function listenForUndo(app: App, request: SlackRequest): void {
  app.action<BlockButtonAction>(
    { type: 'block_actions', action_id: undoAction },
    async ({ action, body, ack }) => {
      const address = {
        user: body.user.id,
        response_url: body.response_url,
        since: request.now.toISOString(),
      }
      const externalId = verifiedId(
        action.value ?? '',
        body.user.id,
        request.settings.signing_secret,
      )
      const outcome: SlackResult =
        externalId === undefined
          ? {
              kind: 'event',
              ...replyEvent('undo_not_yours', body.trigger_id, address),
            }
          : {
              kind: 'event',
              deliveryId: `undo:${action.action_ts}:${shortHash(body.user.id)}`,
              event: { type: 'undo', external_id: externalId },
              ephemeralContext: { ...address, people: [] },
            }
      request.setResult(outcome)
      await ack()
    },
  )
}

/** The message about a delivered block, with an Undo button if the delivery created it. */
export function deliveredMessage(
  block: DeliveredBlock,
  { user, source }: Pick<EphemeralContext, 'user' | 'source'>,
  { secrets, language }: { secrets: readonly string[]; language: Language },
): Message {
  const link = linkTo(block)
  if (!block.created || block.externalId === null)
    return messageOf(chatText(language, 'in_library_already', { link }))
  const undo: types.KnownBlock = {
    type: 'actions',
    ...sourceBlockId(source),
    elements: [
      {
        type: 'button',
        action_id: undoAction,
        text: { type: 'plain_text', text: chatText(language, 'undo') },
        value: signedValue(block.externalId, user, secrets[0] ?? ''),
      },
    ],
  }
  return messageOf(chatText(language, 'in_library', { link }), undo)
}

/** The message after Undo. `kept` are the blocks that stay because they are in a newsletter. */
export function undoneMessage(kept: readonly DeliveredBlock[], language: Language): Message {
  const links = kept.map(linkTo).join(', ')
  const text =
    kept.length === 0 ? chatText(language, 'undone') : chatText(language, 'undone_kept', { links })
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

/** The value of a button that only this person can use, signed with the signing secret. */
const signedValue = (externalId: string, user: string, secret: string) =>
  `${signatureOf(externalId, user, secret)}.${externalId}`

function verifiedId(value: string, user: string, secrets: readonly string[]): string | undefined {
  const [signature = '', externalId = ''] = value.split(/\.(.*)/s)
  const isValid = secrets.some((secret) => {
    const expected = Buffer.from(signatureOf(externalId, user, secret))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isValid ? externalId : undefined
}

const signatureOf = (externalId: string, user: string, secret: string) =>
  createHmac('sha256', secret).update(`undo:${user}:${externalId}`).digest('hex')
