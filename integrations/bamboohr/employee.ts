import * as v from 'valibot'
import type { ProviderApi } from '../kit/adapter.ts'
import type { NewStarter } from '../kit/people.ts'
import { apiUrl, requestProvider } from '../kit/provider-request.ts'
import type { EmployeeEvent } from './event.ts'
import type { Settings } from './settings.ts'

const Value = v.nullish(v.pipe(v.union([v.string(), v.number()]), v.transform(String)))

/** All that is ever told of a person. */
const told = {
  firstName: Value,
  preferredName: Value,
  lastName: Value,
  jobTitle: Value,
  department: Value,
  location: Value,
  hireDate: Value,
}

/** What BambooHR says of somebody at this moment. */
interface Employee {
  starter: NewStarter
  /** Not to be announced. */
  held: boolean
  /** With the company no more. */
  left: boolean
}

const access = 'api_key, and what the access level of its user may see'

/**
 * Reads one employee, asking for the allowed fields only; `undefined` when BambooHR has no such
 * employee. Throws when BambooHR does not answer, or shows the key too little to be sure.
 * https://documentation.bamboohr.com/reference/get-employee
 */
export async function readEmployee(
  { employee_id, check_status }: EmployeeEvent,
  settings: Settings,
  provider: ProviderApi,
): Promise<Employee | undefined> {
  const { hold_field } = settings
  const asked = [...Object.keys(told)]
  if (check_status) asked.push('status')
  if (hold_field !== undefined) asked.push(hold_field)
  const answer = await requestProvider(
    { provider, name: 'BambooHR', headers: { authorization: basic(settings) }, check: access },
    address(settings, employee_id, asked),
    // Loose only until the two marks below are read.
    v.looseObject(told),
  )
  if (answer === undefined) return undefined
  // BambooHR leaves out what a key may not see.
  if (!Object.keys(told).some((name) => answer[name]))
    throw new Error(`BambooHR showed nothing of the employee. Check ${access}.`)
  if (hold_field !== undefined && !Object.hasOwn(answer, hold_field))
    throw new Error(
      `BambooHR did not show the field that hold_field names. Check it and ${access}.`,
    )
  return {
    starter: {
      firstName: answer.preferredName?.trim() || answer.firstName,
      lastName: answer.lastName,
      jobTitle: answer.jobTitle,
      departments: [answer.department],
      locations: [answer.location],
      startDate: answer.hireDate,
    },
    held: hold_field !== undefined && isSet(answer[hold_field]),
    left: check_status && answer['status'] === 'Inactive',
  }
}

/** With `onlyCurrent=false`, since a job that begins on the first day is not current before it. */
function address({ company_domain, api_base_url }: Settings, id: string, fields: string[]): URL {
  const base = api_base_url ?? `https://${company_domain}.bamboohr.com`
  const url = apiUrl(base, '/api/v1', `/employees/${id}/`)
  url.search = `fields=${fields.join(',')}&onlyCurrent=false`
  return url
}

const basic = ({ api_key: [key] }: Settings) =>
  `Basic ${Buffer.from(`${key}:x`).toString('base64')}`

/** Whatever a field may hold for a yes; in doubt, a person is not announced. */
const isSet = (value: unknown) =>
  !['', 'no', 'false', '0'].includes(
    String(value ?? '')
      .trim()
      .toLowerCase(),
  )
