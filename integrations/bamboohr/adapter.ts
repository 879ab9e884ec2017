import { defineAdapter } from '../kit/adapter.ts'
import type { Received } from '../kit/requests/received.ts'
import { badRequest, strictUtf8, unauthorized } from '../kit/requests/webhook-request.ts'
import type { EmployeeEvent } from './event.ts'
import { composeEmployee, eventOf } from './news.ts'
import { type Change, readPayload } from './payload.ts'
import { Settings } from './settings.ts'
import { isFromBambooHr } from './signature.ts'

export const adapter = defineAdapter({
  slug: 'bamboohr',
  name: 'BambooHR',
  category: 'hr',
  settings: Settings,
  events: ['employee.created', 'employee.updated', 'employee.deleted'],

  async receive(request, { settings, now }): Promise<Received<EmployeeEvent>> {
    const { headers } = request
    const text = strictUtf8(request.body)
    if (!text || !isFromBambooHr(request, settings.private_key, now)) return unauthorized
    const payload = readPayload(
      text,
      headers.get('content-type') ?? '',
      headers.get('x-bamboohr-timestamp') ?? '',
    )
    if ('unreadable' in payload) return badRequest(payload.unreadable)
    if ('eventName' in payload) return { kind: 'unknown', eventName: payload.eventName }
    return pick(payload.changes, settings)
  },

  /**
   * Reads the present data of the employee from BambooHR, because the event contains only a number.
   */
  compose: composeEmployee,
})

function pick(changes: Change[], settings: Settings): Received<EmployeeEvent> {
  const events = changes.flatMap((change) => {
    const event = eventOf(change, settings)
    const { deliveryId, action } = change
    return event === undefined ? [] : [{ deliveryId, eventName: `employee.${action}`, event }]
  })
  const [first, ...others] = events
  if (first !== undefined)
    return others.length > 0 ? { kind: 'events', events } : { kind: 'event', ...first }
  const deliveryId = changes[0]?.deliveryId ?? ''
  return { kind: 'ignored', deliveryId, reason: 'updated: no field that readers see has changed' }
}
