import * as v from 'valibot'
import { described } from '../contract/described.ts'

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
