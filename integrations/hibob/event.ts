import * as v from 'valibot'

// All fields that are not named here are dropped before anything is stored or logged.

/** The events that can change a block. */
export const employeeEvents = [
  'employee.created',
  'employee.joined',
  'employee.updated',
  'employee.left',
  'employee.deleted',
] as const

/** Documented events about employees that never create or change a block. */
export const otherEvents: ReadonlySet<string> = new Set([
  'employee.activated',
  'employee.inactivated',
  'employee.temporaryLeave',
  'table.entry.created',
  'table.entry.updated',
])

/** Source: https://apidocs.hibob.com/reference/getting-started-webhooks */
export const RequestBody = v.looseObject({
  type: v.pipe(v.string(), v.regex(/^[a-z][A-Za-z_.]{0,59}$/)),
})

/** Source: https://apidocs.hibob.com/reference/api-calls-for-webhook-events */
export const EmployeeRequestBody = v.pipe(
  v.object({
    type: v.picklist(employeeEvents),
    data: v.object({
      employeeId: v.pipe(
        v.union([v.string(), v.pipe(v.number(), v.safeInteger())]),
        v.transform(String),
        v.regex(/^[1-9]\d{0,24}$/),
      ),
    }),
  }),
  v.transform(({ type, data }) => ({ type, employee_id: data.employeeId })),
)

/** The stored event. Of the person it contains only the number in HiBob. */
export type EmployeeEvent = v.InferOutput<typeof EmployeeRequestBody>
