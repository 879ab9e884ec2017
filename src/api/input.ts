import { createHash } from 'node:crypto'
import { ElysiaCustomStatusResponse, status } from 'elysia'
import type { IdempotencyKey } from '../features/idempotency/index.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { contextOf, type HigherLimit, readBytes } from '../lib/http/index.ts'
import { nearestName } from '../lib/text/nearest-name.ts'
import { apiRequestOf } from './authentication.ts'
import { findJsonError } from './errors/json-error.ts'

/** The largest body of a REST call, in bytes; images are larger. */
export const maxRequestBytes = 256 * 1024
const maxDepth = 32

/** Reads a body: as JSON, and as the bytes that a repetition with the Idempotency-Key must have too. */
export type ReadBody = (request: Request) => Promise<{ json: unknown; bytes: Uint8Array }>

/**
 * The JSON of a request's body, and its bytes. An empty body is an empty object, whatever its type.
 * Throws `unsupported_media_type`, `too_large` (before the body is buffered) and `invalid_json`.
 */
export async function readJson(
  request: Request,
  maxBytes = maxRequestBytes,
  higher?: HigherLimit,
): Promise<{ json: unknown; bytes: Uint8Array }> {
  const bytes = await readBytes(request, maxBytes, higher)
  if (bytes.length === 0) return { json: {}, bytes }
  requireJsonType(request.headers)
  const text = decodeUtf8(bytes)
  requireShallow(text)
  return { json: parseJson(text), bytes }
}

/** The object that a body's text is. Throws `invalid_json`, and `validation_failed` for a list. */
function parseJson(text: string): unknown {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw notJson(text)
  }
  // Valibot takes a list for an object without members.
  if (Array.isArray(json)) throw invalidField('', 'the body must be a JSON object', 'type')
  return json
}

/** Says where, so that a person finds the place in the template that builds the body. */
function notJson(text: string): AppError {
  const fault = findJsonError(text)
  if (!fault) return new AppError('invalid_json', 'The body is not valid JSON.')
  const { line, column, reason } = fault
  const detail = `The body is not valid JSON: ${reason} at line ${line}, column ${column}.`
  return new AppError('invalid_json', detail, { extra: { line, column } })
}

function requireJsonType(headers: Headers): void {
  if (headers.get('content-type') === 'application/json' && !headers.has('content-encoding')) return
  const [type = '', ...parameters] = (headers.get('content-type') ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const foreignCharset = parameters.some(
    (part) => part.startsWith('charset=') && !/^charset="?utf-?8"?$/.test(part),
  )
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (type === 'application/json' && !foreignCharset && encoding === 'identity') return
  throw new AppError(
    'unsupported_media_type',
    'Send the body as JSON in UTF-8, uncompressed, with Content-Type: application/json.',
  )
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AppError('invalid_json', 'The body is not valid UTF-8.')
  }
}

/** Throws `invalid_json` for deep nesting before a parser sees it; brackets inside strings do not count. */
function requireShallow(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    if (depth > maxDepth) {
      throw new AppError('invalid_json', `The body is nested deeper than ${maxDepth} levels.`)
    }
  }
}

/** Where the string that starts at `start` ends. Looks for quotes only, as most strings contain none. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at === -1 ? text.length : at
}

/** True for a character after an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

/** The request's Idempotency-Key with the hash of its body, or null without one. Throws as `idempotencyHeader`. */
export function idempotencyKeyOf(request: Request, body: Uint8Array): IdempotencyKey | null {
  const key = idempotencyHeader(request)
  return key === null ? null : { key, requestHash: createHash('sha256').update(body).digest('hex') }
}

/**
 * The header Idempotency-Key (`X-Idempotency-Key` means the same), or null. Throws
 * `validation_failed` unless it is 1 to 255 visible ASCII characters.
 */
export function idempotencyHeader(request: Request): string | null {
  const key = request.headers.get('idempotency-key') ?? request.headers.get('x-idempotency-key')
  if (key === null) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters'
    throw invalidField('Idempotency-Key', message)
  }
  return key
}

/**
 * The query's parameters by name: a text, or a list where a parameter is repeated. `name[]` is read
 * as `name`, and `api_key` is left out. Throws `validation_failed` for NUL, which PostgreSQL refuses.
 */
export function parseQuery(query: string): Record<string, string | string[]> {
  const parameters: Record<string, string | string[]> = {}
  if (query === '') return parameters
  for (const [key, value] of new URLSearchParams(query)) {
    const name = key.replace(/\[\]$/, '')
    if (name === 'api_key') continue
    if (value.includes('\0')) throw invalidField('?', 'a parameter contains a NUL character')
    addParameter(parameters, name, value)
  }
  return parameters
}

function addParameter(to: Record<string, string | string[]>, name: string, value: string): void {
  const earlier = Object.hasOwn(to, name) ? to[name] : undefined
  if (Array.isArray(earlier)) earlier.push(value)
  else to[name] = earlier === undefined ? value : [earlier, value]
}

/**
 * One sentence for each parameter of the request that the route does not know, with the nearest known
 * name. Where a route does not call this, the `access` macro does, and takes all for unknown.
 */
export function unknownParameters(
  request: Request,
  { entries }: { entries: Readonly<Record<string, unknown>> },
): string[] {
  apiRequestOf(request).areParametersChecked = true
  const known = Object.keys(entries)
  const sent = Object.keys(parseQuery(contextOf(request).query))
  const unknown = sent.filter((name) => !known.includes(name))
  return warningsFor('parameter', unknown, known)
}

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

/** One sentence for each of the first ten unknown names. */
export function warningsFor(
  kind: 'parameter' | 'field',
  unknown: readonly string[],
  known: readonly string[],
): string[] {
  return unknown.slice(0, 10).map((name) => {
    const nearest = nearestName(name, known)
    const shown = name.slice(0, 40)
    return `the ${kind} ${shown} is unknown and was ignored${nearest ? `; did you mean ${nearest}?` : ''}`
  })
}

const requiredFields = ['title', 'body']

/** An item as a tool sends it, without empty optional fields: `""` and spaces mean absent there, as null does. */
export function withoutEmptyFields(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  const isKept = ([name, value]: [string, unknown]) =>
    typeof value !== 'string' || value.trim() !== '' || requiredFields.includes(name)
  return Object.fromEntries(Object.entries(item).filter(isKept))
}
