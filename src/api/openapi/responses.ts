import type { JsonSchema } from '@valibot/to-json-schema'
import { AppError, type ErrorCode, validationFailed } from '../../lib/errors.ts'
import { errorTitle, problemOf, statusOf } from '../../lib/http/index.ts'
import { errorCodes, errorExplanations } from '../errors/codes.ts'
import type { SchemaWriter } from './json-schema.ts'
import type { Operation } from './operation.ts'

type Headers = Record<string, object>

const text = { type: 'string' } satisfies JsonSchema
const seconds = { type: 'integer', minimum: 1 } satisfies JsonSchema

/** The headers that several responses have, for the document's `components`. */
export const sharedHeaders = {
  'X-Request-Id': { description: 'Names this request in our log.', schema: text },
  RateLimit: {
    description: 'With a valid key: requests left (`r`) and seconds until that changes (`t`).',
    schema: text,
    example: '"default";r=59;t=60',
  },
  'RateLimit-Policy': {
    description: 'With a valid key: requests (`q`) it may make in a window of seconds (`w`).',
    schema: text,
    example: '"default";q=60;w=60',
  },
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: seconds },
  'WWW-Authenticate': { description: 'How to send a key.', schema: text, example: 'Bearer' },
  Location: { description: 'Where the new resource is.', schema: text },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored response to the same Idempotency-Key.',
    schema: text,
  },
  Link: { description: 'The first, previous, next and last page (RFC 8288).', schema: text },
}

const refer = (...names: (keyof typeof sharedHeaders)[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const describeHeaders = (descriptions: Record<string, string>): Headers =>
  Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      { description, schema: text },
    ]),
  )

/** True when the response is stored under an Idempotency-Key. */
export const supportsIdempotencyKey = ({ method, body }: Operation) =>
  method === 'POST' && body !== undefined

/** True when an If-None-Match with the present ETag gets 304. */
export const supportsIfNoneMatch = ({ method, responseHeaders = {} }: Operation) =>
  method === 'GET' && 'ETag' in responseHeaders

/** Every response of an operation, by status: the successes, then the errors. */
export function responsesOf(operation: Operation, isList: boolean, writer: SchemaWriter) {
  const always = refer('X-Request-Id', 'RateLimit', 'RateLimit-Policy')
  const own = describeHeaders(operation.responseHeaders ?? {})
  const schemaOf = ({ schemas }: Operation, status: string) => {
    const schema = schemas[status]
    return schema && writer.response(schema)
  }
  const successes = Object.entries(operation.responses).map(([status, success]) => [
    status,
    {
      description: success.description,
      headers: {
        ...always,
        ...(status === '201' && refer('Location')),
        ...(isList && refer('Link')),
        ...(supportsIdempotencyKey(operation) && refer('Idempotent-Replayed')),
        ...own,
      },
      ...(success.example !== undefined && {
        content: {
          'application/json': { schema: schemaOf(operation, status), example: success.example },
          ...(success.html && { 'text/html': { schema: text } }),
        },
      }),
    },
  ])
  const unchanged = { description: 'Unchanged since that version.', headers: { ...always, ...own } }
  return {
    ...Object.fromEntries(successes),
    ...(supportsIfNoneMatch(operation) && { 304: unchanged }),
    ...errorResponses(errorCodesOf(operation)),
  }
}

/** The error codes of an operation: those of the checks that every request passes, and its own. */
export function errorCodesOf(operation: Operation): Set<ErrorCode> {
  const { scope, allowIngestOnly, path, query, body, requestHeaders = {}, errors = [] } = operation
  const conditional = 'If-Match' in requestHeaders
  const codes = new Set<ErrorCode>(['missing_key', 'invalid_key', 'revoked_key', 'expired_key'])
  const add = (applies: unknown, ...more: ErrorCode[]) => {
    if (applies) for (const code of more) codes.add(code)
  }
  add(scope !== 'any' || !allowIngestOnly, 'insufficient_scope')
  add(path.includes(':'), 'not_found')
  add(body, 'invalid_json', 'too_large', 'unsupported_media_type')
  add(body || query || conditional, 'validation_failed')
  add(conditional, 'version_mismatch')
  add(supportsIdempotencyKey(operation), 'idempotency_key_reused', 'request_in_progress')
  add(true, ...errors, 'rate_limited', 'internal_error', 'database_unavailable')
  return codes
}

function errorResponses(codes: Set<ErrorCode>) {
  const byStatus = Map.groupBy(codes, (code) => statusOf[code])
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [status, problemResponse(status, those)]),
  )
}

function problemResponse(status: number, codes: ErrorCode[]) {
  return {
    description: codes
      .map((code) => `\`${code}\`: ${errorExplanations[code].meaning}`)
      .join('\n\n'),
    headers: {
      ...refer('X-Request-Id'),
      ...(status === 401 ? refer('WWW-Authenticate') : refer('RateLimit', 'RateLimit-Policy')),
      ...([429, 503].includes(status) && refer('Retry-After')),
      ...(status === 412 && describeHeaders({ ETag: 'The present version.' })),
    },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  }
}

const exampleErrors: Partial<Record<ErrorCode, AppError>> = {
  insufficient_scope: new AppError(
    'insufficient_scope',
    errorExplanations.insufficient_scope.meaning,
    {
      extra: { required_scope: 'write' },
    },
  ),
  validation_failed: validationFailed([
    { pointer: '/title', code: 'required', message: 'title is required' },
    { pointer: '/body', code: 'required', message: 'body is required' },
  ]),
}

/** One problem document for every code of the operations, for the document's `components`. */
export function problemExamples(operations: readonly Operation[]) {
  const used = new Set(operations.flatMap((operation) => [...errorCodesOf(operation)]))
  used.add('malformed_request')
  return Object.fromEntries(
    errorCodes
      .filter((code) => used.has(code))
      .map((code) => {
        const error = exampleErrors[code] ?? new AppError(code, errorExplanations[code].meaning)
        const value = problemOf(error, '019a9f3e-2b7c-7d10-a3b4-c5d6e7f80912')
        return [code, { summary: errorTitle(code), value }]
      }),
  )
}

/** The response to a request that is not valid HTTP; every path can return it. */
export const malformedRequest = { 400: problemResponse(400, ['malformed_request']) }
