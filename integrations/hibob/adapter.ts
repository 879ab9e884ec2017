import * as v from 'valibot'
import { defineAdapter } from '../kit/adapter.ts'
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
import {
  type EmployeeEvent,
  EmployeeRequestBody,
  employeeEvents,
  otherEvents,
  RequestBody,
} from './event.ts'
import { composeEmployee } from './news.ts'
import { Settings } from './settings.ts'

export const adapter = defineAdapter({
  slug: 'hibob',
  name: 'HiBob',
  category: 'hr',
  settings: Settings,
  events: employeeEvents,

  async receive({ headers, body }, { settings }): Promise<Received<EmployeeEvent>> {
    const text = strictUtf8(body)
    if (!text) return unauthorized
    if (isPing(text)) return { kind: 'immediateReply', reply: { status: 200, body: { ok: true } } }
    if (!isFromHiBob(headers, body, settings.secret ?? [])) return unauthorized
    const payload = readObject(text)
    if (!v.is(RequestBody, payload)) return badRequest('the body is not JSON with a type')
    return pick(payload, deliveryIdOf(headers, [], body))
  },

  /** Reads the present data of the employee from HiBob, because the event contains only a number. */
  compose: composeEmployee,
})

/**
 * The two forms of HiBob's test of an address. They are accepted without a signature, because HiBob
 * does not document that they have one. Nothing is stored.
 * Source: https://apidocs.hibob.com/docs/working-with-webhooks (step 2)
 */
const isPing = (text: string) =>
  /^\s*(?:Ping test|"Ping test"|\{\s*"text"\s*:\s*"Ping test"\s*\})\s*$/.test(text)

/** Source: https://apidocs.hibob.com/docs/working-with-webhooks (step 3) */
const isFromHiBob = (headers: Headers, body: Uint8Array, secrets: readonly string[]) =>
  isHmac(headers.get('bob-signature') ?? '', body, secrets, {
    algorithm: 'sha512',
    encoding: 'base64',
  })

function pick(payload: v.InferOutput<typeof RequestBody>, deliveryId: string) {
  const { type } = payload
  if (!employeeEvents.some((name) => name === type))
    return ignoredOrUnknown(type, otherEvents, deliveryId)
  const schema = EmployeeRequestBody
  return receiveEvent({ schema, payload, name: type, deliveryId, provider: 'HiBob' })
}
