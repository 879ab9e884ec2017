/**
 * The security headers that every response of every route group has. `baseUrl` is how people reach the
 * service: over https, browsers use nothing else (HSTS, RFC 6797).
 */
export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(baseUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  }
}
