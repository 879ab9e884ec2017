import type { FindPostContext, FoundPost, PostContext, PostedWith } from '../../kit/adapter.ts'
import {
  foundPost,
  markdownMessage,
  webhookPosting,
} from '../../kit/chat/messages/newsletter-post.ts'
import { messageCharacters } from '../limits.ts'
import type { Settings } from '../settings.ts'
import { createPost, findIn } from './messaging.ts'

const webhook = webhookPosting({
  name: 'Mattermost',
  message: (newsletter, language) => ({ text: markdownMessage(newsletter, language) }),
})

/** Posts newsletters as the bot to `newsletter_channel`, or to the webhook of a channel. */
export const posting = {
  settings: ['newsletter_channel', ...webhook.settings],
  async post(context: PostContext<Settings>): Promise<PostedWith> {
    const { id, newsletter, language, settings } = context
    const { newsletter_channel: channel } = settings
    if (channel === undefined) return await webhook.post(context)
    const message = markdownMessage(newsletter, language, messageCharacters)
    await createPost(context, { channel, id, content: { message, attachments: [] } })
    return 'token'
  },
  async find(context: FindPostContext<Settings>): Promise<FoundPost> {
    const { newsletter_channel: channel } = context.settings
    return channel === undefined ? await webhook.find() : foundPost(await findIn(context, channel))
  },
}
