import * as v from 'valibot'
import { sessionCookieName } from '../../features/sessions/index.ts'
import type { Now } from '../../lib/clock.ts'
import { createEncryption } from '../../lib/encryption.ts'

/** Carries what is shown once from the form that made it to the page that shows it. */
export interface OneTimeCookie {
  /** The cookie that carries a value to the page about `subject`, of this session alone. */
  set(sessionId: string, subject: string, value: string): string
  /** The value in the cookies of a request, and the cookie that ends it; null when it was shown. */
  consume(
    cookies: string,
    sessionId: string,
    subject: string,
  ): { value: string; clear: string } | null
}

const carriedSeconds = 120

const Carried = v.object({ value: v.string(), until: v.number() })

/**
 * Values sealed under the installation's secret, in a cookie for one page of one session and for two
 * minutes: nothing of them is in an address, in a database or in a log.
 */
export function createOneTimeCookie(secret: string, baseUrl: string, now: Now): OneTimeCookie {
  const vault = createEncryption(secret)
  const name = sessionCookieName(baseUrl).replace('session', 'once')
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = (value: string, maxAge: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
  const placeOf = (sessionId: string, subject: string) => `once/${sessionId}/${subject}`
  const open = (place: string, sealed: string) => {
    try {
      const carried = v.parse(Carried, vault.decrypt(place, Buffer.from(sealed, 'base64url')))
      return carried.until > now().getTime() ? carried.value : null
    } catch {
      return null
    }
  }
  return {
    set(sessionId, subject, value) {
      const until = now().getTime() + carriedSeconds * 1000
      const sealed = vault.encrypt(placeOf(sessionId, subject), { value, until })
      return cookie(sealed.toString('base64url'), carriedSeconds)
    },
    consume(cookies, sessionId, subject) {
      const found = cookies.split(/;\s*/).find((part) => part.startsWith(`${name}=`))
      const value = found && open(placeOf(sessionId, subject), found.slice(name.length + 1))
      return value ? { value, clear: cookie('', 0) } : null
    },
  }
}
