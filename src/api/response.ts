import { ElysiaCustomStatusResponse, status } from 'elysia'
import * as v from 'valibot'
import { described } from '../contract/described.ts'
import { contextOf } from '../lib/http/index.ts'
import { apiRequestOf } from './authentication.ts'
import { unknownParameters } from './input.ts'

const declarations = new WeakMap<object, v.GenericSchema>()

/**
 * The response schemas of a route, by status: for the types, the OpenAPI document and the tests,
 * which check every response against them. Requests are not checked: an error after the commit would
 * report a stored change as a 500.
 */
export function responses<const Schemas extends Record<number, v.GenericSchema>>(
  schemas: Schemas,
): Schemas {
  const declared = Object.entries(schemas).map(([status, schema]) => [status, declare(schema)])
  // Sound because each value is the same schema, apart from what Elysia calls at run time.
  return Object.fromEntries(declared) as Schemas
}

function declare(schema: v.GenericSchema): v.GenericSchema {
  const standard = { ...schema['~standard'], validate: (value: unknown) => ({ value }) }
  const declaration = { ...schema, '~standard': standard }
  declarations.set(declaration, schema)
  return declaration
}

/** The schema that a declared response stands for. */
export const declaredSchema = (declaration: object): v.GenericSchema | undefined =>
  declarations.get(declaration)

/** What a person should look at, such as ignored parameters and removed words. */
const warningsField = v.optional(
  described(
    v.array(v.string()),
    'What to look at, one sentence each; absent when there is nothing.',
    ['the parameter feilds is unknown and was ignored; did you mean fields?'],
  ),
)

/** The response with one resource under its name. */
export const resource = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject({ ...entries, warnings: warningsField })

/** The response of a DELETE: 204 without a body. */
export const NoContent = v.undefined()
export const noContent = { status: 204, body: undefined } as const

/**
 * The response of a route without parameters, with a warning for each parameter that was sent; undefined
 * leaves the response as it is. Routes with parameters report the unknown ones themselves.
 */
export function withParameterWarnings(request: Request, response: unknown): unknown {
  if (apiRequestOf(request).areParametersChecked || contextOf(request).query === '')
    return undefined
  const unknown = unknownParameters(request, { entries: {} })
  if (unknown.length === 0) return undefined
  if (response instanceof ElysiaCustomStatusResponse) {
    const body = withWarnings(response.response, unknown)
    return body && status(response.code, body)
  }
  return withWarnings(response, unknown)
}

function withWarnings(body: unknown, warnings: readonly string[]): object | undefined {
  if (typeof body !== 'object' || body === null || body instanceof Response) return undefined
  const earlier = 'warnings' in body && Array.isArray(body.warnings) ? body.warnings : []
  return { ...body, warnings: [...warnings, ...earlier] }
}
