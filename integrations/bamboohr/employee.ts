import * as v from 'valibot'
import type { NewStarter } from '../kit/people.ts'
import type { ProviderApi } from '../kit/requests/provider-request.ts'
import { apiUrl, requestProvider } from '../kit/requests/provider-request.ts'
import type { EmployeeEvent } from './event.ts'
import type { Settings } from './settings.ts'

const Value = v.nullish(v.pipe(v.union([v.string(), v.number()]), v.transform(String)))

/** The only fields of a person that readers may see. */
const allowedFields = {
  firstName: Value,
  preferredName: Value,
  lastName: Value,
  jobTitle: Value,
  department: Value,
  location: Value,
  hireDate: Value,
}

/** The present data of an employee in BambooHR. */
interface Employee {
  starter: NewStarter
  /** Whether the employee must not be announced. */
  isExcluded: boolean
  /** Whether the employee has left the company. */
  left: boolean
}

const access = 'api_key, and what the access level of its user may see'

/**
 * Reads the allowed fields of one employee; `undefined` when BambooHR has no such employee. Throws
 * when BambooHR does not respond, or when the key may not read enough fields.
 * Source: https://documentation.bamboohr.com/reference/get-employee
 */
export async function readEmployee(
  { employee_id, check_status }: EmployeeEvent,
  settings: Settings,
  provider: ProviderApi,
): Promise<Employee | undefined> {
  const { hold_field } = settings
  const fields = [...Object.keys(allowedFields)]
  if (check_status) fields.push('status')
  if (hold_field !== undefined) fields.push(hold_field)
  const employee = await requestProvider(
    { provider, name: 'BambooHR', headers: { authorization: basic(settings) }, check: access },
    address(settings, employee_id, fields),
    // The schema is loose because the two fields below have variable names.
    v.looseObject(allowedFields),
  )
  if (employee === undefined) return undefined
  // BambooHR leaves out fields that a key may not read.
  if (!Object.keys(allowedFields).some((name) => employee[name]))
    throw new Error(`BambooHR showed nothing of the employee. Check ${access}.`)
  if (hold_field !== undefined && !Object.hasOwn(employee, hold_field))
    throw new Error(
      `BambooHR did not show the field that hold_field names. Check it and ${access}.`,
    )
  return {
    starter: {
      firstName: employee.preferredName?.trim() || employee.firstName,
      lastName: employee.lastName,
      jobTitle: employee.jobTitle,
      departments: [employee.department],
      locations: [employee.location],
      startDate: employee.hireDate,
    },
    isExcluded: hold_field !== undefined && isSet(employee[hold_field]),
    left: check_status && employee['status'] === 'Inactive',
  }
}

/**
 * `onlyCurrent=false` is necessary because a job that begins on the first day is not current before
 * that day.
 */
function address({ company_domain, api_base_url }: Settings, id: string, fields: string[]): URL {
  const base = api_base_url ?? `https://${company_domain}.bamboohr.com`
  const url = apiUrl(base, '/api/v1', `/employees/${id}/`)
  url.search = `fields=${fields.join(',')}&onlyCurrent=false`
  return url
}

const basic = ({ api_key: [key] }: Settings) =>
  `Basic ${Buffer.from(`${key}:x`).toString('base64')}`

/** Whether a field means yes. In doubt, a person is not announced. */
const isSet = (value: unknown) =>
  !['', 'no', 'false', '0'].includes(
    String(value ?? '')
      .trim()
      .toLowerCase(),
  )
