import { LinearWebhookClient } from '@linear/sdk/webhooks'
import * as v from 'valibot'
import { defineAdapter, type Received, secret } from '../kit/adapter.ts'
import { strictUtf8 } from '../kit/signature.ts'
import {
  badRequest,
  deliveryIdOf,
  ignoredOrUnknown,
  readObject,
  receiveEvent,
  unauthorized,
} from '../kit/webhook-request.ts'
import { LinearEvent, otherTypes } from './event.ts'
import { composeItem, ignoreReason } from './news.ts'

const Settings = v.object({ secret: secret() })

const newsTypes = ['ProjectUpdate', 'InitiativeUpdate', 'Project', 'Initiative']

export const adapter = defineAdapter({
  slug: 'linear',
  name: 'Linear',
  category: 'tracker',
  settings: Settings,
  events: newsTypes,

  async receive({ headers, body }, { settings }): Promise<Received<LinearEvent>> {
    const signature = headers.get('linear-signature')
    if (!signature || !settings.secret.some((secret) => isFromLinear(body, signature, secret)))
      return unauthorized

    const payload = readObject(strictUtf8(body) ?? '')
    if (payload === undefined) return badRequest('the body is not a JSON object')
    const typed = v.safeParse(Typed, payload)
    if (!typed.success) return badRequest('type is missing or is no name')

    const { type } = typed.output
    const deliveryId = deliveryIdOf(headers, ['linear-delivery'], body)
    if (!newsTypes.includes(type)) return ignoredOrUnknown(type, otherTypes, deliveryId)
    return receiveEvent({
      schema: LinearEvent,
      payload,
      name: type,
      deliveryId,
      provider: 'Linear',
      ignoreReason,
    })
  },

  /** Pure: all there is to tell came with the event. */
  async compose({ event }) {
    return { kind: 'items', items: [composeItem(event)] }
  },
})

/**
 * Whether Linear signed these bytes with this secret within a minute of now, by the system's clock.
 * The time stands inside the signed body. Source: https://linear.app/developers/webhooks.
 */
function isFromLinear(body: Uint8Array, signature: string, secret: string): boolean {
  try {
    return new LinearWebhookClient(secret).verify(Buffer.from(body), signature)
  } catch {
    return false
  }
}

const Typed = v.object({ type: v.pipe(v.string(), v.regex(/^\w{1,60}$/)) })
