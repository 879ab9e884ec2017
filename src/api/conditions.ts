import { invalidField } from '../lib/errors.ts'
import type { Answer } from './operation.ts'

/** A GET whose `If-None-Match` names the current tag is answered 304 (RFC 9110, section 13.1.2). */
export function notModified(request: Request, answer: Answer): Answer {
  const asked = request.headers.get('if-none-match')
  const etag = answer.headers?.['etag']
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads || asked === null || etag === undefined || answer.alwaysFull) return answer
  const tags = asked.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*') ? { status: 304, headers: { etag } } : answer
}

/**
 * The version a caller insists on by `If-Match`, or null when any will do. A list names several; a
 * tag that was never ours matches nothing. Throws `validation_failed` for what is not a tag.
 */
export function expectedVersions(request: Request): number[] | null {
  const asked = request.headers.get('if-match')
  if (asked === null || asked.trim() === '*') return null
  const tags = asked.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^(?:W\/)?"[^"]*"$/.test(tag))) {
    throw invalidField('If-Match', 'If-Match must be a tag such as "v3", with its quotes')
  }
  return tags.map((tag) => Number(/^"v(\d+)"$/.exec(tag)?.[1] ?? 0))
}

/** How `If-Match` is documented where it counts. */
export const ifMatch = {
  'If-Match': 'The version you read, such as `"v3"`: 412 when it has changed since.',
}

/** How the tag of a versioned resource is documented. */
export const entityTag = {
  ETag: 'The version, to send back as `If-Match` or `If-None-Match`.',
}

/** True when a client would rather have a page than JSON: browsers say so, programs do not. */
export function prefersHtml(request: Request): boolean {
  const quality = new Map<string, number>()
  for (const range of (request.headers.get('accept') ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    quality.set(type, Number(q) || 0)
  }
  return (quality.get('text/html') ?? 0) > (quality.get('application/json') ?? 0)
}
