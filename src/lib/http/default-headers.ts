/**
 * The headers of a response unless its route sets others. `baseUrl` is how people reach the service: over https, browsers
 * use nothing else (HSTS, RFC 6797).
 */
export function defaultHeaders(baseUrl: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(baseUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  }
}
