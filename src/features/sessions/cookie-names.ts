/** `__Host-` binds a cookie to this very host over https (RFC 6265bis); over http nobody may use it. */
export const sessionCookieName = (baseUrl: string): string => cookieNameOf(baseUrl, 'session')

/** The name of a cookie of better-auth; see `sessionCookieName`. */
export const cookieNameOf = (
  baseUrl: string,
  purpose: 'session' | 'second_factor' | 'passkey' | 'oidc',
): string => `${baseUrl.startsWith('https:') ? '__Host-' : ''}tidings_${purpose}`
