const policy = [
  "default-src 'self'",
  // Pictures in content come from where their authors keep them.
  "img-src 'self' data: https: http:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** What every answer of the console carries; a page's own headers stand above these. */
export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    // Not "no-referrer": with it browsers send `Origin: null` with our own forms.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(baseUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  }
}
