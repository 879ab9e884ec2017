import { AppError, invalidField } from '../lib/errors.ts'
import { readBytes } from '../lib/http/index.ts'
import { findJsonFault } from './json-position.ts'

/** The largest body of a REST call, in bytes; images are larger. */
const maxRequestBytes = 256 * 1024
const maxDepth = 32

/** Reads a body: as JSON, and its bytes. */
export type ReadBody = (request: Request) => Promise<{ json: unknown; bytes: Uint8Array }>

/**
 * The JSON of a request's body, and its bytes. An empty body is an empty object, whatever its type.
 * Throws `unsupported_media_type`, `too_large` (before the body is buffered) and `invalid_json`.
 */
export async function readJson(
  request: Request,
  maxBytes = maxRequestBytes,
): Promise<{ json: unknown; bytes: Uint8Array }> {
  const bytes = await readBytes(request, maxBytes)
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
  const fault = findJsonFault(text)
  if (!fault) return new AppError('invalid_json', 'The body is not valid JSON.')
  const { line, column, reason } = fault
  const detail = `The body is not valid JSON: ${reason} at line ${line}, column ${column}.`
  return new AppError('invalid_json', detail, { extra: { line, column } })
}

function requireJsonType(headers: Headers): void {
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

/** Where the string that starts at `start` ends; each character is looked at once. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
