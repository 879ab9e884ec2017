import * as v from 'valibot'
import { defineAdapter, secret } from '../kit/adapter.ts'
import type { Received } from '../kit/requests/received.ts'
import { isStandardSecret, isStandardSigned } from '../kit/requests/standard-signature.ts'
import {
  badRequest,
  deliveryIdOf,
  nameForLogs,
  readObject,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { itemOf, type MappedNews, Mapping, pickMapped } from './mapping.ts'

const Settings = v.object({
  secret: v.pipe(secret(), v.everyItem(isStandardSecret, 'must be whsec_ followed by base64')),
  map: Mapping,
})

export const adapter = defineAdapter({
  slug: 'standard-webhooks',
  name: 'Standard Webhooks',
  category: 'tracker',
  settings: Settings,
  /** The sender chooses the names of its types. */
  events: ['*'],

  async receive(request, { settings, now }): Promise<Received<MappedNews>> {
    const { headers } = request
    const text = strictUtf8(request.body)
    if (text === undefined || !isStandardSigned(headers, text, settings.secret, now))
      return unauthorized
    const payload = readObject(text)
    if (payload === undefined) return badRequest('the body is not a JSON object')

    const deliveryId = deliveryIdOf(headers, ['webhook-id'], text)
    const type = 'type' in payload && typeof payload.type === 'string' ? payload.type : ''
    const event = pickMapped(payload, settings.map, deliveryId)
    return event
      ? { kind: 'event', deliveryId, eventName: nameForLogs(type), event }
      : { kind: 'ignored', deliveryId, reason: `no text at ${settings.map.title} (map: title)` }
  },

  /** Needs no call: the event contains everything. */
  async compose({ event }) {
    return { kind: 'items', items: [itemOf(event)] }
  },
})
