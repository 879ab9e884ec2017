import * as v from 'valibot'
import { defineAdapter, secret } from '../kit/adapter.ts'
import type { Received } from '../kit/requests/received.ts'
import { isHmac } from '../kit/requests/signature.ts'
import {
  badRequest,
  deliveryIdOf,
  ignoredOrUnknown,
  receiveEvent,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { type GreenhouseEvent, Hire, otherActions, Withdrawal } from './event.ts'
import { compose, ignoreReason, noItemReason } from './news.ts'

const Settings = v.object({ secret: secret({ own: true }) })

export const adapter = defineAdapter({
  slug: 'greenhouse',
  name: 'Greenhouse',
  category: 'hr',
  settings: Settings,
  events: ['hire_candidate', 'unhire_candidate', 'delete_application', 'delete_candidate'],

  async receive({ headers, body }, { settings }): Promise<Received<GreenhouseEvent>> {
    const text = strictUtf8(body)
    if (!text || !isHmac(signatureIn(headers), body, settings.secret)) return unauthorized
    const request = readRequest(text)
    if (request === undefined) return badRequest('the body is not JSON with an action')
    return pick(request, deliveryIdOf(headers, ['greenhouse-event-id'], body))
  },

  /** Needs no call: the event contains everything. */
  async compose({ event, language, now }) {
    return compose(event, { language, now })
  },
})

/** https://developers.greenhouse.io/webhooks.html#authentication */
const signatureIn = (headers: Headers) =>
  /^sha256 ([0-9a-f]{64})$/.exec(headers.get('signature') ?? '')?.[1] ?? ''

const Request = v.object({
  action: v.pipe(v.string(), v.regex(/^[a-z_]{1,60}$/)),
  payload: v.looseObject({}),
})
type Request = v.InferOutput<typeof Request>

function readRequest(text: string): Request | undefined {
  try {
    const { success, output } = v.safeParse(Request, JSON.parse(text))
    return success ? output : undefined
  } catch {
    return undefined
  }
}

function pick({ action, payload }: Request, deliveryId: string): Received<GreenhouseEvent> {
  const common = { payload, name: action, deliveryId, provider: 'Greenhouse' }
  switch (action) {
    case 'ping':
      return { kind: 'immediateReply', reply: { status: 200, body: { ok: true } } }
    case 'hire_candidate':
      return receiveEvent({ ...common, schema: Hire, ignoreReason })
    case 'unhire_candidate':
    case 'delete_application':
    case 'delete_candidate':
      return receiveEvent({ ...common, schema: Withdrawal, ignoreReason: noItemReason })
    default:
      return ignoredOrUnknown(action, otherActions, deliveryId)
  }
}
