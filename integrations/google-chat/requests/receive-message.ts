import type { BlockType } from '../../../src/contract/vocabulary.ts'
import type { ReceiveContext } from '../../kit/adapter.ts'
import { formButton } from '../../kit/chat/buttons.ts'
import { directMessage, isImageAlone } from '../../kit/chat/direct-message.ts'
import { formText } from '../../kit/chat/forms/edit-text.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { itemText } from '../../kit/chat/messages/item-text.ts'
import {
  type ChatSubmission,
  commandTypes,
  receiveChatMessage,
} from '../../kit/chat/submissions.ts'
import { messagesWanted, replyToWord } from '../../kit/chat/tidings-command.ts'
import type { Received } from '../../kit/requests/received.ts'
import { badRequest } from '../../kit/requests/webhook-request.ts'
import type { UnreadText } from '../../kit/team-api.ts'
import { oneLine } from '../../kit/text/fit-length.ts'
import { shortHash } from '../../kit/text/plain-text.ts'
import { imageOf } from '../files.ts'
import { chatLocale, markupFormat } from '../messages/format.ts'
import { markupToMarkdown, mentionedIn, messageText, startsWithMention } from '../messages/text.ts'
import { hasCredentials, type Settings } from '../settings.ts'
import { ephemeralContextOf, type GoogleChatEvent } from '../stored-event.ts'
import { type Event, isDirect, isPrivate, type Message, nameOf } from './event.ts'
import { type FormNotes, newsForm } from './form.ts'
import { noReply, openDialog, replyPrivately } from './reply.ts'

type Context = ReceiveContext<Settings>

/** An event with the message that it is about, and the digest of its body. */
export interface MessageEvent extends Event {
  message: Message
  digest: string
}

/** A message to the app, a mention of it, or a slash command. */
export async function receiveMessage(
  event: MessageEvent,
  context: Context,
): Promise<Received<GoogleChatEvent>> {
  const { language } = context
  const text = messageText(event.message, language)
  const [, command, rest = ''] = /^\s*\/(\w+)\b\s*([\s\S]*)$/.exec(text) ?? []
  const isTidings = command === 'tidings'
  const reply = await replyToCommand(event, isTidings ? rest : text, context)
  if (reply) return reply
  if (isTidings) return help(event, context)
  if (event.dialogEventType === 'REQUEST_DIALOG' && (command === undefined || rest.trim() === ''))
    return await openForm(event, context, { blockType: commandTypes.get(command ?? '') })
  return receiveNews(event, text, context)
}

/** The result for a word that asks for something; undefined for other texts. */
async function replyToCommand(
  event: MessageEvent,
  text: string,
  { team, language, settings }: Context,
): Promise<Received<GoogleChatEvent> | undefined> {
  const word = oneLine(text).toLowerCase()
  const wanted = messagesWanted(word)
  if (wanted !== undefined)
    return {
      kind: 'event',
      deliveryId: deliveryOf(event),
      event: { type: 'action', action: { type: 'messages', wanted } },
      ephemeralContext: ephemeralContextOf(event, settings),
      reply: noReply,
    }
  if (!event.user) return undefined
  const asking = { user: event.user.name, name: nameOf(event.user) || event.user.name, team }
  const reply = await replyToWord(word, asking, chatLocale(language))
  return reply === undefined
    ? undefined
    : { kind: 'immediateReply', reply: replyPrivately(event, reply) }
}

/** The result for a message whose first word is a command; other messages get help with the button of the form. */
function receiveNews(
  event: MessageEvent,
  text: string,
  { settings, language, team }: Context,
): Received<GoogleChatEvent> {
  const { message } = event
  const id = deliveryOf(event)
  const file = imageOf(message)
  const submitted = {
    text: markupToMarkdown(text, language),
    externalId: `google-chat:${id}`,
    author: nameOf(event.user ?? message.sender),
    ...(file !== undefined && { file }),
  }
  const ephemeralContext = ephemeralContextOf(event, settings, { mentioned: mentionedIn(message) })
  const received = receiveChatMessage({
    ...submitted,
    before: '/',
    deliveryId: id,
    ephemeralContext,
    linkFollows: hasCredentials(settings) && event.space?.name != null,
    language,
    reply: (sentence) => replyPrivately(event, sentence),
  })
  if (received.kind === 'event') {
    return { ...received, event: newsOf(event, text, received.event) }
  }
  const isRead =
    team.readsMessages && !settings.without_ai && hasCredentials(settings) && isDirect(event.space)
  if (isRead && (received.kind === 'ignored' || isImageAlone(text, file)))
    return {
      kind: 'event',
      deliveryId: id,
      event: directMessage(submitted),
      ephemeralContext,
      reply: noReply,
    }
  if (received.kind === 'ignored')
    return {
      kind: 'ignored',
      deliveryId: id,
      reason: received.reason,
      reply: helpReply(event, language),
    }
  return received.kind === 'immediateReply'
    ? { kind: 'immediateReply', reply: received.reply }
    : badRequest('the message cannot be read')
}

function newsOf(
  { message, space }: MessageEvent,
  text: string,
  news: ChatSubmission,
): GoogleChatEvent {
  // A slash command is meant for the newsletter wherever it is used.
  const isHidden = !text.startsWith('/') && isPrivate(space)
  return {
    type: 'news',
    ...news,
    ...(startsWithMention(message) && { startsWithMention: true }),
    ...(isHidden && { is_private: true }),
  }
}

const helpReply = (event: Event, language: Context['language']) =>
  replyPrivately(event, helpText(language), [formButton(language)])

const helpText = (language: Context['language']) =>
  `${chatText(language, 'mention_reply')}\n${chatText(language, 'tidings_help_commands')}\n${chatText(language, 'tidings_help', { command: '/tidings ' })}`

/** The reply to a person who adds the app or asks what it does. */
export const help = (event: Event, { language }: Context): Received<GoogleChatEvent> => ({
  kind: 'immediateReply',
  reply: helpReply(event, language),
})

/** A command of the app's menu opens an empty form; one of the menu of a message opens a form with it. */
export async function receiveAppCommand(
  event: Event,
  context: Context,
): Promise<Received<GoogleChatEvent>> {
  if (event.appCommandMetadata?.appCommandType !== 'MESSAGE_ACTION')
    return await openForm(event, context)
  const { message } = event
  return message?.name
    ? await openForm(event, context, { message })
    : badRequest('a message action without its message')
}

interface FormFor {
  blockType?: BlockType | undefined
  /** The message that is saved. */
  message?: Message
  /** The question to which the form replies. */
  prompt?: string | undefined
  /** What the person wrote to the app before, in Markdown. */
  written?: UnreadText | null
}

/** Opens the form for news, or for a message that somebody wrote. */
export async function openForm(
  event: Event,
  { team, language }: Context,
  { blockType = 'general', message, prompt, written }: FormFor = {},
): Promise<Received<GoogleChatEvent>> {
  const text = message
    ? messageText(message, language).trim()
    : formText(written?.text ?? '', markupFormat(language))
  const form = shortHash(`${event.eventTime} ${event.user?.name} ${message?.name}`)
  const quoted = message ? quotedNotes(event, message) : {}
  const card = newsForm(
    {
      blockType,
      title: readableTitle(text, language),
      body: text,
      notes: { form, ...quoted, ...unreadNotes(written), ...(prompt && { prompt }) },
      events: await team.events(''),
    },
    language,
  )
  return { kind: 'immediateReply', reply: openDialog(card) }
}

/** The first line without its formatting, as a title in a newsletter. */
const readableTitle = (text: string, language: Context['language']) =>
  text === '' ? '' : itemText({ markdown: markupToMarkdown(text, language), language }).title

/** What is stored in the form about a text to the app. */
const unreadNotes = (written: UnreadText | null | undefined): Partial<FormNotes> =>
  written
    ? {
        unread_id: written.id,
        ...(written.image && { file: written.image.file }),
        ...(written.fromPrivate && { private: 'yes' }),
      }
    : {}

/** What is stored in the form about a message. */
function quotedNotes({ space }: Event, message: Message) {
  const file = imageOf(message)
  const author = nameOf(message.sender)
  return {
    ...(message.name && { message: message.name }),
    ...(author && { author }),
    ...(message.sender?.name && { author_id: message.sender.name }),
    ...(file && { file }),
    ...(isPrivate(space) && { private: 'yes' }),
  }
}

/** The id of the delivery of a message, which is the same when Google sends it again. */
const deliveryOf = ({ message, digest }: MessageEvent): string =>
  message.name ? `message:${shortHash(message.name)}` : digest
