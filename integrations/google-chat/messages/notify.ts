import type {
  ActionContext,
  ComposeContext,
  DeliveredContext,
  FailedContext,
} from '../../kit/adapter.ts'
import {
  conflictText,
  editConflict,
  failureText,
  resultText,
  turnOnButton,
} from '../../kit/chat/action-replies.ts'
import type { MessageButton } from '../../kit/chat/buttons.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { shortenUtf16 } from '../../kit/text/fit-length.ts'
import { writtenCharacters } from '../limits.ts'
import { undoNews } from '../requests/clicks.ts'
import { messageBody } from '../requests/reply.ts'
import { hasCredentials, type Settings } from '../settings.ts'
import {
  type EphemeralContext,
  type GoogleChatEvent,
  readEphemeralContext,
} from '../stored-event.ts'
import { functionButton, messageCard } from './cards.ts'
import { chatLocale } from './format.ts'
import { createMessage, directSpace, replaceMessage } from './messaging.ts'

type Context = ComposeContext<Settings, GoogleChatEvent> & { webhookUrl?: string }
type Body = { text: string; cardsV2: object[] }

/** Sends the link to the block, or the result of Undo, to the person. */
export async function notifyDelivered(
  context: DeliveredContext<Settings, GoogleChatEvent>,
): Promise<void> {
  const { event, blocks, language, settings } = context
  const address = readEphemeralContext(context.ephemeralContext)
  if (!address || !hasCredentials(settings)) return
  const { link } = chatLocale(language).format
  if (event.type === 'undo') {
    const links = blocks.map(({ url, title }) => link(url, title)).join(', ')
    const text = chatText(language, blocks.length > 0 ? 'undone_kept' : 'undone', { links })
    if (address.message) await replaceMessage(context, address.message, messageBody(text))
    return
  }
  const [block] = blocks
  if (block === undefined) return
  const { url, title, created, externalId } = block
  const key = created && externalId !== null ? 'in_library' : 'in_library_already'
  const text = chatText(language, key, { link: link(url, title) })
  const body =
    created && externalId !== null
      ? { text, cardsV2: undoCard(externalId, language) }
      : messageBody(text)
  await sendPrivately(context, address, body)
}

function undoCard(value: string, language: Context['language']) {
  const undo = functionButton(chatText(language, 'undo'), undoNews, { parameters: { value } })
  return messageCard([{ buttonList: { buttons: [undo] } }])
}

/** Says that the content was not saved, or what did not work. */
export async function notifyFailed(
  context: FailedContext<Settings, GoogleChatEvent>,
): Promise<void> {
  const { event, settings, language } = context
  const address = readEphemeralContext(context.ephemeralContext)
  if (!address || !hasCredentials(settings)) return
  await sendPrivately(context, address, messageBody(failureText(event.type, language)))
}

/** Informs the person who used a button, and both people when they have decided differently. */
export async function notifyOfAction(
  context: ActionContext<Settings, GoogleChatEvent>,
): Promise<void> {
  const { result, language, settings } = context
  const address = readEphemeralContext(context.ephemeralContext)
  if (address?.person === undefined || !hasCredentials(settings)) return
  const { space, thread, message } = address
  const user = address.person.id
  const locale = chatLocale(language)
  const conflict = conflictText({ result, user }, locale)
  if (conflict !== null && message !== undefined && space !== undefined) {
    const inThread = thread === undefined ? {} : { thread: { name: thread } }
    const body = { text: conflict, ...inThread }
    await createMessage(context, { space, id: idOf(context, 'conflict', user), body })
    return
  }
  await informEditors(context, address)
  const text = resultText(result, message !== undefined, locale)
  if (text === null) return
  const turnOn = turnOnButton(result, locale)
  const buttons: MessageButton[] = turnOn ? [turnOn] : []
  await sendPrivately(context, address, messageBody(text, buttons))
}

/** Informs a person whose change to a draft was not saved, with what they wrote, and the person who saved first. */
async function informEditors(
  context: ActionContext<Settings, GoogleChatEvent>,
  address: EphemeralContext,
): Promise<void> {
  const { event, result, language } = context
  if (event.type !== 'action' || address.person === undefined) return
  const acted = { result, user: address.person.id, action: event.action }
  const conflict = editConflict(acted, chatLocale(language))
  if (!conflict) return
  const written = shortenUtf16(writtenCharacters, conflict.written)
  const text = `${conflict.reason}\n\n${chatLocale(language).format.escape(written)}`
  await sendPrivately(context, address, messageBody(text))
  if (conflict.first === null) return
  const space = await directSpace(context, conflict.first.user)
  if (space === null) return
  const id = idOf(context, 'first', conflict.first.user)
  await createMessage(context, { space, id, body: { text: conflict.first.text } })
}

/** Sends a message that only one person sees, where they used the app. */
async function sendPrivately(
  context: Context,
  { person, space, is_direct, thread }: EphemeralContext,
  body: Body,
): Promise<void> {
  if (space === undefined || person === undefined) return
  const user = person.id
  await createMessage(context, {
    space,
    id: idOf(context, body.text, user),
    body: {
      ...body,
      ...(!is_direct && { privateMessageViewer: { name: user } }),
      ...(thread !== undefined && { thread: { name: thread } }),
    },
  })
}

/** The id of a message about an attempt, which is the same when sending it is repeated. */
const idOf = ({ event, now }: Context, what: string, user: string) =>
  `${what} ${user} ${now.toISOString()} ${JSON.stringify(event)}`
