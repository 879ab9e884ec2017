import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { defineAdapter, list, type Received, secret } from '../adapter.ts'
import { isListed } from '../lists.ts'
import { deliveryIdOf, notReadable, notTrusted, readObject } from '../requests.ts'
import { isSharedSecret, strictUtf8 } from '../signature.ts'
import { itemOf, type MappedNews, Mapping, pickMapped } from './mapping.ts'

const Settings = v.object({
  secret: v.pipe(
    secret(),
    v.everyItem(isSecret, 'must be as the provider shows it: whsec_ and base64'),
  ),
  map: Mapping,
  /** Only these types of events; all when empty. */
  events: list(),
})

const toleranceSeconds = 300

export const adapter = defineAdapter({
  slug: 'standard-webhooks',
  name: 'Standard Webhooks',
  category: 'tracker',
  settings: Settings,

  async receive(request, { settings, now }): Promise<Received<MappedNews>> {
    const { headers } = request
    const text = strictUtf8(request.body)
    if (text === undefined || !isSigned(headers, text, settings.secret, now)) return notTrusted
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

function isSecret(value: string): boolean {
  try {
    return value.startsWith('whsec_') && Boolean(new Webhook(value))
  } catch {
    return false
  }
}

/**
 * Whether one of the signatures is right, and no more than five minutes away from `now`. The library
 * computes it; its own check would read the time from the system's clock.
 * Source: https://www.standardwebhooks.com
 */
function isSigned(headers: Headers, body: string, secrets: readonly string[], now: Date): boolean {
  const id = headers.get('webhook-id')
  const seconds = headers.get('webhook-timestamp') ?? ''
  const signatures = headers.get('webhook-signature')?.split(' ') ?? []
  if (!id || !/^\d{1,12}$/.test(seconds)) return false
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > toleranceSeconds) return false
  const expected = secrets.map((key) =>
    new Webhook(key).sign(id, new Date(Number(seconds) * 1000), body),
  )
  return signatures.some((signature) => isSharedSecret(signature, expected))
}
