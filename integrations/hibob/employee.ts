import * as v from 'valibot'
import type { NewStarter } from '../kit/people.ts'
import { ProviderError } from '../kit/provider-error.ts'
import type { ProviderApi } from '../kit/requests/provider-request.ts'
import { apiUrl, requestProvider } from '../kit/requests/provider-request.ts'
import type { EmployeeEvent } from './event.ts'
import type { Settings } from './settings.ts'

/** The only fields of a person that readers may see. */
const fields = [
  'root.firstName',
  'root.surname',
  'work.title',
  'work.department',
  'work.site',
  'work.startDate',
]

const Text = v.fallback(v.nullish(v.string()), null)
const Field = v.fallback(v.nullish(v.object({ value: Text })), null)

/**
 * The fields in HiBob's own form, and the names of list items. HiBob returns further fields with
 * them, which are not read.
 * Source: https://apidocs.hibob.com/docs/how-to-work-with-lists-public-api
 */
const Employee = v.object({
  '/root/firstName': Field,
  '/root/surname': Field,
  '/work/startDate': Field,
  humanReadable: v.fallback(
    v.nullish(
      v.object({
        work: v.fallback(v.nullish(v.object({ title: Text, department: Text, site: Text })), null),
      }),
    ),
    null,
  ),
})

const check = 'service_user_id, service_user_token and the permissions of the service user'

/** HiBob shows a change at most this late. */
const delaySeconds = 20

/**
 * Reads the allowed fields of one employee; `undefined` when HiBob has no such employee. Throws a
 * `ProviderError` when HiBob does not respond, or shows no name.
 * Source: https://apidocs.hibob.com/reference/post_people-identifier
 */
export async function readEmployee(
  { employee_id }: EmployeeEvent,
  settings: Settings,
  provider: ProviderApi,
): Promise<NewStarter | undefined> {
  const base = settings.api_base_url ?? 'https://api.hibob.com'
  const employee = await requestProvider(
    {
      provider,
      name: 'HiBob',
      headers: { authorization: basic(settings) },
      check,
      json: { fields, humanReadable: 'APPEND' },
    },
    apiUrl(base, '/v1', `/people/${employee_id}`),
    Employee,
  )
  return employee && starterOf(employee)
}

function starterOf(employee: v.InferOutput<typeof Employee>): NewStarter {
  const firstName = employee['/root/firstName']?.value
  const lastName = employee['/root/surname']?.value
  // HiBob leaves out fields that a service user may not read, and those that it does not show yet.
  if (!firstName?.trim() && !lastName?.trim())
    throw new ProviderError(
      'unavailable',
      `HiBob showed no name of the employee. Check ${check}.`,
      delaySeconds,
    )
  const work = employee.humanReadable?.work
  return {
    firstName,
    lastName,
    jobTitle: nameOf(work?.title),
    departments: [nameOf(work?.department)],
    locations: [nameOf(work?.site)],
    startDate: employee['/work/startDate']?.value,
  }
}

/** The name of a list item. A number is the id of an item that has no name. */
const nameOf = (item: string | null | undefined) => (item && /^\s*\d+\s*$/.test(item) ? null : item)

function basic({ service_user_id, service_user_token: [token] }: Settings): string {
  return `Basic ${Buffer.from(`${service_user_id}:${token}`).toString('base64')}`
}
