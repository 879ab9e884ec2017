import type {
  FindPostContext,
  FoundPost,
  PostContext,
  PostedNewsletter,
  PostedWith,
} from '../../kit/adapter.ts'
import {
  coverOf,
  foundPost,
  markdownMessage,
  withOrWithoutCover,
} from '../../kit/chat/messages/newsletter-post.ts'
import { webhookPosting } from '../../kit/chat/messages/webhook-posting.ts'
import { messageCharacters } from '../limits.ts'
import type { Settings } from '../settings.ts'
import { createPost, findMessageIn } from './messaging.ts'
import type { Attachment } from './post.ts'

/** Source: https://developers.mattermost.com/integrate/reference/message-attachments */
function imagesOf(newsletter: PostedNewsletter): Attachment[] {
  const cover = coverOf(newsletter)
  return cover === null ? [] : [{ fallback: cover.alt, text: '', image_url: cover.url }]
}

const webhook = webhookPosting({
  name: 'Mattermost',
  message: (newsletter, language) => ({
    text: markdownMessage(newsletter, language),
    ...(coverOf(newsletter) && { attachments: imagesOf(newsletter) }),
  }),
})

/** Posts newsletters as the bot to `newsletter_channel`, or to the webhook of a channel. */
export const posting = {
  settings: ['newsletter_channel', ...webhook.settings],
  async post(context: PostContext<Settings>): Promise<PostedWith> {
    const { id, newsletter, language, settings } = context
    const { newsletter_channel: channel } = settings
    if (channel === undefined) return await webhook.post(context)
    return await withOrWithoutCover(newsletter, async (shown) => {
      const message = markdownMessage(shown, language, messageCharacters)
      const content = { message, attachments: imagesOf(shown) }
      await createPost(context, { channel, id, content })
      return 'token'
    })
  },
  async find(context: FindPostContext<Settings>): Promise<FoundPost> {
    const { newsletter_channel: channel } = context.settings
    return channel === undefined
      ? await webhook.find()
      : foundPost(await findMessageIn(context, channel))
  },
}
