import * as v from 'valibot'
import { defineAdapter, list, type Received, secret } from '../adapter.ts'
import { isListed } from '../lists.ts'
import { deliveryIdOf, notReadable, notTrusted, readObject } from '../requests.ts'
import { strictUtf8 } from '../signature.ts'
import { isStandardSecret, isStandardSigned } from '../standard-signature.ts'
import { itemOf, type MappedNews, Mapping, pickMapped } from './mapping.ts'

const Settings = v.object({
  secret: v.pipe(
    secret(),
    v.everyItem(isStandardSecret, 'must be as the provider shows it: whsec_ and base64'),
  ),
  map: Mapping,
  /** Only these types of events; all when empty. */
  events: list(),
})

export const adapter = defineAdapter({
  slug: 'standard-webhooks',
  name: 'Standard Webhooks',
  category: 'tracker',
  settings: Settings,

  async receive(request, { settings, now }): Promise<Received<MappedNews>> {
    const { headers } = request
    const text = strictUtf8(request.body)
    if (text === undefined || !isStandardSigned(headers, text, settings.secret, now))
      return notTrusted
    const payload = readObject(text)
    if (payload === undefined) return notReadable('the body is not a JSON object')

    const deliveryId = deliveryIdOf(headers, ['webhook-id'], text)
    const type = 'type' in payload && typeof payload.type === 'string' ? payload.type : ''
    if (settings.events.length > 0 && !isListed(settings.events, type)) {
      const reason = 'the type of the event is not on the list of this connection (events)'
      return { kind: 'ignored', deliveryId, reason }
    }
    const event = pickMapped(payload, settings.map, deliveryId)
    return event
      ? { kind: 'event', deliveryId, event }
      : { kind: 'ignored', deliveryId, reason: `no text at ${settings.map.title} (map: title)` }
  },

  /** Pure: all there is to tell came with the event. */
  async compose({ event }) {
    return { kind: 'items', items: [itemOf(event)] }
  },
})
