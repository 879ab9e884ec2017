import type { ComposeContext } from '../kit/adapter.ts'
import type { Composed } from '../kit/composed.ts'
import { buildNewStarterItem, hasLongStarted, longStarted } from '../kit/people.ts'
import { readEmployee } from './employee.ts'
import type { EmployeeEvent } from './event.ts'
import type { Change } from './payload.ts'
import type { Settings } from './settings.ts'

// Names of fields in BambooHR's API and on its pages, without case and punctuation.
const shownFields = new Set(
  'firstname preferredname lastname jobtitle department location hiredate'.split(' '),
)
const statusFields = new Set(
  'status employmentstatus employmenthistorystatus employmentstatusdate terminationdate'.split(' '),
)

const plain = (fieldName: string) => fieldName.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The event for a change; `undefined` when the change concerns no field that readers see. */
export function eventOf(change: Change, { hold_field }: Settings): EmployeeEvent | undefined {
  const { action, employeeId: employee_id } = change
  if (action !== 'updated') return { action, employee_id, check_status: false }
  const changed = (change.changedFields ?? []).map(plain)
  const check_status = changed.some((name) => statusFields.has(name))
  const excludingField = hold_field === undefined ? undefined : plain(hold_field)
  const concerns =
    check_status ||
    changed.length === 0 ||
    changed.some((name) => shownFields.has(name) || name === excludingField)
  return concerns ? { action, employee_id, check_status } : undefined
}

/**
 * A new employee becomes an item. A later change updates or withdraws this item and never makes a
 * new one.
 */
export async function composeEmployee({
  event,
  settings,
  provider,
  now,
  language,
}: ComposeContext<Settings, EmployeeEvent>): Promise<Composed> {
  const externalId = `bamboohr:employee:${event.employee_id}`
  const withdrawal: Composed = { kind: 'withdraw', externalIds: [externalId] }
  if (event.action === 'deleted') return withdrawal

  const employee = await readEmployee(event, settings, provider)
  if (employee === undefined) return ignored('the employee is no longer there')
  const isNew = event.action === 'created'
  if (employee.isExcluded && isNew)
    return ignored('the employee must not be announced (hold_field)')
  if (isNew && hasLongStarted(employee.starter, now)) return ignored(longStarted)
  if (employee.isExcluded || employee.left) return withdrawal
  const items = [buildNewStarterItem(externalId, employee.starter, { language, now })]
  const sourceUpdatedAt = now.toISOString()
  return isNew
    ? { kind: 'items', items, updateExisting: true, sourceUpdatedAt }
    : { kind: 'update', items, sourceUpdatedAt }
}

const ignored = (reason: string): Composed => ({ kind: 'ignored', reason })
