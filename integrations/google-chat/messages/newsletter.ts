import type { FindPostContext, FoundPost, PostContext, PostedWith } from '../../kit/adapter.ts'
import {
  coverOf,
  foundPost,
  headlinesOf,
  linkLabel,
  withOrWithoutCover,
} from '../../kit/chat/messages/newsletter-post.ts'
import { ProviderError } from '../../kit/provider-error.ts'
import { truncateLineUtf16 } from '../../kit/text/fit-length.ts'
import type { Settings } from '../settings.ts'
import { cardButton, listWidget, messageCard, type Widget } from './cards.ts'
import { createMessage, findMessageIn } from './messaging.ts'

const titleCharacters = 200

/** Posts a newsletter to the space in the settings, once. */
export async function postNewsletter(context: PostContext<Settings>): Promise<PostedWith> {
  const { id, settings, newsletter } = context
  const { newsletter_channel: space } = settings
  if (space === undefined) throw new ProviderError('refused', 'Set newsletter_channel first.')
  const title = truncateLineUtf16(titleCharacters, newsletter.title)
  return await withOrWithoutCover(newsletter, async (shown) => {
    const widgets = widgetsOf({ ...context, newsletter: shown })
    const body = { fallbackText: title, cardsV2: messageCard(widgets, title) }
    await createMessage(context, { space, id, body })
    return 'token'
  })
}

/** Asks for the message with the id of the post. */
export async function findNewsletter(context: FindPostContext<Settings>): Promise<FoundPost> {
  const { newsletter_channel: space } = context.settings
  return space === undefined ? 'unknown' : foundPost(await findMessageIn(context, space))
}

function widgetsOf({ newsletter, language }: PostContext<Settings>): Widget[] {
  const { headlines, more } = headlinesOf(newsletter, language)
  const items = [...headlines, ...(more === null ? [] : [more])]
  const cover = coverOf(newsletter)
  const list = [
    ...(cover === null ? [] : [{ image: { imageUrl: cover.url, altText: cover.alt } }]),
    ...(items.length === 0 ? [] : [listWidget({ heading: null, items })]),
  ]
  const { url } = newsletter
  if (url === null) return list
  const button = cardButton({ kind: 'link', url, label: linkLabel(language) })
  return [...list, { buttonList: { buttons: [button] } }]
}
