import * as v from 'valibot'
import { defineAdapter } from '../kit/adapter.ts'
import type { Received } from '../kit/requests/received.ts'
import { isHmac } from '../kit/requests/signature.ts'
import {
  badRequest,
  deliveryIdOf,
  readObject,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { type AsanaEvent, newsEvents, newsEventsOf, RequestBody } from './event.ts'
import { composeEvent } from './news.ts'
import { Settings } from './settings.ts'

export const adapter = defineAdapter({
  slug: 'asana',
  name: 'Asana',
  category: 'tracker',
  settings: Settings,
  events: newsEvents,

  async receive({ headers, body }, { settings }): Promise<Received<AsanaEvent>> {
    const { webhook_secret: secrets } = settings
    const offered = headers.get('x-hook-secret')
    // A person who could set another secret could send requests in Asana's name from then on.
    if (offered !== null) return secrets === undefined ? introduce(offered) : unauthorized
    const signature = headers.get('x-hook-signature') ?? ''
    if (secrets === undefined || !isHmac(signature, body, secrets)) return unauthorized
    return readDelivery(body, headers)
  },

  compose: composeEvent,
})

/** Asana expects its secret in the response. https://developers.asana.com/docs/webhooks-guide */
function introduce(secret: string): Received<AsanaEvent> {
  if (!/^[\w-]{16,200}$/.test(secret)) return unauthorized
  return {
    kind: 'immediateReply',
    reply: { status: 200, headers: { 'x-hook-secret': secret } },
    providerSettings: { webhook_secret: secret },
  }
}

function readDelivery(body: Uint8Array, headers: Headers): Received<AsanaEvent> {
  const payload = readObject(strictUtf8(body) ?? '')
  if (payload === undefined) return badRequest('the body is not a JSON object')
  const { success, output, issues } = v.safeParse(RequestBody, payload)
  if (!success)
    return badRequest(`${v.getDotPath(issues[0]) ?? 'the body'} is not as Asana documents it`)
  // Asana sends a request without events when nothing has happened for a while.
  if (output.events.length === 0) return { kind: 'immediateReply', reply: {} }
  const events = newsEventsOf(output)
  const [event, ...more] = events
  if (event !== undefined)
    return more.length === 0 ? { kind: 'event', ...event } : { kind: 'events', events }
  const first = output.events.find((one) => one !== null)
  if (first === undefined) return badRequest('none of its events is as Asana documents it')
  const reason = `${first.resource.resource_type}.${first.action} creates no block`
  return { kind: 'ignored', deliveryId: deliveryIdOf(headers, [], body), reason }
}
