import type { App, webApi } from '@slack/bolt'
import * as v from 'valibot'
import { formatMessage } from '../../../src/locales/index.ts'
import type { ComposeContext, DeliveredContext } from '../../kit/adapter.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { unknownPerson } from '../../kit/chat/messages/messaging.ts'
import { buildChatItem } from '../../kit/chat/submissions.ts'
import type { Composed } from '../../kit/composed.ts'
import { escapeForSlack, parseMrkdwn } from '../../kit/markdown/mrkdwn.ts'
import { mrkdwnToMarkdown } from '../../kit/markdown/mrkdwn-markdown.ts'
import { SlackMessage } from '../../kit/slack/message.ts'
import {
  displayNames,
  errorCode,
  isHiddenConversation,
  permalink,
  providerError,
  slackClient,
} from '../client.ts'
import {
  type EphemeralContext,
  type ReactionEvent,
  readEphemeralContext,
  removeUserIds,
  resolveNames,
  type SlackEvent,
} from '../events/stored-event.ts'
import { imageOf, textBesideImage } from '../files.ts'
import type { Settings } from '../settings.ts'
import type { SlackRequest } from './request-result.ts'

const requestTimeoutMs = 10_000
/** A message that somebody has saved with the form, too, is not withdrawn with a reaction. */
const deliveryPrefix = 'reaction:'
/** How long after saving a message the removed reaction withdraws it. */
const undoMs = 10 * 60_000

/** The reactions of a message, and the people who wrote it. */
const ReactedMessage = v.object({
  ...SlackMessage.entries,
  user: v.optional(v.string()),
  reactions: v.optional(v.array(v.object({ name: v.string(), count: v.number() })), []),
})
type ReactedMessage = v.InferOutput<typeof ReactedMessage>

type Context = ComposeContext<Settings, SlackEvent>

/**
 * Listens for the reaction that saves a message, and for its removal.
 * Source: https://docs.slack.dev/reference/events/reaction_added
 */
export function listenForReactions(app: App, request: SlackRequest): void {
  for (const type of ['reaction_added', 'reaction_removed'] as const) {
    app.event(type, async ({ event, body }) => {
      const { reaction }: Partial<typeof event> = event
      if (reaction === undefined) return
      // A skin tone follows the name of an emoji.
      const [name] = reaction.split('::')
      // A reaction to a file has neither.
      const { channel, ts }: Partial<typeof event.item> = event.item
      const deliveryId = deliveryPrefix + body.event_id
      const isOurs = name === request.settings.reaction
      request.setResult(
        isOurs && channel && ts
          ? {
              kind: 'event',
              deliveryId,
              event: { type, channel, ts, happened_at: timeOf(event.event_ts, request.now) },
              ephemeralContext: contextOf(event, { channel, ts }, request.now),
            }
          : { kind: 'immediateReply' },
      )
    })
  }
}

/** The person who saves a message with a reaction, and its author: they get messages about its status. */
function contextOf(
  { user, item_user: author }: { user?: string; item_user?: string },
  message: { channel: string; ts: string },
  now: Date,
): EphemeralContext | null {
  if (!user) return null
  const place = { message, source: message.channel }
  return { user, people: [], since: now.toISOString(), ...place, ...(author && { author }) }
}

/** The time of an event, RFC 3339. Slack writes it in seconds. */
function timeOf(timestamp: string, now: Date): string {
  const at = new Date(Number(timestamp) * 1000)
  return (Number.isNaN(at.getTime()) ? now : at).toISOString()
}

const externalIdOf = ({ channel, ts }: ReactionEvent) => `slack:message:${channel}:${ts}`

/** Saves a message of a public channel, or withdraws it when nobody's reaction is left. */
export async function composeReaction(context: Context, event: ReactionEvent): Promise<Composed> {
  const client = slackClient(context.settings, context.provider, requestTimeoutMs)
  const message = await reactedMessage(client, event)
  const isMarked =
    message?.reactions.some(({ name }) => name === context.settings.reaction) ?? false
  if (event.type === 'reaction_removed') {
    if (isMarked) return { kind: 'ignored', reason: 'Another reaction still saves the message.' }
    const createdAfter = new Date(Date.parse(event.happened_at) - undoMs).toISOString()
    const externalIds = [externalIdOf(event)]
    return { kind: 'withdraw', externalIds, createdAfter, savedBy: deliveryPrefix }
  }
  if (!message || !isMarked) return { kind: 'ignored', reason: 'The reaction was removed again.' }
  if (!(await isPublic(client, event.channel))) return refusal(context)
  return await itemOf(context, event, message)
}

const privateReason =
  'The message is in a private conversation. "Add to newsletter" in its menu saves it.'

/** The person alone reads in the channel that their reaction has saved nothing. */
function refusal({ ephemeralContext }: Context): Composed {
  const saved = readEphemeralContext(ephemeralContext)
  if (!saved?.message) return { kind: 'ignored', reason: privateReason }
  const action = { type: 'answer', about: 'not_public' } as const
  return { kind: 'action', action, person: unknownPerson(saved.user) }
}

async function itemOf(
  { language, settings, provider }: Context,
  event: ReactionEvent,
  message: ReactedMessage,
): Promise<Composed> {
  const client = slackClient(settings, provider, requestTimeoutMs)
  const text = textBesideImage(message)
  if (!text) return { kind: 'ignored', reason: 'The message has no text.' }
  const people: string[] = []
  const bodyParts = removeUserIds(parseMrkdwn(text.body, language), people)
  const names = await displayNames(client, message.user ? [...people, message.user] : people)
  const source_url = await permalink(client, event)
  const author = names.get(message.user ?? '') ?? message.username
  const someone = formatMessage(language, 'someone', {})
  const body = resolveNames(bodyParts, (number) => names.get(people[number] ?? ''), someone)
  const item = {
    external_id: externalIdOf(event),
    block_type: 'general' as const,
    body: mrkdwnToMarkdown(body),
    startsWithMention: typeof bodyParts[0] === 'object',
    ...(source_url && { source_url }),
    ...(author && { author }),
    ...imageOf(message),
  }
  return { kind: 'items', items: [buildChatItem(item, language)] }
}

/**
 * A message with its reactions; undefined when it was deleted.
 * Source: https://docs.slack.dev/reference/methods/reactions.get
 */
async function reactedMessage(
  client: webApi.WebClient,
  { channel, ts }: ReactionEvent,
): Promise<ReactedMessage | undefined> {
  try {
    const { message } = await client.reactions.get({ channel, timestamp: ts, full: true })
    return v.parse(ReactedMessage, message)
  } catch (error) {
    if (errorCode(error) === 'message_not_found') return undefined
    throw providerError(error)
  }
}

/** Whether everybody in the workspace can read a channel. What Slack does not show us is private. */
export async function isPublic(client: webApi.WebClient, channel: string): Promise<boolean> {
  try {
    const { channel: found } = await client.conversations.info({ channel })
    const { is_channel, is_private } = found ?? {}
    return is_channel === true && is_private === false
  } catch (error) {
    if (isHiddenConversation(error)) return false
    throw providerError(error)
  }
}

/** Replies in the thread of a saved message, once. */
export async function confirmReaction(
  { blocks: [block], settings, provider, language }: DeliveredContext<Settings, SlackEvent>,
  { channel, ts, type }: ReactionEvent,
): Promise<void> {
  if (type === 'reaction_removed' || !block?.created) return
  const client = slackClient(settings, provider, requestTimeoutMs)
  const link = `<${block.url}|${escapeForSlack(block.title)}>`
  const text = chatText(language, 'saved_by_reaction', { link })
  await client.chat.postMessage({ channel, thread_ts: ts, text, unfurl_links: false })
}
