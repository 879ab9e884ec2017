import type { App, BlockButtonAction } from '@slack/bolt'
import type { ActionContext, ComposeContext } from '../../kit/adapter.ts'
import {
  conflictText,
  editConflict,
  resultText,
  turnOnButton,
} from '../../kit/chat/action-replies.ts'
import { actionNames, actionOfButton } from '../../kit/chat/buttons.ts'
import { unknownPerson } from '../../kit/chat/messages/messaging.ts'
import type { Composed } from '../../kit/composed.ts'
import { splitUtf16 } from '../../kit/text/fit-length.ts'
import { shortHash } from '../../kit/text/plain-text.ts'
import { slackClient } from '../client.ts'
import { type ActionEvent, readEphemeralContext, type SlackEvent } from '../events/stored-event.ts'
import { chatLocale } from '../format.ts'
import { type Message, sendMessage } from '../messages/followup.ts'
import { linkAction, paragraph, slackButton, textBlock } from '../messages/message-blocks.ts'
import { sendReply } from '../messages/reply.ts'
import { getPerson } from '../person.ts'
import type { Settings } from '../settings.ts'
import { showHome } from './home.ts'
import type { SlackRequest } from './request-result.ts'

const timeoutMs = 10_000

/** Slack reports the use of a link, too. Drafts in messages before the form had a link to edit them. */
const links = ['edit_draft', linkAction]

/** Listens for the buttons of messages. */
export function listenForButtons(app: App, request: SlackRequest): void {
  for (const action_id of actionNames)
    app.action<BlockButtonAction>(
      { type: 'block_actions', action_id },
      async ({ action, body, ack }) => {
        const { user, response_url, container } = body
        const { channel_id, message_ts } = container
        const chosen = actionOfButton(action_id, action.value ?? '')
        if (!chosen) return
        request.setResult({
          kind: 'event',
          deliveryId: `action:${action.action_ts}:${shortHash(user.id)}`,
          event: { type: 'action', action: chosen },
          ephemeralContext: {
            user: user.id,
            people: [],
            since: request.now.toISOString(),
            response_url,
            ...(channel_id && message_ts && { message: { channel: channel_id, ts: message_ts } }),
          },
        })
        await ack()
      },
    )
  for (const action_id of links)
    app.action({ type: 'block_actions', action_id }, async ({ ack }) => {
      request.setResult({ kind: 'immediateReply' })
      await ack()
    })
}

/** Asks Slack who used a button: the host decides what the person may do. */
export async function composeAction(
  context: ComposeContext<Settings, SlackEvent>,
  { action }: ActionEvent,
): Promise<Composed> {
  const address = readEphemeralContext(context.ephemeralContext)
  if (!address) return { kind: 'ignored', reason: 'Nobody knows any more who used the button.' }
  // A reply needs no permission.
  if (action.type === 'answer')
    return { kind: 'action', action, person: unknownPerson(address.user) }
  return { kind: 'action', action, person: await getPerson(context, address.user) }
}

/** Informs the person who used a button, and both people when they have decided differently. */
export async function notifyOfAction(context: ActionContext<Settings, SlackEvent>): Promise<void> {
  const address = readEphemeralContext(context.ephemeralContext)
  if (!address) return
  const { result, language } = context
  if (result.outcome === 'answer') return await sendReply(context, address, result.about)
  const locale = chatLocale(language)
  const conflict = conflictText({ result, user: address.user }, locale)
  if (conflict !== null && address.message) {
    const client = slackClient(context.settings, context.provider, timeoutMs)
    const { channel, ts: thread_ts } = address.message
    await client.chat.postMessage({ channel, thread_ts, text: conflict, unfurl_links: false })
    return
  }
  await informEditors(context, address)
  // Slack names neither a message nor a response address for a button or a form of the home.
  const isInHome = address.message === undefined && !address.response_url
  if (isInHome) await showHome(context, address.user)(context.provider)
  const text = resultText(result, isInHome || address.message !== undefined, locale)
  if (text === null) return
  const turnOn = turnOnButton(result, locale)
  const blocks: Message['blocks'] = turnOn && [
    textBlock(text),
    { type: 'actions', elements: [slackButton(turnOn)] },
  ]
  await sendMessage(address, { text, ...(blocks && { blocks }) }, context)
}

const textCharacters = 2_500

/**
 * Informs a person whose change to a draft was not saved, with what they wrote, and the person who was faster, if
 * that was in Slack. Does nothing after other actions.
 */
async function informEditors(
  { event, result, settings, provider, language }: ActionContext<Settings, SlackEvent>,
  { user }: { user: string },
): Promise<void> {
  if (event.type !== 'action') return
  const conflict = editConflict({ result, user, action: event.action }, chatLocale(language))
  if (!conflict) return
  const { reason: text, written, first } = conflict
  const client = slackClient(settings, provider, timeoutMs)
  const blocks = [textBlock(text), ...splitUtf16(textCharacters, written).map(paragraph)]
  await client.chat.postMessage({ channel: user, text, blocks })
  if (first === null) return
  const { user: channel, text: firstText } = first
  // A repetition would inform the other person again.
  const informing = client.chat.postMessage({ channel, text: firstText, unfurl_links: false })
  await informing.catch(() => undefined)
}
