import * as v from 'valibot'
import { slug } from '../../../src/contract/text.ts'
import { type BlockType, blockTypes } from '../../../src/contract/vocabulary.ts'
import type { ReceiveContext } from '../../kit/adapter.ts'
import { actionOfButton, button, emptyForm, formButton } from '../../kit/chat/buttons.ts'
import { receiveChatMessage } from '../../kit/chat/chat.ts'
import { directMessage } from '../../kit/chat/direct-message.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { messageText } from '../../kit/chat/message.ts'
import { messagesWanted, replyToWord } from '../../kit/chat/tidings-command.ts'
import type { FollowUp, Received } from '../../kit/received.ts'
import { fitsBody, normalizeText, oneLine, shortHash } from '../../kit/text.ts'
import { nameForLogs } from '../../kit/webhook-request.ts'
import type { Settings } from '../settings.ts'
import { readText } from '../text.ts'
import {
  type BotActivity,
  htmlOf,
  imageOf,
  invokeValue,
  isPersonal,
  isToBot,
  type MessagePayload,
  mentionedIn,
  mentionsAsTags,
  nameOf,
  textsOf,
  userOf,
} from './activity.ts'
import { adaptiveCard, cardAction, cardAttachment } from './cards.ts'
import { isPrivate } from './channels.ts'
import { confirmDialog, openDraft, receiveEdit, saveDraft } from './dialogs.ts'
import { isFile } from './files.ts'
import { newsForm, saveNews } from './form.ts'
import { writingIn } from './format.ts'
import { sendActivity } from './messaging.ts'
import { closeDialog, dialogMessage, noReply, openDialog } from './reply.ts'
import { hasImage, savedMessage } from './saved-images.ts'
import { type BotEvent, ephemeralContextOf } from './stored-event.ts'

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
  const { language, team, settings } = context
  const text = readText(htmlOf(activity)).trim()
  const word = oneLine(text).toLowerCase()
  const wanted = messagesWanted(word)
  if (wanted !== undefined) return action(activity, { type: 'messages', wanted })
  const asking = { user: userOf(activity), name: nameOf(activity) || userOf(activity), team }
  const reply = await replyToWord(word, asking, writingIn(language))
  if (reply !== undefined)
    return { kind: 'immediateReply', reply: noReply, after: say(activity, reply, settings) }
  return await receiveNews(activity, text, context)
}

/** Sends a text to the conversation of an activity, after the response to it. */
const say =
  (activity: BotActivity, text: string, settings: Settings, attachments: object[] = []): FollowUp =>
  async (provider) => {
    await sendActivity({ settings, provider }, activity.conversation.id, {
      text,
      textFormat: 'markdown',
      ...(activity.id && !isPersonal(activity) && { replyToId: activity.id }),
      ...(attachments.length > 0 && { attachments }),
    })
  }

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
    // What somebody writes to the bot alone is meant for the newsletter.
    const is_private = !isPersonal(activity) && (await isPrivate(activity, { settings, provider }))
    const event = { type: 'news' as const, ...received.event, ...(is_private && { is_private }) }
    return { ...received, event, reply: noReply }
  }
  const isRead = team.readsMessages && !settings.without_ai && isPersonal(activity)
  if (received.kind === 'ignored' && isRead)
    return {
      kind: 'event',
      deliveryId: id,
      event: directMessage(submitted),
      ephemeralContext,
      reply: noReply,
    }
  // A bot replies with a message of its own. Help has a button for the form.
  const isHelp = received.kind === 'ignored' || text === '' || oneLine(text) === 'help'
  const replied = 'reply' in received ? String(received.reply?.body ?? '') : ''
  const card = adaptiveCard([], [cardAction(formButton(language))])
  const after = say(activity, replied, settings, isHelp ? [cardAttachment(card)] : [])
  return { kind: 'immediateReply', reply: noReply, after }
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
      if (name === button.edit) return await openDraft(activity, value, context)
      const dialog = confirmDialog(activity, { name, value }, context.language)
      if (dialog) return { kind: 'immediateReply', reply: dialog }
      return await openForm(activity, context, value === emptyForm ? {} : { prompt: value })
    }
    case 'composeExtension/submitAction':
    case 'task/submit':
      if (name === saveNews) return receiveForm(activity, fields, context)
      return name === saveDraft ? receiveEdit(activity, context) : receiveButton(activity, fields)
    default:
      return { kind: 'unknown', eventName: nameForLogs(`invoke:${activity.name}`) }
  }
}

/** Opens the form for news, for a message that somebody wrote, or for the reply to a question. */
async function openForm(
  activity: BotActivity,
  { team, language, settings, provider }: Context,
  { message, prompt }: { message?: MessagePayload | null | undefined; prompt?: string },
): Promise<Received<BotEvent>> {
  const body = message ? readText(mentionsAsTags(message.body?.content ?? '')).trim() : ''
  const blockType: BlockType = prompt ? 'wins_milestones' : 'general'
  const form = shortHash(`${activity.id} ${activity.timestamp} ${userOf(activity)}`)
  const quoted = message ? quotedNotes(activity, message, settings) : {}
  const isHidden = message ? await isPrivate(activity, { settings, provider }) : false
  const secrecy = isHidden ? { private: 'yes' } : {}
  const card = newsForm(
    {
      blockType,
      title: body === '' ? '' : messageText({ markdown: body, language }).title,
      body,
      notes: { form, ...quoted, ...secrecy, ...(prompt !== undefined && { prompt }) },
      events: await team.events(''),
    },
    language,
  )
  return { kind: 'immediateReply', reply: openDialog(chatText(language, 'form_title'), card) }
}

/** What is stored in the form about a message. */
function quotedNotes(activity: BotActivity, message: MessagePayload, settings: Settings) {
  const { user } = message.from ?? {}
  const author = oneLine(user?.displayName ?? '')
  const file = imageOf(message.attachments)
  return {
    message: shortHash(`${activity.conversation.id.split(';')[0]} ${message.id}`),
    ...(author && { author }),
    ...(user?.id && { author_id: user.id }),
    ...(file !== undefined && isFile(file, settings) && { file }),
    ...(settings.read_images && hasImage(message.body?.content ?? '') && { image_of: message.id }),
  }
}

function receiveForm(
  activity: BotActivity,
  fields: Record<string, string>,
  { language, settings }: Context,
): Received<BotEvent> {
  const body = normalizeText(fields['body'] ?? '')
  const refusal = body === '' ? 'nothing_written' : 'too_long'
  if (body === '' || !fitsBody(body))
    return { kind: 'immediateReply', reply: dialogMessage(chatText(language, refusal)) }
  const { message, form = '', author_id, prompt } = fields
  const isQuoted = message !== undefined
  const id = isQuoted ? `message:${shortHash(message)}` : `form:${shortHash(form)}`
  return {
    kind: 'event',
    deliveryId: `form:${shortHash(`${form} ${userOf(activity)}`)}`,
    event: { ...newsOf(activity, fields, settings), external_id: `teams:${id}`, body },
    ephemeralContext: ephemeralContextOf(activity, {
      ...(isQuoted && author_id && { author: author_id }),
      ...(prompt && { prompt }),
    }),
    reply: closeDialog,
  }
}

/** The fields of a form apart from its text. The author of a saved message stays its author. */
function newsOf(activity: BotActivity, fields: Record<string, string>, settings: Settings) {
  const title = oneLine(fields['title'] ?? '')
  const event = v.safeParse(slug, fields['news_event'] === emptyForm ? '' : fields['news_event'])
  const author =
    fields['message'] === undefined ? nameOf(activity) : oneLine(fields['author'] ?? '')
  const file = fileOf(activity, fields, settings)
  return {
    type: 'news' as const,
    block_type: v.parse(v.fallback(v.picklist(blockTypes), 'general'), fields['block_type']),
    ...(title && { title }),
    ...(event.success && { event_slug: event.output }),
    ...(author && { author }),
    ...(file !== undefined && { file }),
    ...(fields['private'] === 'yes' && { is_private: true }),
  }
}

/** The image of a form: a file of Teams, or the image of the message that is saved. */
function fileOf(
  activity: BotActivity,
  { file = '', image_of }: Record<string, string>,
  settings: Settings,
): string | undefined {
  if (isFile(file, settings)) return file
  return image_of && settings.read_images ? savedMessage(activity, image_of) : undefined
}

/** The id of the delivery of an activity, which is the same when it is sent again. */
export const deliveryOf = (activity: BotActivity): string => {
  const { id, conversation, timestamp } = activity
  return id
    ? `message:${shortHash(`${conversation.id} ${id}`)}`
    : `message:${shortHash(`${conversation.id} ${timestamp} ${userOf(activity)}`)}`
}
