import * as v from 'valibot'
import type { ApiDeps } from '../../src/api/index.ts'
import { type Operation, operationsOf } from '../../src/api/openapi/operation.ts'
import { errorCodesOf } from '../../src/api/openapi/responses.ts'
import { v1 } from '../../src/api/v1/index.ts'
import { fieldErrorCodes, Problem } from '../../src/contract/problem.ts'

/** Every route of the API, as its document describes it. Routes use their dependencies only when called. */
export const operations: readonly Operation[] = operationsOf(v1({} as ApiDeps).routes)

interface Seen {
  status: number
  headers: Headers
  text: string
  json: unknown
}

/**
 * Throws unless an answer is one that its operation promises: a success with its schema, a failure
 * as a problem document with a code and members the OpenAPI document names. Where a client asked for some fields only,
 * tests compare these themselves.
 */
export function requirePromised(method: string, path: string, seen: Seen): void {
  const operation = operationFor(method, path)
  try {
    if (seen.status >= 400) requireProblem(operation, seen)
    else if (seen.status !== 304 && !/[?&]fields=/.test(path)) {
      requireSuccess(operation, seen, method)
    }
  } catch (cause) {
    throw new Error(`${method} ${path} broke its promise: ${seen.status} ${seen.text}`, { cause })
  }
}

function requireSuccess(operation: Operation | undefined, seen: Seen, method: string): void {
  const reply = operation?.responses[seen.status]
  const schema = operation?.schemas[seen.status]
  if (!operation || !reply || !schema) throw new Error('no operation promises this status')
  requireTag(operation, seen)
  if (method === 'HEAD' || seen.status === 204) {
    if (seen.text !== '') throw new Error('a body where none was promised')
  } else if (seen.headers.get('content-type')?.startsWith('text/html')) {
    if (!reply.html) throw new Error('a page where none was promised')
  } else v.parse(schema, seen.json)
}

function requireTag({ responseHeaders = {} }: Operation, { headers }: Seen): void {
  if (headers.has('etag') && !('ETag' in responseHeaders))
    throw new Error('a tag where none was promised')
}

function requireProblem(operation: Operation | undefined, seen: Seen): void {
  if (seen.text === '') return
  const { code, status, fields = [] } = v.parse(v.strictObject(Problem.entries), seen.json)
  for (const field of fields) v.parse(v.picklist(fieldErrorCodes), field.code)
  if (seen.headers.get('content-type') !== 'application/problem+json') {
    throw new Error('the type is not that of problem documents')
  }
  if (status !== seen.status) throw new Error('the body has another status')
  const promised: Set<string> | undefined = operation && errorCodesOf(operation)
  if (promised && !promised.has(code)) throw new Error('the operation does not name this code')
}

/** The operation that a request meets; a literal path goes before one with parameters. */
function operationFor(method: string, path: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  const [pathname = ''] = path.split('?')
  const parameters = (operation: Operation) => operation.path.split(':').length
  return operations
    .filter((operation) => operation.method === wanted && patternOf(operation).test(pathname))
    .toSorted((one, other) => parameters(one) - parameters(other))[0]
}

const patternOf = ({ path }: Operation) =>
  new RegExp(`^${path.slice('/api/v1'.length).replaceAll(/:\w+/g, '[^/]+')}/?$`)
