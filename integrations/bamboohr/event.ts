import * as v from 'valibot'

// All fields that are not named here are dropped before anything is stored or logged: field-based
// webhooks can contain pay, birth dates and home addresses.

// The id 0 is refused, because BambooHR's API reads it as the owner of the key.
const Id = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.regex(/^[1-9]\d{0,17}$/),
)

/** An array in JSON, and an object with numbered keys in a form. */
const Names = v.nullish(
  v.pipe(
    v.union([v.array(v.string()), v.record(v.string(), v.string())]),
    v.transform((names) => Object.values(names)),
  ),
  null,
)

const Moment = v.nullish(
  v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^[\dTZ:.+-]{1,40}$/)),
  null,
)

/** https://documentation.bamboohr.com/docs/event-based-webhooks */
export const EventBased = v.object({
  type: v.pipe(v.string(), v.regex(/^[a-z_.]{1,60}$/)),
  timestamp: Moment,
  data: v.object({ companyId: v.nullish(Id, ''), employeeId: Id, changedFields: Names }),
})

/** https://documentation.bamboohr.com/docs/field-based-webhooks; its fields are not read. */
export const FieldBased = v.object({
  employees: v.pipe(
    v.union([
      v.array(v.unknown()),
      // A form uses the id of each employee as the key: employees[12345][changedFields][0].
      v.pipe(
        v.record(v.string(), v.looseObject({})),
        v.transform((byId) => Object.entries(byId).map(([id, one]) => ({ id, ...one }))),
      ),
    ]),
    v.array(
      v.object({
        id: Id,
        action: v.nullish(v.pipe(v.string(), v.toLowerCase()), null),
        timestamp: Moment,
        changedFields: Names,
      }),
    ),
    v.minLength(1),
    v.maxLength(1000),
  ),
})

/** The stored event. Of the person it contains only the number in BambooHR. */
export interface EmployeeEvent {
  action: 'created' | 'updated' | 'deleted'
  employee_id: string
  /**
   * Whether the status has to be read from BambooHR, because the person may have left before the
   * first day.
   */
  check_status: boolean
}
