import type { types } from '@slack/bolt'
import type { FindPostContext, FoundPost, PostContext, PostedWith } from '../../kit/adapter.ts'
import {
  coverOf,
  foundPost,
  headlinesOf,
  linkLabel,
} from '../../kit/chat/messages/newsletter-post.ts'
import { escapeForSlack } from '../../kit/markdown/mrkdwn.ts'
import { ProviderError } from '../../kit/provider-error.ts'
import { truncateLineUtf16 } from '../../kit/text/fit-length.ts'
import { errorCode, providerError, slackClient } from '../client.ts'
import { headerCharacters } from '../limits.ts'
import type { Settings } from '../settings.ts'
import { listBlock, plain, slackButton } from './message-blocks.ts'
import { channelCodes, find, marked } from './messaging.ts'

const timeoutMs = 7_000

/**
 * Posts a newsletter to a channel of the settings.
 * Source: https://docs.slack.dev/reference/methods/chat.postMessage
 */
export async function postNewsletter(context: PostContext<Settings>): Promise<PostedWith> {
  const { settings, provider, newsletter, channel } = context
  if (settings.newsletter_channel?.includes(channel) !== true)
    throw new ProviderError('refused', `Add ${channel} to newsletter_channel first.`)
  const client = slackClient(settings, provider, timeoutMs)
  const post = async (blocks: types.KnownBlock[]) => {
    const text = escapeForSlack(newsletter.title)
    await client.chat.postMessage({
      channel,
      text,
      blocks: marked(context.id, blocks),
      unfurl_links: false,
      unfurl_media: false,
    })
  }
  const [cover, blocks] = [imagesOf(context), blocksOf(context)]
  try {
    await post([...cover, ...blocks]).catch(async (error) => {
      // Slack fetches the image, and posts nothing when it cannot.
      if (cover.length === 0 || errorCode(error) !== 'invalid_blocks') throw error
      await post(blocks)
    })
    return 'token'
  } catch (error) {
    throw postError(error)
  }
}

/** Slack shows the messages of a channel only to apps with further permissions. */
export async function findNewsletter({
  channel: recipient,
  ...context
}: FindPostContext<Settings>): Promise<FoundPost> {
  const found = await find({ ...context, recipient, thread: null })
  return foundPost(found)
}

/** The image of the newsletter, if Slack can fetch it. Source: https://docs.slack.dev/reference/block-kit/blocks/image-block */
function imagesOf({ newsletter }: PostContext<Settings>): types.ImageBlock[] {
  const cover = coverOf(newsletter)
  return cover === null ? [] : [{ type: 'image', image_url: cover.url, alt_text: cover.alt }]
}

function blocksOf({ newsletter, language }: PostContext<Settings>): types.KnownBlock[] {
  const { headlines, more } = headlinesOf(newsletter, language)
  const title = truncateLineUtf16(headerCharacters, newsletter.title)
  const items = [...headlines, ...(more === null ? [] : [more])]
  return [
    { type: 'header', text: plain(title) },
    listBlock({ heading: null, items }),
    ...linkTo(newsletter.url, linkLabel(language)),
  ]
}

const linkTo = (url: string | null, label: string): types.ActionsBlock[] =>
  url === null ? [] : [{ type: 'actions', elements: [slackButton({ kind: 'link', url, label })] }]

function postError(error: unknown): ProviderError {
  const code = errorCode(error)
  if (!channelCodes.includes(code)) return providerError(error)
  return new ProviderError(
    'refused',
    `Slack refused to post in the channel (${code}). Invite the app with /invite, and check newsletter_channel.`,
  )
}
