import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { sessionCookieName } from '../../../features/sessions/index.ts'

/** A message that the next page shows once. */
export interface Flash {
  tone: 'success' | 'danger'
  text: string
}

/** Creates and verifies CSRF tokens and signed flash cookies. */
export interface CsrfAndFlash {
  /** The CSRF token of a session, masked: each has another text, so that the size of a compressed page says nothing about it. */
  csrfToken(sessionId: string): string
  isCsrfToken(sessionId: string, token: string): boolean
  /** The `Set-Cookie` value that passes a message to the next page. */
  flashCookie(flash: Flash): string
  /** The message in the cookies of a request and the cookie that clears it, or null. */
  readFlash(cookies: string): { flash: Flash; clear: string } | null
}

const flashSeconds = 60

/** A text as random bytes of its length and, with these, its own (exclusive or), as hexadecimal. */
function mask(text: string): string {
  const bytes = Buffer.from(text)
  const random = randomBytes(bytes.length)
  return Buffer.concat([random, exclusiveOr(bytes, random)]).toString('hex')
}

/** The text that was masked; empty for what `mask` does not return, because decoding ignores other characters. */
function unmask(masked: string): string {
  const bytes = Buffer.from(masked, 'hex')
  if (bytes.toString('hex') !== masked) return ''
  const half = bytes.length / 2
  return exclusiveOr(bytes.subarray(0, half), bytes.subarray(half)).toString()
}

const exclusiveOr = (bytes: Buffer, others: Buffer): Buffer =>
  Buffer.from(bytes.map((byte, index) => byte ^ (others[index] ?? 0)))

/** Signs tokens and cookies with a key that is derived from the secret of the installation. */
export function createCsrfAndFlash(secret: string, baseUrl: string): CsrfAndFlash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tidings console', 32))
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', key)
      .update(`${purpose}\n${text}`)
      .digest()
      .subarray(0, 24)
      .toString('base64url')
  const verify = (purpose: string, text: string, signature: string) => {
    // Compared as text: decoding ignores characters that base64 does not have.
    const expected = Buffer.from(sign(purpose, text))
    const actual = Buffer.from(signature)
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  }
  const secure = baseUrl.startsWith('https:')
  const name = sessionCookieName(baseUrl).replace('session', 'flash')
  const cookie = (value: string, maxAge: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    csrfToken: (sessionId) => mask(sign('form', sessionId)),
    isCsrfToken: (sessionId, token) => verify('form', sessionId, unmask(token)),
    flashCookie({ tone, text }) {
      const value = Buffer.from(`${tone} ${text}`).toString('base64url')
      return cookie(`${value}.${sign('flash', value)}`, flashSeconds)
    },
    readFlash(cookies) {
      const pair = cookies.split(/;\s*/).find((part) => part.startsWith(`${name}=`))
      const [value = '', signature = ''] = (pair?.slice(name.length + 1) ?? '').split('.')
      if (value === '' || !verify('flash', value, signature)) return null
      const text = Buffer.from(value, 'base64url').toString()
      const tone = text.startsWith('danger ') ? 'danger' : 'success'
      return { flash: { tone, text: text.slice(tone.length + 1) }, clear: cookie('', 0) }
    },
  }
}
