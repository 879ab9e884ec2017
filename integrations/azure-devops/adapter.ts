import * as v from 'valibot'
import { defineAdapter } from '../kit/adapter.ts'
import { composeUnlessExcluded } from '../kit/filters.ts'
import type { Received } from '../kit/requests/received.ts'
import { isSharedSecret } from '../kit/requests/signature.ts'
import {
  badRequest,
  ignoredOrUnknown,
  nameForLogs,
  readObject,
  receiveEvent,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { shortHash } from '../kit/text/plain-text.ts'
import { type DevOpsEvent, Envelope, newsEvents, otherEvents, schemaOf } from './event.ts'
import { composeItem, ignoreReason, settingReason } from './news.ts'
import { Settings } from './settings.ts'

export const adapter = defineAdapter({
  slug: 'azure-devops',
  name: 'Azure DevOps',
  category: 'tracker',
  settings: Settings,
  events: newsEvents,

  async receive({ headers, body }, { settings }): Promise<Received<DevOpsEvent>> {
    if (!isSharedSecret(passwordOf(headers), settings.password)) return unauthorized
    const text = strictUtf8(body)
    const payload = text === undefined ? undefined : readObject(text)
    if (text === undefined || payload === undefined)
      return badRequest('the body is not a JSON object')
    const envelope = v.safeParse(Envelope, payload)
    if (!envelope.success) return badRequest('eventType is not as Azure DevOps documents it')
    const { eventType: name, id } = envelope.output
    // The id of the event is the same when a request is repeated.
    const deliveryId = id !== null && /^[\w-]{8,64}$/.test(id) ? id : shortHash(text)
    if (!newsEvents.some((known) => known === name))
      return ignoredOrUnknown(nameForLogs(name), otherEvents, deliveryId)
    return receiveEvent({
      schema: schemaOf(name),
      payload,
      name,
      deliveryId,
      provider: 'Azure DevOps',
      ignoreReason,
      settingReason: (event) => settingReason(event, settings),
    })
  },

  /** Needs no call: the event contains everything. */
  async compose({ event, settings, language }) {
    return composeUnlessExcluded(settingReason(event, settings), () => ({
      kind: 'items',
      items: [composeItem(event, language)],
    }))
  },
})

/** The password of basic authentication (RFC 7617); null without one. The name does not matter. */
function passwordOf(headers: Headers): string | null {
  const [, encoded] =
    /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(headers.get('authorization') ?? '') ?? []
  if (encoded === undefined) return null
  const decoded = Buffer.from(encoded, 'base64').toString()
  const colon = decoded.indexOf(':')
  return colon < 0 ? null : decoded.slice(colon + 1)
}
