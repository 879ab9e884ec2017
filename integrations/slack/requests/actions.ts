import type { App, BlockButtonAction } from '@slack/bolt'
import type { ActionContext, ComposeContext } from '../../kit/adapter.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import type { ActionResult, ChatAction } from '../../kit/chat/messaging.ts'
import type { Composed } from '../../kit/composed.ts'
import { escapeForSlack } from '../../kit/markdown/mrkdwn.ts'
import { shortHash } from '../../kit/text.ts'
import { slackClient } from '../client.ts'
import { type Message, sendMessage } from '../messages/followup.ts'
import {
  accountLinkText,
  button,
  mention,
  messagesOnButton,
  shortTitle,
} from '../messages/message-blocks.ts'
import { remindersButton } from '../messages/prompt-blocks.ts'
import { getPerson } from '../person.ts'
import type { Settings } from '../settings.ts'
import { type ActionEvent, readEphemeralContext, type SlackEvent } from '../stored-event.ts'
import { informEditors } from './edit-conflict.ts'
import { publishHome } from './home.ts'
import type { SlackRequest } from './request-result.ts'

const timeout_ms = 10_000

/** What each button does, from its value. */
const actions: Record<string, (value: string) => ChatAction> = {
  [button.approve]: (blockId) => ({ type: 'review', blockId, decision: 'approved' }),
  [button.decline]: (blockId) => ({ type: 'review', blockId, decision: 'declined' }),
  [button.messagesOff]: () => ({ type: 'messages', wanted: false }),
  [button.messagesOn]: () => ({ type: 'messages', wanted: true }),
  [button.promptsOff]: (promptId) => ({ type: 'prompts', promptId, muted: true }),
  [button.promptsOn]: (promptId) => ({ type: 'prompts', promptId, muted: false }),
  [button.remindersOff]: () => ({ type: 'reminders', wanted: false }),
  [button.remindersOn]: () => ({ type: 'reminders', wanted: true }),
}

/** Slack reports the use of a link, too. */
const links = [button.editLink, 'read_newsletter']

/** Listens for the buttons of messages. */
export function listenForButtons(app: App, request: SlackRequest): void {
  for (const [action_id, actionOf] of Object.entries(actions))
    app.action<BlockButtonAction>(
      { type: 'block_actions', action_id },
      async ({ action, body, ack }) => {
        const { user, response_url, container } = body
        const { channel_id, message_ts } = container
        request.setResult({
          kind: 'event',
          deliveryId: `action:${action.action_ts}:${shortHash(user.id)}`,
          event: { type: 'action', action: actionOf(action.value ?? '') },
          ephemeralContext: {
            user: user.id,
            people: [],
            since: request.now.toISOString(),
            response_url,
            ...(channel_id && message_ts && { place: { channel: channel_id, ts: message_ts } }),
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
  return { kind: 'action', action, person: await getPerson(context, address.user) }
}

/** Informs the person who used a button, and both people when they have decided differently. */
export async function onAction(context: ActionContext<Settings, SlackEvent>): Promise<void> {
  const address = readEphemeralContext(context.ephemeralContext)
  if (!address) return
  const { result, language } = context
  const conflict = conflictText(context, address.user)
  if (conflict !== null && address.place) {
    const client = slackClient(context.settings, context.provider, timeout_ms)
    const { channel, ts: thread_ts } = address.place
    await client.chat.postMessage({ channel, thread_ts, text: conflict, unfurl_links: false })
    return
  }
  await informEditors(context, address)
  // Slack names neither a message nor a response address for a button or a form of the home.
  const isInHome = address.place === undefined && !address.response_url
  if (isInHome) await publishHome(context, address.user)(context.provider)
  const text = replyText(context, isInHome || address.place !== undefined)
  if (text === null) return
  const turnOn = turnOnButton(result, language)
  const blocks: Message['blocks'] = turnOn && [
    { type: 'section', text: { type: 'mrkdwn', text } },
    { type: 'actions', elements: [turnOn] },
  ]
  await sendMessage(address, { text, ...(blocks && { blocks }) }, context)
}

/** The button below the answer to a person who has turned something off. */
function turnOnButton(result: ActionResult, language: ActionOutcome['language']) {
  if (result.outcome === 'messages' && !result.wanted) return messagesOnButton(language)
  if (result.outcome === 'reminders' && !result.wanted) return remindersButton(language, true)
  return undefined
}

type ActionOutcome = Pick<ActionContext<Settings, SlackEvent>, 'result' | 'language'>

/** What both people read when one approves and the other declines; null in other cases. */
function conflictText({ result, language }: ActionOutcome, user: string): string | null {
  if (result.outcome !== 'decided_before') return null
  const { by, wanted, decision, title } = result
  if (by === null || by === user || wanted === decision) return null
  const key = wanted === 'approved' ? 'review_conflict_approve' : 'review_conflict_decline'
  const people = { first: mention(by), other: mention(user) }
  return chatText(language, key, { ...people, title: titleOf(title, language) })
}

/** What only the person who used the button reads; null when the message or the home shows it already. */
function replyText({ result, language }: ActionOutcome, isShown: boolean): string | null {
  switch (result.outcome) {
    case 'decided':
      return isShown ? null : chatText(language, `review_done_${result.decision}`)
    case 'decided_before':
      return earlierText(result, language)
    case 'in_newsletter':
      return chatText(language, 'review_in_newsletter')
    case 'edited':
      return isShown ? null : chatText(language, 'edit_saved')
    case 'edit_conflict':
    case 'edit_reviewed':
      // Both people hear of it with their texts.
      return null
    case 'missing':
      return chatText(language, 'review_missing')
    case 'not_allowed':
      return notAllowedText(result, language)
    case 'messages':
      return chatText(language, result.wanted ? 'messages_are_on' : 'messages_are_off')
    case 'reminders':
      return chatText(language, result.wanted ? 'reminders_are_on' : 'reminders_are_off')
    case 'prompts':
      // The message says it.
      return null
  }
}

function notAllowedText(
  { isViewer, linkUrl }: Extract<ActionResult, { outcome: 'not_allowed' }>,
  language: ActionOutcome['language'],
): string {
  const text = chatText(language, isViewer ? 'review_viewer' : 'review_not_linked')
  return linkUrl === null ? text : `${text}\n${accountLinkText(linkUrl, language)}`
}

const titleOf = (title: string | null, language: ActionOutcome['language']) =>
  escapeForSlack(shortTitle(title ?? chatText(language, 'review_private_title')))

function earlierText(
  { decision, by, title }: Extract<ActionResult, { outcome: 'decided_before' }>,
  language: ActionOutcome['language'],
): string {
  const values = { title: titleOf(title, language) }
  if (by === null) return chatText(language, `review_${decision}_elsewhere_before`, values)
  return chatText(language, `review_${decision}_before`, { ...values, person: mention(by) })
}
