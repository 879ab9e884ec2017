import type { Context } from 'elysia'
import { invalidField } from '../lib/errors.ts'
import { versionHeaders, versionOfEtag } from '../lib/versions.ts'
import { apiRequestOf } from './authentication.ts'

/**
 * Sets the ETag of the resource in the response. When the request's `If-None-Match` names it, the
 * `access` macro responds with 304 (RFC 9110, section 13.1.2) instead of what the handler returns.
 */
export function setVersion(
  request: Request,
  set: Context['set'],
  resource: Parameters<typeof versionHeaders>[0],
): void {
  const { etag } = versionHeaders(resource)
  set.headers['etag'] = etag
  const known = request.headers.get('if-none-match')
  if (known === null) return
  const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  apiRequestOf(request).isNotModified = tags.includes(etag) || tags.includes('*')
}

/**
 * The versions that `If-Match` accepts, or null for any. A list names several; a tag that was never
 * ours matches nothing. Throws `validation_failed` for a value that is not a list of tags.
 */
export function expectedVersions(request: Request): number[] | null {
  const expected = request.headers.get('if-match')
  if (expected === null || expected.trim() === '*') return null
  const tags = expected.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^(?:W\/)?"[^"]*"$/.test(tag))) {
    throw invalidField('If-Match', 'If-Match must be a tag such as "v3", with its quotes')
  }
  return tags.map(versionOfEtag)
}

/** True when a client prefers a page to JSON: browsers say so, programs do not. */
export function prefersHtml(request: Request): boolean {
  const quality = new Map<string, number>()
  for (const range of (request.headers.get('accept') ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    quality.set(type, Number(q) || 0)
  }
  return (quality.get('text/html') ?? 0) > (quality.get('application/json') ?? 0)
}
