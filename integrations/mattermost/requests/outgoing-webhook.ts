import { type ChatSubmission, receiveChatMessage } from '../../kit/chat/submissions.ts'
import { nameFromLogin } from '../../kit/item.ts'
import type { Json, Received } from '../../kit/requests/received.ts'
import { isCommand, readable } from '../messages/text.ts'
import { hasBot } from '../settings.ts'
import type { RequestContext } from './context.ts'
import type { Post } from './request.ts'

/** Reads the post of an outgoing webhook. Its trigger word is a command (`#win Hi`) or precedes one (`!tidings win Hi`). */
export function receivePost(
  { post_id, text, trigger_word, user_id, user_name, file_ids }: Post,
  { language, now, settings }: RequestContext,
): Received<ChatSubmission> {
  const id = `post:${post_id}`
  const [, mark = '', word = ''] = /^([/!#]?)(.*)$/s.exec(trigger_word.trim()) ?? []
  const isOurs = word === '' || isCommand(word)
  const ephemeralContext: Json = { since: now.toISOString(), user: user_id, name: user_name }
  const received = receiveChatMessage({
    text: readable(isOurs ? text : behind(`${mark}${word}`, text)),
    before: isOurs ? mark : `${mark}${word} `,
    deliveryId: id,
    externalId: `mattermost:${id}`,
    author: nameFromLogin(user_name),
    ...(file_ids[0] !== undefined && { file: file_ids[0] }),
    ...(hasBot(settings) && user_id !== '' && { ephemeralContext }),
    language,
    // The reply is in the thread of the post, where everybody can see that it was saved.
    reply: (text) => ({ body: { response_type: 'comment', text } }),
  })
  // Without a trigger word, Mattermost sends every message of the channel, most of which are not
  // for us.
  return word === '' && received.kind === 'ignored' ? { ...received, reply: {} } : received
}

const behind = (start: string, text: string) =>
  text.trimStart().toLowerCase().startsWith(start.toLowerCase())
    ? text.trimStart().slice(start.length)
    : text
