import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { sessionCookieName } from '../../features/sessions/index.ts'

/** A sentence for the next page. */
export interface Flash {
  tone: 'good' | 'bad'
  text: string
}

/** Makes and checks what proves that a form or a cookie is from here. */
export interface CsrfAndFlash {
  /** A token for the forms of one session. */
  csrfToken(sessionId: string): string
  isCsrfToken(sessionId: string, token: string): boolean
  /** The cookie that carries a sentence to the next page. */
  flashCookie(flash: Flash): string
  /** The sentence in the cookies of a request, and the cookie that clears it. */
  readFlash(cookies: string): { flash: Flash; clear: string } | null
}

const flashSeconds = 60

/** Seals under the installation's secret. */
export function createCsrfAndFlash(secret: string, baseUrl: string): CsrfAndFlash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tidings console', 32))
  const seal = (purpose: string, text: string) =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest().subarray(0, 24)
  const fits = (purpose: string, text: string, mark: string) => {
    const wanted = seal(purpose, text)
    const given = Buffer.from(mark, 'base64url')
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }
  const secure = baseUrl.startsWith('https:')
  const name = sessionCookieName(baseUrl).replace('session', 'flash')
  const cookie = (value: string, maxAge: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    csrfToken: (sessionId) => seal('form', sessionId).toString('base64url'),
    isCsrfToken: (sessionId, token) => fits('form', sessionId, token),
    flashCookie({ tone, text }) {
      const value = Buffer.from(`${tone} ${text}`).toString('base64url')
      return cookie(`${value}.${seal('flash', value).toString('base64url')}`, flashSeconds)
    },
    readFlash(cookies) {
      const found = cookies.split(/;\s*/).find((part) => part.startsWith(`${name}=`))
      const [value = '', mark = ''] = (found?.slice(name.length + 1) ?? '').split('.')
      if (value === '' || !fits('flash', value, mark)) return null
      const sentence = Buffer.from(value, 'base64url').toString()
      const tone = sentence.startsWith('bad ') ? 'bad' : 'good'
      return { flash: { tone, text: sentence.slice(tone.length + 1) }, clear: cookie('', 0) }
    },
  }
}
