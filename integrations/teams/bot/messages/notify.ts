import type {
  ActionContext,
  ComposeContext,
  DeliveredContext,
  FailedContext,
} from '../../../kit/adapter.ts'
import {
  conflictMessages,
  conflictText,
  editConflict,
  failureText,
  resultText,
  turnOnButton,
} from '../../../kit/chat/action-replies.ts'
import type { ReplyTopic } from '../../../kit/chat/actions.ts'
import { formButton } from '../../../kit/chat/buttons.ts'
import { chatText } from '../../../kit/chat/locales/index.ts'
import { replyText } from '../../../kit/chat/tidings-command.ts'
import type { Settings } from '../../settings.ts'
import { messageCharacters } from '../limits.ts'
import { getPerson, personalConversation } from '../members.ts'
import { undoNews } from '../requests/receive-message.ts'
import { type BotEvent, type EphemeralContext, readEphemeralContext } from '../stored-event.ts'
import {
  adaptiveCard,
  type CardAction,
  cardAction,
  cardAttachment,
  submitAction,
  textBlock,
} from './cards.ts'
import { chatLocale } from './format.ts'
import { replaceActivity, sendActivity } from './messaging.ts'

type Context = ComposeContext<Settings, BotEvent>

/** Sends the link to the block, or the result of Undo, to the person. */
export async function notifyDelivered(
  context: DeliveredContext<Settings, BotEvent>,
): Promise<void> {
  const { event, blocks, language } = context
  const address = readEphemeralContext(context.ephemeralContext)
  if (!address) return
  const { link } = chatLocale(language).format
  if (event.type === 'undo') {
    const links = blocks.map(({ url, title }) => link(url, title)).join(', ')
    const text = chatText(language, blocks.length > 0 ? 'undone_kept' : 'undone', { links })
    const { conversation, card: activity } = address
    if (activity !== undefined)
      await replaceActivity(context, { conversation, activity }, cardMessage(text))
    return
  }
  const [block] = blocks
  if (block === undefined) return
  const { url, title, created, externalId: value } = block
  const isNew = created && value !== null
  const key = isNew ? 'in_library' : 'in_library_already'
  const undo = submitAction(chatText(language, 'undo'), { button: undoNews, value })
  const text = chatText(language, key, { link: link(url, title) })
  await sendToPerson(context, address.user, cardMessage(text, isNew ? [undo] : []))
}

const cardMessage = (text: string, actions: CardAction[] = []) => ({
  attachments: [cardAttachment(adaptiveCard([textBlock(text)], actions))],
})

/** Says that the content was not saved, or what did not work. */
export async function notifyFailed(context: FailedContext<Settings, BotEvent>): Promise<void> {
  const address = readEphemeralContext(context.ephemeralContext)
  if (!address) return
  const text = failureText(context.event.type, context.language)
  await sendToPerson(context, address.user, cardMessage(text))
}

/** Informs the person who used a button, and both people when they have decided differently. */
export async function notifyOfAction(context: ActionContext<Settings, BotEvent>): Promise<void> {
  const { result, language } = context
  const address = readEphemeralContext(context.ephemeralContext)
  if (!address) return
  if (result.outcome === 'answer') return await sendReply(context, address, result.about)
  const { user, card, conversation } = address
  const locale = chatLocale(language, await namesOf(context, address))
  const conflict = conflictText({ result, user }, locale)
  if (conflict !== null && card !== undefined) {
    await sendActivity(context, conversation, { text: conflict, replyToId: card })
    return
  }
  await informEditors(context, address)
  const text = resultText(result, card !== undefined, locale)
  if (text === null) return
  const turnOn = turnOnButton(result, locale)
  await sendToPerson(context, user, cardMessage(text, turnOn ? [cardAction(turnOn)] : []))
}

/** What concerns the person alone is sent to them, also when they have asked in a channel. */
const personal: readonly ReplyTopic[] = ['mine', 'link']

/** Sends the reply of the bot where the person wrote to it. Help has a button for the form. */
async function sendReply(
  context: ActionContext<Settings, BotEvent>,
  { user, name, conversation, card }: EphemeralContext,
  about: ReplyTopic,
): Promise<void> {
  const { language, team } = context
  const text = await replyText(about, { user, name: name || user, team }, chatLocale(language))
  // Teams makes two messages of a text beside a card.
  const content =
    about === 'help'
      ? cardMessage(text, [cardAction(formButton(language))])
      : { text: text.replace(/\n+/g, '\n\n'), textFormat: 'markdown' }
  if (personal.includes(about)) return await sendToPerson(context, user, content)
  await sendActivity(context, conversation, {
    ...content,
    ...(card !== undefined && { replyToId: card }),
  })
}

/** The names of the people in the texts about a result, by id. */
async function namesOf(
  context: ActionContext<Settings, BotEvent>,
  { user, name, conversation }: EphemeralContext,
): Promise<Map<string, string>> {
  const { result } = context
  const names = new Map([[user, name]])
  const by = 'by' in result ? result.by : null
  if (by === null || by === user) return names
  const person = await getPerson(context, by, conversation)
  return names.set(by, person.name === by ? '' : person.name)
}

/** Informs a person whose change to a draft was not saved, with what they wrote, and the person who was faster. */
async function informEditors(
  context: ActionContext<Settings, BotEvent>,
  address: EphemeralContext,
): Promise<void> {
  const { event, result, language } = context
  if (event.type !== 'action') return
  const locale = chatLocale(language, await namesOf(context, address))
  const acted = { result, user: address.user, action: event.action }
  const conflict = editConflict(acted, locale)
  if (!conflict) return
  const { format } = locale
  for (const text of conflictMessages(conflict, { max: messageCharacters, format }))
    await sendToPerson(context, address.user, cardMessage(text))
  if (conflict.first === null) return
  const { user: first, text: firstText } = conflict.first
  // A repetition would inform the other person again.
  await sendToPerson(context, first, cardMessage(firstText)).catch(() => undefined)
}

async function sendToPerson(context: Context, user: string, content: object): Promise<void> {
  await sendActivity(context, await personalConversation(context, user), content)
}
