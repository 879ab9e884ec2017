import * as v from 'valibot'
import type { ComposeContext } from '../kit/adapter.ts'
import type { Contributors } from '../kit/chat/contributors.ts'
import { buildChatItem } from '../kit/chat/submissions.ts'
import type { Composed } from '../kit/composed.ts'
import { providerText } from '../kit/text/plain-text.ts'
import { callMattermost, isRefusedWith } from './api.ts'
import { isOnServer } from './messages/reply.ts'
import { readable } from './messages/text.ts'
import { namesOf } from './person.ts'
import type { Settings } from './settings.ts'
import { type MattermostEvent, readEphemeralContext, type SavedPost } from './stored-event.ts'

type Context = ComposeContext<Settings, MattermostEvent>

/** The id of the post whose link a person has copied (`https://chat.acme.test/acme/pl/<id>`); undefined for other texts. */
export function postOfLink(text: string, { server_url }: Settings): string | undefined {
  const [, id] = /^\S+\/pl\/([a-z0-9]{26})\/?$/.exec(text.trim()) ?? []
  return isOnServer(text.trim(), server_url) ? id : undefined
}

/** https://developers.mattermost.com/api-documentation/#/operations/GetPost */
const Post = v.object({
  channel_id: v.string(),
  user_id: v.string(),
  message: v.nullish(providerText, ''),
  /** Messages of the system, such as that somebody has joined, have one. */
  type: v.nullish(v.string(), ''),
  metadata: v.nullish(
    v.object({
      files: v.nullish(
        v.array(v.object({ id: v.string(), mime_type: v.nullish(v.string(), '') })),
        [],
      ),
    }),
  ),
})
type Post = v.InferOutput<typeof Post>

const Channel = v.object({ type: v.string() })

/**
 * The item of a message whose link a person has sent; undefined for one that is in no public channel that the bot can
 * read. The bot can be in channels that the person cannot read, so only messages of public channels are saved.
 */
export async function composeSaved(
  context: Context,
  event: SavedPost,
): Promise<Composed | undefined> {
  const post = await readPublicPost(context, event.post)
  if (post === undefined) return undefined
  const author = (await namesOf(context, [post.user_id])).get(post.user_id)
  const image = post.metadata?.files?.find(({ mime_type }) => mime_type?.startsWith('image/'))
  const item = {
    external_id: `mattermost:post:${event.post}`,
    block_type: event.block_type,
    body: readable(post.message),
    source_url: event.link,
    ...(author && { author }),
    ...(image && { file: image.id }),
  }
  return { kind: 'items', items: [buildChatItem(item, context.language)] }
}

/** A message that a person wrote in a public channel; undefined for others. */
async function readPublicPost(context: Context, id: string): Promise<Post | undefined> {
  try {
    const post = await callMattermost(context, { path: `posts/${id}` }, Post)
    const { type } = await callMattermost(context, { path: `channels/${post.channel_id}` }, Channel)
    const isMessage = (post.type ?? '') === '' && (post.message ?? '').trim() !== ''
    return type === 'O' && isMessage ? post : undefined
  } catch (error) {
    if (isRefusedWith(error, 403, 404)) return undefined
    throw error
  }
}

/** Who gets messages about the status of a saved message: the person who saved it, and its author. */
export async function contributorsOfSaved(
  context: Context,
  event: SavedPost,
): Promise<Contributors | undefined> {
  const { user } = readEphemeralContext(context.ephemeralContext) ?? {}
  if (user === undefined) return undefined
  const post = await readPublicPost(context, event.post)
  const author = post?.user_id ?? user
  return {
    contributors: [
      { user, role: 'sender' },
      ...(author === user ? [] : [{ user: author, role: 'author' as const }]),
    ],
    fromPrivate: false,
  }
}
