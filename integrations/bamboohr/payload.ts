import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { readObject } from '../kit/requests/webhook-request.ts'
import { type EmployeeEvent, EventBased, FieldBased } from './event.ts'

/** One change of one employee, for both formats of webhooks. */
export interface Change {
  deliveryId: string
  action: EmployeeEvent['action']
  employeeId: string
  /** The names of the changed fields, `null` when BambooHR does not send them. */
  changedFields: string[] | null
}

export type Payload =
  | { changes: Change[] }
  /** An event that the adapter does not know. */
  | { eventName: string }
  | { unreadable: string }

const actions: Record<string, EmployeeEvent['action']> = {
  'employee.created': 'created',
  'employee.updated': 'updated',
  'employee.deleted': 'deleted',
  'employee.terminated': 'deleted',
}

/**
 * Reads a request in either format, in JSON or as a form. BambooHR sends no delivery id, so it is
 * made of the subject of the change, its time (`sentAt` where the change has none) and the hash of
 * the body.
 */
export function readPayload(text: string, contentType: string, sentAt: string): Payload {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType)
  const body = isForm ? readForm(text) : readObject(text)
  if (body === undefined) return { unreadable: 'the body is neither a JSON object nor a form' }
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return 'employees' in body
    ? readFieldBased(body, sentAt, hash)
    : readEventBased(body, sentAt, hash)
}

function readEventBased(body: object, sentAt: string, hash: string): Payload {
  const { success, output, issues } = v.safeParse(EventBased, body)
  if (!success) return { unreadable: notAsDocumented(issues[0]) }
  const { type, timestamp, data } = output
  const action = Object.hasOwn(actions, type) ? actions[type] : undefined
  if (action === undefined) return { eventName: type }
  const { companyId, employeeId, changedFields } = data
  const deliveryId = [type, companyId, employeeId, timestamp ?? sentAt, hash].join(':')
  return { changes: [{ deliveryId, action, employeeId, changedFields }] }
}

function readFieldBased(body: object, sentAt: string, hash: string): Payload {
  const { success, output, issues } = v.safeParse(FieldBased, body)
  if (!success) return { unreadable: notAsDocumented(issues[0]) }
  const changes = output.employees.map((employee): Change => {
    // Forms contain no action and are sent for changed fields only.
    const action = actions[`employee.${employee.action}`] ?? 'updated'
    const { id: employeeId, changedFields, timestamp } = employee
    const deliveryId = ['fields', action, employeeId, timestamp ?? sentAt, hash].join(':')
    return { deliveryId, action, employeeId, changedFields }
  })
  return { changes }
}

const notAsDocumented = (issue: v.BaseIssue<unknown>) =>
  `${v.getDotPath(issue) ?? 'the body'} is not as BambooHR documents it`

interface Fields {
  [name: string]: string | Fields
}

/** An object without a prototype, because the names come from outside. */
const noFields = (): Fields => Object.create(null)

const fieldName = /^[^[\]]{1,60}(?:\[[^[\]]{0,100}\]){0,3}$/

/** Parses a form with nested names as in PHP: `data[changedFields][0]=hireDate`. */
function readForm(text: string): Fields {
  const form = noFields()
  for (const [name, value] of new URLSearchParams(text)) {
    if (!fieldName.test(name)) continue
    const keys = name.replaceAll(']', '').split('[')
    const last = keys.pop() ?? ''
    let target = form
    for (const key of keys) {
      const inner = target[key]
      const next = typeof inner === 'object' ? inner : noFields()
      target[key] = next
      target = next
    }
    target[last] = value
  }
  return form
}
