import type { FindPostContext, FoundPost, PostContext, PostedWith } from '../../kit/adapter.ts'
import {
  coverOf,
  foundPost,
  markdownMessage,
  withOrWithoutCover,
} from '../../kit/chat/messages/newsletter-post.ts'
import { webhookPosting } from '../../kit/chat/messages/webhook-posting.ts'
import { userAgent } from '../api.ts'
import { messageCharacters } from '../limits.ts'
import type { Settings } from '../settings.ts'
import { textMessage } from './components.ts'
import { findMessageIn, markOf, postMessage } from './messaging.ts'

const textOf = ({
  newsletter,
  language,
}: Pick<PostContext<Settings>, 'newsletter' | 'language'>): string =>
  markdownMessage(newsletter, language, messageCharacters)

const webhook = webhookPosting({
  name: 'Discord',
  headers: userAgent,
  // A newsletter mentions nobody.
  message: (newsletter, language) => {
    const cover = coverOf(newsletter)
    return {
      content: textOf({ newsletter, language }),
      allowed_mentions: { parse: [] },
      ...(cover && { embeds: [{ image: { url: cover.url } }] }),
    }
  },
})

/** Posts newsletters as the bot to `newsletter_channel`, or to the webhook of a channel. */
export const posting = {
  settings: ['newsletter_channel', ...webhook.settings],
  async post(context: PostContext<Settings>): Promise<PostedWith> {
    const { newsletter_channel: channel } = context.settings
    if (channel === undefined) return await webhook.post(context)
    return await withOrWithoutCover(context.newsletter, async (newsletter) => {
      const text = textOf({ ...context, newsletter })
      const message = textMessage(text, markOf(context.id), coverOf(newsletter))
      await postMessage(context, channel, message, context.id)
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
