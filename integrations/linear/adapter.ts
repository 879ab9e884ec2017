import * as v from 'valibot'
import { defineAdapter, secret } from '../kit/adapter.ts'
import type { Received } from '../kit/requests/received.ts'
import { isHmac } from '../kit/requests/signature.ts'
import {
  badRequest,
  deliveryIdOf,
  ignoredOrUnknown,
  readObject,
  receiveEvent,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
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

  async receive({ headers, body }, { settings, now }): Promise<Received<LinearEvent>> {
    if (!isHmac(headers.get('linear-signature') ?? '', body, settings.secret)) return unauthorized

    const payload = readObject(strictUtf8(body) ?? '')
    if (payload === undefined) return badRequest('the body is not a JSON object')
    if (!isRecent(payload, now)) return unauthorized
    const typed = v.safeParse(Typed, payload)
    if (!typed.success) return badRequest('type is missing or is not a name')

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

  /** Needs no call: the event contains everything. */
  async compose({ event, language }) {
    return { kind: 'items', items: [composeItem(event, language)] }
  },
})

const toleranceMs = 60_000

const Timed = v.object({ webhookTimestamp: v.number() })

/**
 * Whether a signed body was sent within a minute of `now`. The time in milliseconds is part of the
 * signed body.
 * Source: https://linear.app/developers/webhooks
 */
function isRecent(payload: object, now: Date): boolean {
  const { success, output } = v.safeParse(Timed, payload)
  return success && Math.abs(now.getTime() - output.webhookTimestamp) <= toleranceMs
}

const Typed = v.object({ type: v.pipe(v.string(), v.regex(/^\w{1,60}$/)) })
