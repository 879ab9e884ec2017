import * as v from 'valibot'
import { type AppError, type FieldError, validationFailed } from './errors.ts'

/**
 * Parses the input with a schema. Throws `validation_failed` with all errors of the input. `root`
 * says what their pointers refer to: a body (RFC 6901) or the parameters of a query.
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

/** The `validation_failed` with all errors of an input that the schema rejects. */
export function inputError(
  schema: v.GenericSchema,
  input: unknown,
  root: 'body' | 'query' = 'body',
): AppError {
  const issues = v.safeParse(schema, input).issues ?? []
  const unknown = unknownNames(schema, input)
  const errors = issues.map((issue) => fieldErrorOf(issue, root))
  // Valibot stops at the first unknown name; the response lists all of them.
  const otherErrors = errors.filter(({ code }) => code !== 'unknown_field')
  if (otherErrors.length < errors.length) {
    // The names of a variant's fields are not known here, so the first unknown name is reported.
    const unknownErrors = [...otherErrors, ...unknown.map(unknownField)]
    return validationFailed(unknown.length > 0 ? unknownErrors : errors)
  }
  const isFieldMissing = errors.some(({ code }) => code === 'required')
  return validationFailed(errors, isFieldMissing ? { unmapped: unknown } : {})
}

/** All errors of the input; none when the schema accepts it. */
export function fieldErrorsOf(schema: v.GenericSchema, input: unknown): FieldError[] {
  return (v.safeParse(schema, input).issues ?? []).map((issue) => fieldErrorOf(issue, 'body'))
}

/** Names that were sent and are unknown, such as `subject` when nobody has mapped it to `title`. */
function unknownNames(schema: v.GenericSchema, input: unknown): string[] {
  if (typeof input !== 'object' || input === null || !('entries' in schema)) return []
  const known = Object.keys(schema.entries ?? {})
  // Other text is not repeated in an error, because it may be content.
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

function fieldErrorOf(issue: v.BaseIssue<unknown>, root: 'body' | 'query'): FieldError {
  const keys = (issue.path ?? []).map(({ key }) => String(key))
  const { code, message } = describe(issue)
  // A query parameter's values are a list; the name of the parameter is enough.
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
