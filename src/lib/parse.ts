import * as v from 'valibot'
import { type AppError, type FieldError, validationFailed } from './errors.ts'

/** True for a Valibot schema, where Elysia accepts other kinds of schemas too. */
export const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && '~run' in value

/**
 * Parses the input with a schema. Throws `validation_failed` with the errors of the input. `root`
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

/** The `validation_failed` with the errors of an input, at most 100, that the schema rejects. */
export function inputError(
  schema: v.GenericSchema,
  input: unknown,
  root: 'body' | 'query' = 'body',
): AppError {
  const issues = issuesOf(schema, input)
  const unknown = unknownNames(schema, input)
  const errors = withoutFurther(issues.map((issue) => fieldErrorOf(schema, issue, root)))
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

/** A list can have thousands of wrong items. */
const maxErrors = 100

/** The first 100 things that a schema rejects in an input, also where one would do elsewhere in the process. */
const issuesOf = (schema: v.GenericSchema, input: unknown): v.BaseIssue<unknown>[] =>
  (v.safeParse(schema, input, { abortEarly: false }).issues ?? []).slice(0, maxErrors)

/** What else is wrong with an empty field is of no interest. */
function withoutFurther(errors: FieldError[]): FieldError[] {
  const isEmpty = ({ code }: FieldError) => code === 'empty' || code === 'required'
  const empty = errors.filter(isEmpty).map(({ pointer }) => pointer)
  return errors.filter((error) => isEmpty(error) || !empty.includes(error.pointer))
}

/** The fields of an input that fit their schemas, for checks that do not wait for the others. */
export function validPartOf<Entries extends v.ObjectEntries>(
  { entries }: { entries: Entries },
  input: Readonly<Record<string, unknown>>,
): Partial<v.InferOutput<v.StrictObjectSchema<Entries, undefined>>> {
  const valid = Object.keys(entries).flatMap((name) => {
    const schema = entries[name]
    const result = schema && Object.hasOwn(input, name) ? v.safeParse(schema, input[name]) : null
    return result?.success ? [[name, result.output]] : []
  })
  // Sound because each value is the output of the schema of its name.
  return Object.fromEntries(valid) as Partial<
    v.InferOutput<v.StrictObjectSchema<Entries, undefined>>
  >
}

/** The first 100 errors of the input; none when the schema accepts it. */
export function fieldErrorsOf(schema: v.GenericSchema, input: unknown): FieldError[] {
  const issues = issuesOf(schema, input)
  return withoutFurther(issues.map((issue) => fieldErrorOf(schema, issue, 'body')))
}

/** Names that were sent and are unknown, such as `subject` when nobody has mapped it to `title`. */
function unknownNames(schema: v.GenericSchema, input: unknown): string[] {
  if (typeof input !== 'object' || input === null || !('entries' in schema)) return []
  const known = Object.keys(schema.entries ?? {})
  // Other text is not repeated in an error, because it may be content.
  const readable = (name: string) =>
    /^[\p{L}\p{N}_.: -]{1,40}$/u.test(name) ? name : unreadableName
  return Object.keys(input)
    .filter((name) => !known.includes(name))
    .slice(0, 20)
    .map(readable)
}

const unreadableName = 'a name with other characters than letters, digits, spaces and _ . : -'

const unknownField = (name: string): FieldError => ({
  // The whole document, where the name is not repeated.
  pointer: name === unreadableName ? '' : `/${name}`,
  code: 'unknown_field',
  message: `${name} is not a field here`,
})

function fieldErrorOf(
  schema: v.GenericSchema,
  issue: v.BaseIssue<unknown>,
  root: 'body' | 'query',
): FieldError {
  const keys = (issue.path ?? []).map(({ key }) => String(key))
  const { code, message } = describe(issue, isOptional(schema, keys))
  // A query parameter's values are a list; the name of the parameter is enough.
  const name = root === 'query' ? (keys[0] ?? '') : keys.join('.')
  const pointer =
    root === 'query' ? `?${name}` : keys.map((key) => `/${escapePointer(key)}`).join('')
  return { pointer, code, message: `${name || 'the body'} ${message}` }
}

/** RFC 6901, section 3. */
const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** True when a client may leave out what is at this path: an optional field, or an entry of a list. */
function isOptional(schema: object, [key, ...rest]: readonly string[]): boolean {
  const inner = unwrapped(schema)
  if (key === undefined) return false
  const next = 'item' in inner ? inner.item : entryOf(inner, key)
  if (typeof next !== 'object' || next === null) return false
  if (rest.length > 0) return isOptional(next, rest)
  return 'item' in inner || 'wrapped' in next
}

/** The schema inside of `optional` and `nullable`. */
const unwrapped = (schema: object): object =>
  'wrapped' in schema && typeof schema.wrapped === 'object' && schema.wrapped !== null
    ? unwrapped(schema.wrapped)
    : schema

const entryOf = (schema: object, key: string): unknown =>
  'entries' in schema ? new Map(Object.entries(schema.entries ?? {})).get(key) : undefined

function describe(
  issue: v.BaseIssue<unknown>,
  isOptionalField: boolean,
): { code: string; message: string } {
  const aboutKey = issue.type === 'object' || issue.type === 'strict_object'
  if (aboutKey && issue.expected === 'never') {
    return { code: 'unknown_field', message: 'is not a field here' }
  }
  if (aboutKey && issue.received === 'undefined') {
    return { code: 'required', message: 'is required' }
  }
  const isNoVariant = issue.type === 'variant' && issue.path === undefined
  if (aboutKey || isNoVariant) return { code: 'type', message: 'must be a JSON object' }
  if (issue.message === 'is required' && isOptionalField) {
    return { code: 'empty', message: 'must not be empty' }
  }
  return { code: codeOf(issue), message: plainMessage(issue) }
}

/** The message of a schema, or a plain sentence for Valibot's own, which repeats types and input. */
function plainMessage({ message, type, expected }: v.BaseIssue<unknown>): string {
  if (!/^Invalid [\w ]+: (?:Expected|Received) /.test(message)) return message
  if (type === 'picklist' || type === 'literal') {
    return `must be one of ${(expected ?? '').replaceAll(/["()]/g, '').replaceAll(' | ', ', ')}`
  }
  return plainTypes[type] ?? 'is not valid'
}

const plainTypes: Readonly<Record<string, string>> = {
  array: 'must be a list',
  boolean: 'must be true or false',
  number: 'must be a number',
  integer: 'must be a whole number',
  string: 'must be a string',
}

function codeOf(issue: v.BaseIssue<unknown>): string {
  if (issue.message === 'is required') return 'required'
  if (issue.type === 'picklist' || issue.type === 'variant') return 'not_allowed'
  if (issue.kind === 'schema') return 'type'
  return 'invalid'
}
