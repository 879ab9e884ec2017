import { createHash } from 'node:crypto'
import { toBody } from '../../../lib/http/index.ts'
import type { ConsoleRequest } from '../../http/context.ts'

const common = {
  // Browsers ask each time, so that a link that was replaced stops at once.
  'cache-control': 'private, no-cache',
  // The address is a secret.
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}

const basePolicy = ["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"]

/** The policy of our own pages: a style sheet, images, no script. */
export const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' https:",
  ...basePolicy,
].join('; ')

/** The policy of a page with an email: no script, no form, no origin; emails have inline styles. */
export const emailPolicy = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' https:",
  ...basePolicy,
].join('; ')

interface ArchiveResponse {
  body: string
  contentType: string
  policy: string
}

/** Responds with a page or a feed of the archive, or with 304 when the client has it. */
export function archiveResponse(
  { request }: ConsoleRequest,
  { body, contentType, policy }: ArchiveResponse,
): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const headers = { ...common, etag, 'content-security-policy': policy }
  const known = request.headers.get('if-none-match') ?? ''
  // A proxy that compresses makes the tag a weak one (RFC 9110, section 13.1.2).
  if (known.includes(etag)) return new Response(null, { status: 304, headers })
  return new Response(toBody(body), { headers: { ...headers, 'content-type': contentType } })
}
