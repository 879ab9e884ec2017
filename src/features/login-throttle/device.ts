import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { normalizeEmail } from '../../lib/text/email.ts'

const yearSeconds = 365 * 24 * 3600

/** Recognizes a device on which an account has signed in before. */
export interface Devices {
  /** The id of the device, when the cookies prove that this account has signed in on it. */
  find(cookie: string, email: string): string | undefined
  /** The cookie that proves it, for a year. */
  cookieFor(email: string): string
}

/**
 * Device cookies as in the OWASP cheat sheet "Slow Down Online Guessing Attacks with Device
 * Cookies": a random id and its signature over the account. They do not sign anybody in; they only
 * give a known device its own limit.
 */
export function createDevices(secret: string, baseUrl: string): Devices {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tidings devices', 32))
  const isSecure = baseUrl.startsWith('https:')
  const nameOf = (account: string) =>
    `${isSecure ? '__Host-' : ''}tidings_device_${createHash('sha256').update(account).digest('hex').slice(0, 8)}`
  const sign = (account: string, id: string) =>
    createHmac('sha256', key).update(`${account}\n${id}`).digest('base64url')
  return {
    find(cookie, email) {
      const account = normalizeEmail(email)
      const name = `${nameOf(account)}=`
      const found = cookie.split('; ').find((part) => part.startsWith(name))
      const [id = '', signature = ''] = found?.slice(name.length).split('.') ?? []
      // Compared as text: decoding ignores characters that base64 does not have.
      const given = Buffer.from(signature)
      const expected = Buffer.from(sign(account, id))
      if (id === '' || given.length !== expected.length) return undefined
      return timingSafeEqual(given, expected) ? id : undefined
    },
    cookieFor(email) {
      const account = normalizeEmail(email)
      const id = randomBytes(16).toString('base64url')
      const value = `${id}.${sign(account, id)}`
      const attributes = `Path=/; Max-Age=${yearSeconds}; HttpOnly; SameSite=Lax`
      return `${nameOf(account)}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`
    },
  }
}
