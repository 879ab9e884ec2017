import * as v from 'valibot'
import type { Language } from '../../src/contract/vocabulary.ts'
import { type ChatSubmission, commandTypes, receiveChatMessage } from '../kit/chat/chat.ts'
import { stripMentions } from '../kit/chat/message.ts'
import { nameFromLogin } from '../kit/item.ts'
import type { Json, Received } from '../kit/received.ts'
import { shortHash } from '../kit/text.ts'
import { badRequest, nameForLogs } from '../kit/webhook-request.ts'
import { isOnServer } from './followup.ts'
import { Post, SlashCommand } from './request.ts'

interface Context {
  settings: { server_url?: string | undefined }
  now: Date
  language: Language
}

/**
 * Reads a verified request: a slash command, or a post that triggered an outgoing webhook.
 * @param body the request body, which distinguishes commands that have no trigger id
 */
export function receiveRequest(
  fields: object,
  body: string,
  context: Context,
): Received<ChatSubmission> {
  if ('command' in fields) {
    const command = v.safeParse(SlashCommand, fields)
    return command.success
      ? receiveCommand(command.output, body, context)
      : badRequest('a command without the fields it needs')
  }
  if ('post_id' in fields) {
    const post = v.safeParse(Post, fields)
    return post.success
      ? receivePost(post.output, context)
      : badRequest('a post without the fields it needs')
  }
  const type = 'type' in fields && typeof fields.type === 'string' ? fields.type : 'without a type'
  return { kind: 'unknown', eventName: nameForLogs(type) }
}

/** Reads a slash command, which is one of ours (`/win Hi`) or precedes one (`/tidings win Hi`). */
function receiveCommand(
  { command, text, trigger_id, user_name, response_url }: SlashCommand,
  body: string,
  { settings, now, language }: Context,
): Received<ChatSubmission> {
  const id = `command:${shortHash(trigger_id || body)}`
  const isOurs = isCommand(command.slice(1))
  const linkFollows = isOnServer(response_url, settings.server_url)
  const ephemeralContext: Json = { response_url, since: now.toISOString() }
  return receiveChatMessage({
    text: readable(isOurs ? `${command} ${text}` : text),
    before: isOurs ? '/' : `${command} `,
    deliveryId: id,
    externalId: `mattermost:${id}`,
    author: nameFromLogin(user_name),
    ...(linkFollows && { ephemeralContext, linkFollows }),
    language,
    reply: (text) => ({ body: { response_type: 'ephemeral', text } }),
  })
}

/** Reads a post. Its trigger word is a command (`#win Hi`) or precedes one (`!tidings win Hi`). */
function receivePost(
  { post_id, text, trigger_word, user_name, file_ids }: Post,
  { language }: Context,
): Received<ChatSubmission> {
  const id = `post:${post_id}`
  const [, mark = '', word = ''] = /^([/!#]?)(.*)$/s.exec(trigger_word.trim()) ?? []
  const isOurs = word === '' || isCommand(word)
  const received = receiveChatMessage({
    text: readable(isOurs ? text : behind(`${mark}${word}`, text)),
    before: isOurs ? mark : `${mark}${word} `,
    deliveryId: id,
    externalId: `mattermost:${id}`,
    author: nameFromLogin(user_name),
    ...(file_ids[0] !== undefined && { file: file_ids[0] }),
    language,
    // The reply is in the thread of the post, where everybody can see that it was saved.
    reply: (text) => ({ body: { response_type: 'comment', text } }),
  })
  // Without a trigger word, Mattermost sends every message of the channel, most of which are not
  // for us.
  return word === '' && received.kind === 'ignored' ? { ...received, reply: {} } : received
}

/** A text that notifies nobody and names channels (`~town-square`) as other chats do. */
const readable = (text: string): string =>
  stripMentions(text).replace(/(?<![\w~])~(?=[a-z])([a-z0-9_-]{2,64})(?![\w~])/g, '#$1')

const isCommand = (word: string) => commandTypes.has(word.toLowerCase())

const behind = (start: string, text: string) =>
  text.trimStart().toLowerCase().startsWith(start.toLowerCase())
    ? text.trimStart().slice(start.length)
    : text
