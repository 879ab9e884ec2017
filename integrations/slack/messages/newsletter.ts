import type { types } from '@slack/bolt'
import type { PostContext } from '../../kit/adapter.ts'
import { headlinesOf, linkLabel } from '../../kit/chat/newsletter-post.ts'
import { escapeForSlack } from '../../kit/markdown/mrkdwn.ts'
import { ProviderError } from '../../kit/provider-error.ts'
import { oneLine, truncateUtf16 } from '../../kit/text.ts'
import { providerError, slackClient } from '../client.ts'
import { bolt } from '../library.ts'
import type { Settings } from '../settings.ts'

const timeoutMs = 10_000
/** https://docs.slack.dev/reference/block-kit/blocks/header-block */
const headerCharacters = 150

/**
 * Posts a newsletter to the channel in the settings.
 * Source: https://docs.slack.dev/reference/methods/chat.postMessage
 */
export async function postNewsletter(context: PostContext<Settings>): Promise<void> {
  const { settings, provider, newsletter } = context
  const { newsletter_channel: channel } = settings
  if (channel === undefined) throw new ProviderError('refused', 'Set newsletter_channel first.')
  const client = slackClient(settings, provider, timeoutMs)
  try {
    await client.chat.postMessage({
      channel,
      text: escapeForSlack(newsletter.title),
      blocks: blocksOf(context),
      unfurl_links: false,
      unfurl_media: false,
    })
  } catch (error) {
    throw postError(error)
  }
}

function blocksOf({ newsletter, language }: PostContext<Settings>): types.KnownBlock[] {
  const { headlines, more } = headlinesOf(newsletter, language)
  const title = truncateUtf16(headerCharacters, oneLine(newsletter.title))
  return [
    { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_list',
          style: 'bullet',
          elements: [...headlines, ...(more === null ? [] : [more])].map((text) => ({
            type: 'rich_text_section',
            elements: [{ type: 'text', text }],
          })),
        },
        ...linkTo(newsletter.url, linkLabel(language)),
      ],
    },
  ]
}

function linkTo(url: string | null, text: string): types.RichTextSection[] {
  return url === null
    ? []
    : [{ type: 'rich_text_section', elements: [{ type: 'link', url, text }] }]
}

const channelCodes = ['not_in_channel', 'channel_not_found', 'is_archived', 'restricted_action']

function postError(error: unknown): ProviderError {
  const code = error instanceof bolt().webApi.WebAPIPlatformError ? error.data.error : ''
  if (!channelCodes.includes(code)) return providerError(error)
  return new ProviderError(
    'refused',
    `Slack refused to post in the channel (${code}). Invite the app with /invite, and check newsletter_channel.`,
  )
}
