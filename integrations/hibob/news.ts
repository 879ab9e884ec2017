import type { ComposeContext } from '../kit/adapter.ts'
import type { Composed } from '../kit/composed.ts'
import { buildNewStarterItem, hasLongStarted, longStarted } from '../kit/people.ts'
import { readEmployee } from './employee.ts'
import type { EmployeeEvent } from './event.ts'
import type { Settings } from './settings.ts'

/**
 * A new employee becomes an item, when the person is entered or on the first day. A later change
 * updates or withdraws this item and never makes a new one.
 */
export async function composeEmployee({
  event,
  settings,
  provider,
  now,
  language,
}: ComposeContext<Settings, EmployeeEvent>): Promise<Composed> {
  const externalId = `hibob:employee:${event.employee_id}`
  if (event.type === 'employee.left' || event.type === 'employee.deleted')
    return { kind: 'withdraw', externalIds: [externalId] }
  const starter = await readEmployee(event, settings, provider)
  if (starter === undefined) return { kind: 'ignored', reason: 'the employee is no longer there' }
  if (event.type !== 'employee.updated' && hasLongStarted(starter, now))
    return { kind: 'ignored', reason: longStarted }
  const items = [buildNewStarterItem(externalId, starter, { language, now })]
  const sourceUpdatedAt = now.toISOString()
  return event.type === 'employee.updated'
    ? { kind: 'update', items, sourceUpdatedAt }
    : { kind: 'items', items, updateExisting: true, sourceUpdatedAt }
}
