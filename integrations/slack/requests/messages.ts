import type { App, KnownEventFromType } from '@slack/bolt'
import * as v from 'valibot'
import { formatMessage } from '../../../src/locales/index.ts'
import type { ComposeContext } from '../../kit/adapter.ts'
import type { ReplyTopic } from '../../kit/chat/actions.ts'
import { readCommand } from '../../kit/chat/submissions.ts'
import { messagesWanted, topicOfWord } from '../../kit/chat/tidings-command.ts'
import type { Composed } from '../../kit/composed.ts'
import { parseMrkdwn } from '../../kit/markdown/mrkdwn.ts'
import { mrkdwnToMarkdown } from '../../kit/markdown/mrkdwn-markdown.ts'
import { SlackMessage } from '../../kit/slack/message.ts'
import { oneLine } from '../../kit/text/fit-length.ts'
import { fitsBody, normalizeText, shortHash } from '../../kit/text/plain-text.ts'
import { displayNames, permalink, slackClient } from '../client.ts'
import {
  type EphemeralContext,
  type MessageEvent,
  readEphemeralContext,
  removeUserIds,
  resolveNames,
  type SlackEvent,
} from '../events/stored-event.ts'
import { type Image, imageIn, imageOf } from '../files.ts'
import { botOf } from '../installation/workspace.ts'
import type { Settings } from '../settings.ts'
import { isPublic } from './reactions.ts'
import type { SlackRequest, SlackResult } from './request-result.ts'

const timeoutMs = 10_000

/** What somebody wrote to the bot, and where. */
interface Written {
  deliveryId: string
  user: string
  channel: string
  ts: string
  thread: string
  /** In Slack's format, without the mention of the bot. */
  text: string
  image: Image
  isDirect: boolean
}

/**
 * Listens for direct messages to the bot and for mentions of it. Other messages are ignored, because people choose
 * what to save; Slack sends them only when an admin subscribes the app to them.
 */
export function listenForMessages(app: App, request: SlackRequest): void {
  app.message(async ({ body, message }) => {
    const written = directMessage(message, body.event_id)
    if (written) return request.setResult(await resultFor(written, request))
    const byBot = 'bot_id' in message && message.bot_id !== undefined
    const reason = byBot ? 'written by a bot' : 'a plain channel message creates no block'
    const isDirect = message.channel_type === 'im'
    request.setResult(
      isDirect
        ? { kind: 'immediateReply' }
        : { kind: 'ignored', deliveryId: body.event_id, reason },
    )
  })
  app.event('app_mention', async ({ event, body }) => {
    const { user, channel, ts, thread_ts: thread = ts, text } = event
    if (!user) return request.setResult({ kind: 'immediateReply' })
    const bot = botOf(body, request.settings)
    const mention = bot === undefined ? /^\s*<@[UW][A-Z0-9]+(?:\|[^>]*)?>/ : mentionOf(bot)
    const image = imageOf(v.parse(SlackMessage, event))
    const written = { deliveryId: body.event_id, user, channel, ts, thread, image, isDirect: false }
    const result = await resultFor({ ...written, text: text.replace(mention, '') }, request)
    request.setResult(result)
  })
}

const mentionOf = (bot: string) => new RegExp(`<@${RegExp.escape(bot)}(?:\\|[^>]*)?>`, 'g')

/**
 * A message of a person in their conversation with the bot; undefined for any other message. A file, `/me` and a reply that
 * is “also sent as direct message” have a subtype.
 * Source: https://docs.slack.dev/reference/events/message
 */
function directMessage(
  message: KnownEventFromType<'message'>,
  deliveryId: string,
): Written | undefined {
  if (message.channel_type !== 'im' || 'bot_id' in message) return undefined
  switch (message.subtype) {
    case undefined:
    case 'file_share':
    case 'me_message':
    case 'thread_broadcast':
      break
    default:
      return undefined
  }
  const { user, channel, ts, text = '' } = message
  const thread = 'thread_ts' in message ? (message.thread_ts ?? ts) : ts
  const image = imageOf(v.parse(SlackMessage, message))
  return { deliveryId, user, channel, ts, thread, text, image, isDirect: true }
}

/** The result for a message: its commands are known words; a model reads the rest, or the bot offers the form. */
async function resultFor(written: Written, request: SlackRequest): Promise<SlackResult> {
  const { team, language, settings } = request
  const { image, isDirect } = written
  const text = normalizeText(written.text)
  const word = oneLine(text).toLowerCase()
  const wanted = isDirect ? messagesWanted(word) : undefined
  const address = addressOf(written, request)
  if (wanted !== undefined) {
    const action = { type: 'messages', wanted } as const
    return eventResult(written, { type: 'action', action }, address)
  }
  const replyAbout = (about: ReplyTopic) =>
    eventResult(written, { type: 'action', action: { type: 'answer', about } }, address)
  const about = isDirect ? topicOfWord(word) : undefined
  if (about !== undefined) return replyAbout(about)
  const command = fitsBody(text) ? readCommand(text) : undefined
  const people: string[] = []
  const external_id = `slack:message:${written.channel}:${written.ts}`
  if (command && oneLine(command.text) !== '') {
    const body = removeUserIds(parseMrkdwn(command.text, language), people)
    const { name, blockType: block_type } = command
    const news = { type: 'news', external_id, block_type, command: name, body } as const
    const origin = isDirect ? { is_private: true } : { mentioned_in: written.channel }
    const event = { ...news, ...image, ...origin }
    return eventResult(written, event, { ...address, people })
  }
  const saysSomething = word !== '' || image.file !== undefined
  const isRead = team.readsMessages && !settings.without_ai && saysSomething && fitsBody(text)
  if (!isRead) return replyAbout('form')
  const parts = removeUserIds(parseMrkdwn(text, language), people)
  const event = { type: 'message', external_id, text: parts, is_direct: isDirect } as const
  return eventResult(written, { ...event, ...image }, { ...address, people })
}

const addressOf = (
  { user, channel, ts, thread, isDirect }: Written,
  { now }: SlackRequest,
): EphemeralContext => ({
  user,
  author: user,
  people: [],
  since: now.toISOString(),
  message: { channel, ts },
  thread,
  ...(!isDirect && { source: channel }),
})

const eventResult = (
  { deliveryId }: Written,
  event: SlackEvent,
  ephemeralContext: EphemeralContext,
): SlackResult => ({ kind: 'event', deliveryId, event, ephemeralContext })

/** What somebody writes in a thread of a channel belongs together; in the conversation with the bot, everything does. */
const conversationOf = (user: string, channel: string, thread?: string): string =>
  shortHash(`${thread === undefined ? channel : `${channel} ${thread}`} ${user}`)

/** The conversation in which a person used a command; undefined elsewhere. */
export function conversationOfCommand({
  user,
  message,
  thread,
  source,
}: EphemeralContext): string | undefined {
  if (message)
    return conversationOf(user, message.channel, source === undefined ? undefined : thread)
  // The conversation of two people has such an id, too, but nobody has a question of the bot there.
  return source?.startsWith('D') ? conversationOf(user, source) : undefined
}

/** The message with names in place of ids, for the model that reads it. */
export async function composeMessage(
  context: ComposeContext<Settings, SlackEvent>,
  event: MessageEvent,
): Promise<Composed> {
  const { settings, provider, language } = context
  const written = readEphemeralContext(context.ephemeralContext)
  if (!written?.message) return { kind: 'ignored', reason: 'Nobody knows any more who wrote it.' }
  const client = slackClient(settings, provider, timeoutMs)
  const { user, people, message, thread = message.ts } = written
  const names = await displayNames(client, [user, ...people])
  const someone = formatMessage(language, 'someone', {})
  const text = resolveNames(event.text, (number) => names.get(people[number] ?? ''), someone)
  const isDirect = event.is_direct
  const isOpen = !isDirect && (await isPublic(client, message.channel))
  const source_url = isOpen ? await permalink(client, message) : undefined
  const author = names.get(user)
  return {
    kind: 'message',
    message: {
      conversation: conversationOf(user, message.channel, isDirect ? undefined : thread),
      user,
      text: mrkdwnToMarkdown(text),
      fromPrivate: !isOpen,
      people,
      reply: isDirect
        ? { to: 'person', recipient: user, thread }
        : { to: 'channel', recipient: message.channel, thread },
      item: {
        external_id: event.external_id,
        ...(author && { author }),
        ...(source_url && { source_url }),
        ...imageIn(event),
      },
    },
  }
}
