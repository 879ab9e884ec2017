import * as v from 'valibot'
import { type AppError, type FieldError, validationFailed } from './errors.ts'

/**
 * The value a schema makes of the input. Throws `validation_failed` with every fault at once;
 * `root` tells what a fault's pointer starts from: a body (RFC 6901) or a query's parameters.
 */
export function parseInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  root: 'body' | 'query' = 'body',
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input)
  if (result.success) return result.output
  throw inputError(schema, input, root)
}

/** The `validation_failed` with every fault of an input that the schema does not take. */
export function inputError(
  schema: v.GenericSchema,
  input: unknown,
  root: 'body' | 'query' = 'body',
): AppError {
  const issues = v.safeParse(schema, input).issues ?? []
  const unknown = unknownNames(schema, input)
  const faults = issues.map((issue) => faultOf(issue, root))
  // Valibot stops at the first unknown name; people want to hear of all.
  const told = faults.filter(({ code }) => code !== 'unknown_field')
  if (told.length < faults.length) {
    // The names of a variant's fields are not known here; its first unknown name has to do.
    return validationFailed(unknown.length > 0 ? [...told, ...unknown.map(unknownField)] : faults)
  }
  const misnamed = faults.some(({ code }) => code === 'required')
  return validationFailed(faults, misnamed ? { unmapped: unknown } : {})
}

/** Every fault of the input; none when the schema takes it. */
export function fieldErrorsOf(schema: v.GenericSchema, input: unknown): FieldError[] {
  return (v.safeParse(schema, input).issues ?? []).map((issue) => faultOf(issue, 'body'))
}

/** Names that were sent and mean nothing here: no-code tools forget to map `subject` to `title`. */
function unknownNames(schema: v.GenericSchema, input: unknown): string[] {
  if (typeof input !== 'object' || input === null || !('entries' in schema)) return []
  const known = Object.keys(schema.entries ?? {})
  // Only what reads like a name: an error must not repeat somebody's text.
  const readable = (name: string) => (/^[\w.-]{1,40}$/.test(name) ? name : 'an unreadable name')
  return Object.keys(input)
    .filter((name) => !known.includes(name))
    .slice(0, 20)
    .map(readable)
}

const unknownField = (name: string): FieldError => ({
  pointer: `/${name}`,
  code: 'unknown_field',
  message: `${name} is not a field here`,
})

function faultOf(issue: v.BaseIssue<unknown>, root: 'body' | 'query'): FieldError {
  const keys = (issue.path ?? []).map(({ key }) => String(key))
  const { code, message } = describe(issue)
  // A query parameter's values are a list; people know the parameter, not the place in the list.
  const name = root === 'query' ? (keys[0] ?? '') : keys.join('.')
  const pointer =
    root === 'query' ? `?${name}` : keys.map((key) => `/${escapePointer(key)}`).join('')
  return { pointer, code, message: `${name || 'the body'} ${message}` }
}

/** RFC 6901, section 3. */
const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

function describe(issue: v.BaseIssue<unknown>): { code: string; message: string } {
  const aboutKey = issue.type === 'object' || issue.type === 'strict_object'
  if (aboutKey && issue.expected === 'never') {
    return { code: 'unknown_field', message: 'is not a field here' }
  }
  if (aboutKey && issue.received === 'undefined') {
    return { code: 'required', message: 'is required' }
  }
  if (aboutKey) return { code: 'type', message: 'must be a JSON object' }
  return { code: codeOf(issue), message: issue.message }
}

function codeOf(issue: v.BaseIssue<unknown>): string {
  if (issue.message === 'is required') return 'required'
  if (issue.kind === 'schema') return issue.type === 'picklist' ? 'not_allowed' : 'type'
  return 'invalid'
}
