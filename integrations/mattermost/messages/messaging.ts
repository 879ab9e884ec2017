import * as v from 'valibot'
import { messageContent, peopleNamedIn } from '../../kit/chat/messages/message-content.ts'
import type {
  FindContext,
  MessageReference,
  Messaging,
  SendContext,
} from '../../kit/chat/messages/messaging.ts'
import { messagingOptions } from '../../kit/chat/settings.ts'
import { shortHash } from '../../kit/text/plain-text.ts'
import { callMattermost, isRefusedWith, type MattermostContext } from '../api.ts'
import { getPerson, namesOf } from '../person.ts'
import { hasBot, isId, type Settings } from '../settings.ts'
import { chatLocale } from './format.ts'
import { type PostContent, postOf } from './post.ts'

/**
 * The time between two messages, each of which is up to five requests. Servers with a limit allow ten requests a second by
 * default.
 * Source: https://docs.mattermost.com/administration-guide/configure/rate-limiting-configuration-settings.html
 */
const intervalMs = 600

export const messaging: Messaging<Settings> = {
  intervalMs,
  draftsPerMessage: 10,
  isChannel: isId,
  options: (settings) => (hasBot(settings) ? messagingOptions(settings) : null),
  getPerson: (context) => getPerson(context, context.user),
  send,
  find,
  update,
}

const Id = v.object({ id: v.string() })

/** The name of the property by which a message is found. */
const markName = 'tidings_message'

const markOf = (id: string) => shortHash(id)

const propsOf = (id: string, { attachments }: PostContent) => ({
  [markName]: markOf(id),
  attachments,
})

/** A post of the bot. */
interface NewPost {
  channel: string
  /** Our id of the message. */
  id: string
  content: PostContent
  /** The post in whose thread it is. */
  root?: string
}

/**
 * Posts a message. For half a minute, Mattermost returns the post that it has when one with the same pending id is
 * posted again. Throws a `ProviderError`.
 * Source: https://github.com/mattermost/mattermost/blob/master/server/channels/app/post.go
 */
export async function createPost(
  context: MattermostContext,
  { channel, id, content, root }: NewPost,
): Promise<MessageReference> {
  const body = {
    channel_id: channel,
    message: content.message,
    pending_post_id: `tidings:${markOf(id)}`,
    props: propsOf(id, content),
    ...(root && { root_id: root }),
  }
  const post = await callMattermost(context, { method: 'POST', path: 'posts', body }, Id)
  return { channel, post: post.id }
}

/** The channel of the direct messages of the bot with a person. */
export async function directChannel(context: MattermostContext, user: string): Promise<string> {
  const me = await callMattermost(context, { path: 'users/me' }, Id)
  const body = [me.id, user]
  const call = { method: 'POST', path: 'channels/direct', body } as const
  return (await callMattermost(context, call, Id)).id
}

const channelOf = async (
  context: MattermostContext & Pick<SendContext<Settings>, 'recipient' | 'to'>,
) =>
  context.to === 'channel' ? context.recipient : await directChannel(context, context.recipient)

async function send(context: SendContext<Settings>): Promise<MessageReference> {
  const channel = await channelOf(context)
  return await createPost(context, { channel, id: context.id, content: await contentOf(context) })
}

async function contentOf(context: SendContext<Settings>): Promise<PostContent> {
  const { id, message, language, settings, webhookUrl } = context
  const locale = chatLocale(language, await namesOf(context, peopleNamedIn(message)))
  return postOf(messageContent(message, locale), locale, {
    settings,
    webhookUrl: new URL(webhookUrl),
    message: id,
  })
}

async function update({
  reference,
  ...context
}: SendContext<Settings> & { reference: MessageReference }): Promise<void> {
  // The text stays: a server with a time limit for edits refuses to change it.
  const body = { props: propsOf(context.id, await contentOf(context)) }
  const path = `posts/${reference['post'] ?? ''}/patch`
  try {
    await callMattermost(context, { method: 'PUT', path, body }, Id)
  } catch (error) {
    // Somebody has deleted the message.
    if (!isRefusedWith(error, 404)) throw error
  }
}

const minuteMs = 60_000
/** Mattermost lists at most so many posts. */
const maxListed = 1_000

const Posts = v.object({
  posts: v.nullish(
    v.record(v.string(), v.object({ props: v.nullish(v.record(v.string(), v.unknown()), {}) })),
    {},
  ),
})

/**
 * Searches the posts of a channel for one with our property. Our clock is not that of Mattermost.
 * Source: https://developers.mattermost.com/api-documentation/#/operations/GetPostsForChannel
 */
async function find(context: FindContext<Settings>): Promise<MessageReference | null | 'unknown'> {
  try {
    return await findMessageIn(context, await channelOf(context))
  } catch (error) {
    return unknownIfHidden(error)
  }
}

/** The post of a channel with our id as a property; null without one, `unknown` when it cannot be seen. Throws a `ProviderError`. */
export async function findMessageIn(
  context: MattermostContext & Pick<FindContext<Settings>, 'id' | 'since'>,
  channel: string,
): Promise<MessageReference | null | 'unknown'> {
  try {
    const since = String(context.since.getTime() - minuteMs)
    const call = { path: `channels/${channel}/posts`, query: { since } }
    const posts = Object.entries((await callMattermost(context, call, Posts)).posts)
    const mark = markOf(context.id)
    const [found] = posts.find(([, { props }]) => props[markName] === mark) ?? []
    if (found !== undefined) return { channel, post: found }
    return posts.length < maxListed ? null : 'unknown'
  } catch (error) {
    return unknownIfHidden(error)
  }
}

/** Throws an error again that does not say that the channel is hidden from the bot. */
function unknownIfHidden(error: unknown): 'unknown' {
  if (isRefusedWith(error, 403, 404)) return 'unknown'
  throw error
}
