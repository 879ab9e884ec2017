import * as v from 'valibot'
import { type FieldFault, validationFailed } from './errors.ts'

/**
 * The value a schema makes of the input. Throws `validation_failed` with every fault at once;
 * `root` is what pointers start with (`''` for a body, `'?'` for a query).
 */
export function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  root: '' | '?' = '',
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input)
  if (result.success) return result.output
  throw validationFailed(result.issues.map((issue) => faultOf(issue, root)))
}

/** Every fault of the input; none when the schema takes it. */
export function faultsOf(schema: v.GenericSchema, input: unknown): FieldFault[] {
  return (v.safeParse(schema, input).issues ?? []).map((issue) => faultOf(issue, ''))
}

function faultOf(issue: v.BaseIssue<unknown>, root: '' | '?'): FieldFault {
  const keys = (issue.path ?? []).map(({ key }) => String(key))
  const { code, message } = describe(issue)
  // A query parameter's values are a list; people know the parameter, not the place in the list.
  const name = root === '?' ? (keys[0] ?? '') : keys.join('.')
  const pointer = root === '?' ? `?${name}` : keys.map((key) => `/${escapePointer(key)}`).join('')
  return { pointer, code, message: `${name || 'the body'} ${message}` }
}

/** RFC 6901, section 3. */
const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

function describe(issue: v.BaseIssue<unknown>): { code: string; message: string } {
  const aboutKey = issue.type === 'object' || issue.type === 'strict_object'
  if (aboutKey && issue.expected === 'never') {
    return { code: 'unknown_field', message: 'is not a field here' }
  }
  if (aboutKey && issue.received === 'undefined')
    return { code: 'required', message: 'is required' }
  if (aboutKey) return { code: 'type', message: 'must be a JSON object' }
  return { code: codeOf(issue), message: issue.message }
}

function codeOf(issue: v.BaseIssue<unknown>): string {
  if (issue.message === 'is required') return 'required'
  if (issue.kind === 'schema') return issue.type === 'picklist' ? 'not_allowed' : 'type'
  return 'invalid'
}
