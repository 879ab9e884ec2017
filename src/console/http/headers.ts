import { defaultHeaders } from '../../lib/http/index.ts'

const policy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The content security policy of a page with remote images. */
export const policyWithImages = policy.replace('data:', 'data: https: http:')

/** The headers of every console response; headers of a page replace them. */
export const consoleHeaders = (baseUrl: string): Record<string, string> => ({
  ...defaultHeaders(baseUrl),
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // With `no-referrer`, browsers send `Origin: null` with our own forms.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
})
