import { defineAdapter } from '../kit/adapter.ts'
import { buildItem } from '../kit/item.ts'
import { badRequest } from '../kit/requests/webhook-request.ts'
import { pollFeed, readFeed } from './feed.ts'
import { Settings } from './settings.ts'

export const adapter = defineAdapter({
  slug: 'feed',
  name: 'RSS/Atom',
  category: 'feed',
  settings: Settings,

  polling: {
    source: ({ url }) => url,
    intervalMinutes: ({ every_minutes }) => every_minutes,
    poll: pollFeed,
    read: ({ bytes, contentType, address }, { settings, idPrefix }) =>
      readFeed(bytes, { contentType, url: new URL(address), idPrefix }, settings),
    // The newest entry shows that the connection works; the others are old news.
    firstNews: (entries) => entries.slice(0, 1),
  },

  async receive({ headers, body }, { settings }) {
    const contentType = headers.get('content-type') ?? ''
    const entries = readFeed(body, { contentType, url: new URL(settings.url) }, settings)
    if (entries === null) return badRequest('it is neither an RSS nor an Atom feed')
    const events = entries.map(({ key: deliveryId, ...entry }) => ({ deliveryId, ...entry }))
    const [first, ...others] = events
    if (first === undefined)
      return { kind: 'ignored', deliveryId: 'none', reason: 'the feed has no entries' }
    return others.length > 0 ? { kind: 'events', events } : { kind: 'event', ...first }
  },

  async compose({ event: { id, title, body, url, author, image, image_alt } }) {
    const item = buildItem({
      title,
      body,
      url: url ?? undefined,
      blockType: 'general',
      externalId: `feed:entry:${id}`,
      author: author ?? undefined,
    })
    if (image === null) return { kind: 'items', items: [item] }
    return { kind: 'items', items: [{ ...item, image, image_alt: image_alt ?? undefined }] }
  },
})
