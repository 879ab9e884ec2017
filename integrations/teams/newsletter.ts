import type { Language } from '../../src/contract/vocabulary.ts'
import type { FoundPost, PostContext, PostedNewsletter, PostedWith } from '../kit/adapter.ts'
import { escapeForChat } from '../kit/chat/messages/escape-for-chat.ts'
import {
  coverOf,
  headlinesOf,
  linkLabel,
  withOrWithoutCover,
} from '../kit/chat/messages/newsletter-post.ts'
import { webhookPosting } from '../kit/chat/messages/webhook-posting.ts'
import { startThread } from './bot/messages/messaging.ts'
import type { Settings } from './settings.ts'

const workflow = webhookPosting({ name: 'Microsoft Teams', message: cardMessage })

/** Posts a newsletter with the workflow of a channel, or as a new thread of the bot. */
export async function postNewsletter(context: PostContext<Settings>): Promise<PostedWith> {
  const { settings, newsletter, language } = context
  const { newsletter_channel: channel } = settings
  if (settings.newsletter_webhook !== undefined || channel === undefined)
    return await workflow.post(context)
  return await withOrWithoutCover(newsletter, async (shown) => {
    await startThread(context, channel, cardMessage(shown, language))
    return 'token'
  })
}

/** Teams shows the messages of a channel only to apps with further permissions. */
export const findNewsletter = async (): Promise<FoundPost> => 'unknown'

/**
 * A newsletter as an Adaptive Card, for a webhook of a workflow.
 * Source: https://learn.microsoft.com/power-automate/teams/send-a-message-in-teams
 */
function cardMessage(newsletter: PostedNewsletter, language: Language): object {
  const { headlines, more } = headlinesOf(newsletter, language)
  const lines = [...headlines.map(escapeForChat), ...(more === null ? [] : [more])]
  const { url } = newsletter
  const actions =
    url === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: linkLabel(language), url }] }
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          body: [
            ...imagesOf(newsletter),
            textBlock(escapeForChat(newsletter.title), { size: 'Large', weight: 'Bolder' }),
            textBlock(lines.map((line) => `- ${line}`).join('\r')),
          ],
          ...actions,
        },
      },
    ],
  }
}

/** Source: https://adaptivecards.io/explorer/Image.html */
function imagesOf(newsletter: PostedNewsletter): object[] {
  const cover = coverOf(newsletter)
  return cover === null
    ? []
    : [{ type: 'Image', url: cover.url, altText: cover.alt, size: 'Stretch' }]
}

const textBlock = (text: string, more: object = {}) => ({
  type: 'TextBlock',
  text,
  wrap: true,
  ...more,
})
