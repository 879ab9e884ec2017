import type { ReceiveContext } from '../../../kit/adapter.ts'
import type { ReplyTopic } from '../../../kit/chat/actions.ts'
import { actionOfButton, buttonNames, emptyForm } from '../../../kit/chat/buttons.ts'
import { directMessage, isImageAlone } from '../../../kit/chat/direct-message.ts'
import { receiveChatMessage } from '../../../kit/chat/submissions.ts'
import { messagesWanted, topicOfWord } from '../../../kit/chat/tidings-command.ts'
import type { Received } from '../../../kit/requests/received.ts'
import { nameForLogs } from '../../../kit/requests/webhook-request.ts'
import { oneLine } from '../../../kit/text/fit-length.ts'
import { fitsBody, normalizeText, shortHash } from '../../../kit/text/plain-text.ts'
import type { Settings } from '../../settings.ts'
import { readText } from '../../text.ts'
import { isPrivate } from '../channels.ts'
import { isFile } from '../files.ts'
import { closeDialog, noReply } from '../messages/reply.ts'
import { type BotEvent, ephemeralContextOf } from '../stored-event.ts'
import {
  type BotActivity,
  htmlOf,
  imageOf,
  invokeValue,
  isPersonal,
  isToBot,
  mentionedIn,
  nameOf,
  textsOf,
  userOf,
} from './activity.ts'
import { confirmDialog, openDraft, receiveEdit, saveDraft } from './dialogs.ts'
import { saveNews } from './form.ts'
import { openForm, receiveForm } from './form-requests.ts'

type Context = ReceiveContext<Settings>

/** The name of the Undo button. */
export const undoNews = 'undo_news'

const ourId = /^teams:(?:message|form):[0-9a-f]{32}$/

/** A message to the bot, or a button of a message. */
export async function receiveMessage(
  activity: BotActivity,
  context: Context,
): Promise<Received<BotEvent>> {
  const data = textsOf(activity.value)
  if (data['button'] !== undefined) return receiveButton(activity, data)
  // What is not meant for the bot is neither stored nor answered.
  if (!isPersonal(activity) && !isToBot(activity)) return { kind: 'immediateReply', reply: noReply }
  const text = readText(htmlOf(activity)).trim()
  const word = oneLine(text).toLowerCase()
  const wanted = messagesWanted(word)
  if (wanted !== undefined) return action(activity, { type: 'messages', wanted })
  const about = topicOfWord(word)
  if (about !== undefined) return replyAbout(activity, about)
  return await receiveNews(activity, text, context)
}

/** The bot replies in the thread of a message to it. */
const replyAbout = (activity: BotActivity, about: ReplyTopic): Received<BotEvent> =>
  action(
    activity,
    { type: 'answer', about },
    activity.id && !isPersonal(activity) ? { card: activity.id } : {},
  )

/** The result for a message whose first word is a command; other messages get help with the button of the form. */
async function receiveNews(
  activity: BotActivity,
  text: string,
  { settings, language, team, provider }: Context,
): Promise<Received<BotEvent>> {
  const id = deliveryOf(activity)
  const file = imageOf(activity.attachments)
  const submitted = {
    text,
    externalId: `teams:${id}`,
    author: nameOf(activity),
    ...(file !== undefined && isFile(file, settings) && { file }),
  }
  const ephemeralContext = ephemeralContextOf(activity, { mentioned: mentionedIn(activity) })
  const received = receiveChatMessage({
    ...submitted,
    before: '@Tidings ',
    deliveryId: id,
    ephemeralContext,
    language,
    reply: (body) => ({ body }),
  })
  if (received.kind === 'event') {
    const is_private = await isPrivate(activity, { settings, provider })
    const event = { type: 'news' as const, ...received.event, ...(is_private && { is_private }) }
    return { ...received, event, reply: noReply }
  }
  const isRead = team.readsMessages && !settings.without_ai && isPersonal(activity)
  if (isRead && (received.kind === 'ignored' || isImageAlone(text, submitted.file)))
    return {
      kind: 'event',
      deliveryId: id,
      event: directMessage(submitted),
      ephemeralContext,
      reply: noReply,
    }
  // A bot replies with a message of its own.
  const isHelp =
    received.kind === 'ignored' || ['', 'help', '?'].includes(oneLine(text).toLowerCase())
  return replyAbout(activity, isHelp || fitsBody(normalizeText(text)) ? 'help' : 'too_long')
}

function receiveButton(
  activity: BotActivity,
  { button: name = '', value = '', card }: Record<string, string>,
): Received<BotEvent> {
  const message = card ?? activity.replyToId ?? undefined
  const more = message === undefined ? {} : { card: message }
  if (name === undoNews) {
    if (!ourId.test(value)) return { kind: 'unknown', eventName: 'button:undo' }
    return {
      kind: 'event',
      deliveryId: deliveryOf(activity),
      event: { type: 'undo', external_id: value },
      ephemeralContext: ephemeralContextOf(activity, more),
      reply: noReply,
    }
  }
  const chosen = actionOfButton(name, value)
  if (!chosen) return { kind: 'unknown', eventName: nameForLogs(`button:${name}`) }
  return action(activity, chosen, more)
}

const action = (
  activity: BotActivity,
  chosen: Extract<BotEvent, { type: 'action' }>['action'],
  more: { card?: string } = {},
): Received<BotEvent> => ({
  kind: 'event',
  deliveryId: deliveryOf(activity),
  event: { type: 'action', action: chosen },
  ephemeralContext: ephemeralContextOf(activity, more),
  reply: activity.type === 'invoke' ? closeDialog : noReply,
})

/** A dialog that is opened or submitted, from a message, from its menu, or beside the field for messages. */
export async function receiveInvoke(
  activity: BotActivity,
  context: Context,
): Promise<Received<BotEvent>> {
  const { data, messagePayload } = invokeValue(activity)
  const fields = textsOf(data)
  const { button: name = '', value = '' } = fields
  switch (activity.name) {
    case 'composeExtension/fetchTask':
      return await openForm(activity, context, { message: messagePayload })
    case 'task/fetch': {
      if (name === buttonNames.edit) return await openDraft(activity, value, context)
      const dialog = confirmDialog(activity, { name, value }, context.language)
      if (dialog) return { kind: 'immediateReply', reply: dialog }
      return await openForm(
        activity,
        context,
        value === emptyForm
          ? { written: await context.team.unreadText(userOf(activity)) }
          : { prompt: value },
      )
    }
    case 'composeExtension/submitAction':
    case 'task/submit':
      if (name === saveNews) return receiveForm(activity, fields, context)
      return name === saveDraft ? receiveEdit(activity, context) : receiveButton(activity, fields)
    default:
      return { kind: 'unknown', eventName: nameForLogs(`invoke:${activity.name}`) }
  }
}

/** The id of the delivery of an activity, which is the same when it is sent again. */
export const deliveryOf = (activity: BotActivity): string => {
  const { id, conversation, timestamp } = activity
  return id
    ? `message:${shortHash(`${conversation.id} ${id}`)}`
    : `message:${shortHash(`${conversation.id} ${timestamp} ${userOf(activity)}`)}`
}
