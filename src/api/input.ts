import { AppError } from '../lib/errors.ts'
import { readBytes } from '../lib/read-body.ts'

/** The largest body of a REST call, in bytes. */
const maxRequestBytes = 256 * 1024
const maxDepth = 32

/**
 * The JSON of a request's body, and its bytes. An empty body is an empty object, whatever its type.
 * Throws `unsupported_media_type`, `too_large` (before the body is buffered) and `invalid_json`.
 */
export async function readJson(request: Request): Promise<{ json: unknown; bytes: Uint8Array }> {
  const bytes = await readBytes(request, maxRequestBytes)
  if (bytes.length === 0) return { json: {}, bytes }
  requireJsonType(request.headers)
  const text = decodeUtf8(bytes)
  requireShallow(text)
  try {
    return { json: JSON.parse(text), bytes }
  } catch {
    throw new AppError('invalid_json', 'The body is not valid JSON.')
  }
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

/** Refuses deep nesting before a parser sees it; brackets inside strings do not count. */
function requireShallow(text: string): void {
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > maxDepth) {
      throw new AppError('invalid_json', `The body is nested deeper than ${maxDepth} levels.`)
    }
  }
}
