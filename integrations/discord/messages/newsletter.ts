import type { PostContext } from '../../kit/adapter.ts'
import { markdownMessage, webhookPosting } from '../../kit/chat/messages/newsletter-post.ts'
import { userAgent } from '../api.ts'
import { messageCharacters } from '../limits.ts'
import type { Settings } from '../settings.ts'
import { postMessage } from './messaging.ts'

// A newsletter mentions nobody.
const messageOf = ({
  newsletter,
  language,
}: Pick<PostContext<Settings>, 'newsletter' | 'language'>) => ({
  content: markdownMessage(newsletter, language, messageCharacters),
  allowed_mentions: { parse: [] },
})

const webhook = webhookPosting({
  name: 'Discord',
  headers: userAgent,
  message: (newsletter, language) => messageOf({ newsletter, language }),
})

/** Posts newsletters as the bot to `newsletter_channel`, or to the webhook of a channel. */
export const posting = {
  settings: ['newsletter_channel', ...webhook.settings],
  async post(context: PostContext<Settings>): Promise<void> {
    const { newsletter_channel: channel } = context.settings
    if (channel === undefined) return await webhook.post(context)
    await postMessage(context, channel, messageOf(context), context.id)
  },
}
