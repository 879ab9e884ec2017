import { InteractionResponseType } from 'discord-interactions'
import type { ActionContext, ComposeContext, ReceiveContext } from '../../kit/adapter.ts'
import {
  conflictMessages,
  conflictText,
  editConflict,
  resultText,
  turnOnButton,
} from '../../kit/chat/action-replies.ts'
import { actionOfButton, buttonNames, emptyForm, isButtonName } from '../../kit/chat/buttons.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import type { ChatPerson } from '../../kit/chat/messages/messaging.ts'
import type { Composed } from '../../kit/composed.ts'
import type { Received } from '../../kit/requests/received.ts'
import { nameForLogs } from '../../kit/requests/webhook-request.ts'
import { shortenUtf16 } from '../../kit/text/fit-length.ts'
import { messageCharacters } from '../limits.ts'
import { buttonRow, confirmationReply, readButtonId } from '../messages/components.ts'
import { chatLocale } from '../messages/format.ts'
import { channelOfRecipient, postMessage } from '../messages/messaging.ts'
import { addReply, replaceReply, undoOf } from '../messages/notify.ts'
import { getPerson } from '../person.ts'
import type { Settings } from '../settings.ts'
import {
  type DiscordEvent,
  type EphemeralContext,
  ephemeralContextOf,
  readEphemeralContext,
} from '../stored-event.ts'
import { openDraft } from './edit-form.ts'
import { openForm } from './form.ts'
import type { ButtonClick } from './interaction.ts'

type PressContext = ReceiveContext<Settings>

/** The message stays as it is until the result is known. */
const deferred = { body: { type: InteractionResponseType.DEFERRED_UPDATE_MESSAGE } }

/** The result of a button of a message. */
export async function receiveButtonClick(
  click: ButtonClick,
  context: PressContext,
): Promise<Received<DiscordEvent>> {
  const external_id = undoOf(click.data.custom_id)
  if (external_id !== undefined) {
    const ephemeralContext = ephemeralContextOf(click, context)
    const event = { type: 'undo' as const, external_id }
    return { kind: 'event', deliveryId: click.id, event, ephemeralContext, reply: deferred }
  }
  const { name, value, isConfirmed } = readButtonId(click.data.custom_id)
  if (!isButtonName(name))
    return { kind: 'unknown', eventName: nameForLogs(`button:${click.data.custom_id}`) }
  if (name === buttonNames.openForm)
    return { kind: 'immediateReply', reply: newsForm(value, context.language) }
  if (name === buttonNames.edit)
    return { kind: 'immediateReply', reply: await openDraft(click, value, context) }
  const confirmation = isConfirmed ? undefined : confirmationReply(name, value, context.language)
  if (confirmation) return { kind: 'immediateReply', reply: confirmation }
  const action = actionOfButton(name, value)
  if (!action) return { kind: 'unknown', eventName: nameForLogs(`button:${name}`) }
  const ephemeralContext = ephemeralContextOf(click, context, { isAsked: isConfirmed })
  const event = { type: 'action' as const, action }
  return { kind: 'event', deliveryId: click.id, event, ephemeralContext, reply: deferred }
}

/** An empty form; that of a question asks for wins, and what is written there counts as a reply. */
const newsForm = (value: string, language: PressContext['language']) =>
  value === emptyForm
    ? openForm({ blockType: 'general', body: '' }, language)
    : openForm({ blockType: 'wins_milestones', body: '', prompt: value }, language)

/** The person who used a button: the host decides what they may do. */
export async function composeAction(
  { settings, provider, ephemeralContext }: ComposeContext<Settings, DiscordEvent>,
  { action }: Extract<DiscordEvent, { type: 'action' }>,
): Promise<Composed> {
  const { user, name = '' } = readEphemeralContext(ephemeralContext) ?? {}
  if (user === undefined)
    return { kind: 'ignored', reason: 'Nobody knows any more who used the button.' }
  // Without a token, the signed request is all that is known of the person.
  const signedPerson: ChatPerson = { id: user, name, isActive: true, email: null }
  const person = settings.bot_token ? await getPerson({ settings, provider }, user) : signedPerson
  return { kind: 'action', action, person }
}

const silent = { allowed_mentions: { parse: [] } }

/** Informs the person who used a button, and both people when they have decided differently. */
export async function notifyOfAction(
  context: ActionContext<Settings, DiscordEvent>,
): Promise<void> {
  const address = readEphemeralContext(context.ephemeralContext)
  if (address?.user === undefined) return
  const { result, language } = context
  const locale = chatLocale(language)
  const conflict = conflictText({ result, user: address.user }, locale)
  if (conflict !== null) await informFirst(context, address.user, conflict)
  await informEditors(context, address)
  const text = conflict ?? resultText(result, !address.isAsked, locale)
  if (address.isAsked) {
    const content = text ?? chatText(language, 'done')
    await replaceReply(address, { content, components: [] }, context)
    return
  }
  if (text === null) return
  const turnOn = turnOnButton(result, locale)
  const components = turnOn ? [buttonRow([turnOn])] : []
  await addReply(address, { content: shortenUtf16(messageCharacters, text), components }, context)
}

/** Sends the editor whose choice counts a direct message about the other one. */
async function informFirst(
  context: ActionContext<Settings, DiscordEvent>,
  user: string,
  content: string,
): Promise<void> {
  const { result, event } = context
  if (result.outcome !== 'decided_before' || result.by === null) return
  if (event.type !== 'action' || event.action.type !== 'review') return
  const channel = await channelOfRecipient({ ...context, recipient: result.by, to: 'person' })
  const id = `conflict:${user}:${event.action.blockId}`
  await postMessage(context, channel, { content, ...silent }, id)
}

/**
 * Informs a person whose change to a draft was not saved, with what they wrote, and the person who was faster, if
 * that was in Discord. Does nothing after other actions.
 */
async function informEditors(
  context: ActionContext<Settings, DiscordEvent>,
  address: EphemeralContext,
): Promise<void> {
  const { event, result, language } = context
  const { user = '' } = address
  if (event.type !== 'action' || event.action.type !== 'edit') return
  const locale = chatLocale(language)
  const conflict = editConflict({ result, user, action: event.action }, locale)
  if (!conflict) return
  const { first } = conflict
  const size = { max: messageCharacters, format: locale.format }
  for (const content of conflictMessages(conflict, size))
    await addReply(address, { content }, context)
  if (first === null) return
  const channel = await channelOfRecipient({ ...context, recipient: first.user, to: 'person' })
  const id = `edit:${user}:${event.action.blockId}:${event.action.version}`
  await postMessage(context, channel, { content: first.text, ...silent }, id)
}
