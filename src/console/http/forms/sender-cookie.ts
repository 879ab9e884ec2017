import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Proves that a browser has sent the news of a receipt. */
export interface SenderCookie {
  /** The `Set-Cookie` value for the browser that has sent the news of the receipt under this path. */
  set(receipt: string): string
  /** Whether the cookies of a request are those of that browser. */
  isSender(cookies: string, receipt: string): boolean
}

/** The time for which a receipt is kept. */
const maxAgeSeconds = 400 * 86_400

/** Signs the path of a receipt with the secret of the installation, in a cookie for this path only. */
export function createSenderCookie(secret: string, baseUrl: string): SenderCookie {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tidings senders of news', 32))
  const sign = (receipt: string) => createHmac('sha256', key).update(receipt).digest('base64url')
  const isSecure = baseUrl.startsWith('https:')
  // `__Host-` does not allow a path.
  const name = `${isSecure ? '__Secure-' : ''}tidings_sender`
  const secure = isSecure ? '; Secure' : ''
  return {
    set: (receipt) =>
      `${name}=${sign(receipt)}; Path=${receipt}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`,
    isSender(cookies, receipt) {
      const expected = Buffer.from(`${name}=${sign(receipt)}`)
      return cookies
        .split(/;\s*/)
        .map((pair) => Buffer.from(pair))
        .some((pair) => pair.length === expected.length && timingSafeEqual(pair, expected))
    },
  }
}
