import * as v from 'valibot'
import { sessionCookieName } from '../../../features/sessions/index.ts'
import type { Now } from '../../../lib/clock.ts'
import { createEncryption } from '../../../lib/secrets/encryption.ts'

/** Passes a value that is shown only once from the form that created it to the page that shows it. */
export interface OneTimeCookie {
  /** The `Set-Cookie` value that passes a value to the page of `subject` in this session, for two minutes by default. */
  set(sessionId: string, subject: string, value: string, maxAgeSeconds?: number): string
  /** The value in the cookies of a request and the cookie that clears it, or null. */
  consume(
    cookies: string,
    sessionId: string,
    subject: string,
  ): { value: string; clear: string } | null
}

const defaultSeconds = 120

const Payload = v.object({ value: v.string(), until: v.number() })

/**
 * Encrypts values with the secret of the installation, into a cookie for one page of one session that
 * is valid for minutes. The value is in no URL or log; the database has only the encrypted cookie, for a
 * form that is sent twice.
 */
export function createOneTimeCookie(secret: string, baseUrl: string, now: Now): OneTimeCookie {
  const encryption = createEncryption(secret)
  const name = sessionCookieName(baseUrl).replace('session', 'once')
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = (value: string, maxAge: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
  const additionalDataOf = (sessionId: string, subject: string) => `once/${sessionId}/${subject}`
  const decryptValue = (additionalData: string, encrypted: string) => {
    try {
      const payload = v.parse(
        Payload,
        encryption.decrypt(additionalData, Buffer.from(encrypted, 'base64url')),
      )
      return payload.until > now().getTime() ? payload.value : null
    } catch {
      return null
    }
  }
  return {
    set(sessionId, subject, value, maxAgeSeconds = defaultSeconds) {
      const until = now().getTime() + maxAgeSeconds * 1000
      const encrypted = encryption.encrypt(additionalDataOf(sessionId, subject), { value, until })
      return cookie(encrypted.toString('base64url'), maxAgeSeconds)
    },
    consume(cookies, sessionId, subject) {
      const found = cookies.split(/;\s*/).find((part) => part.startsWith(`${name}=`))
      const value =
        found && decryptValue(additionalDataOf(sessionId, subject), found.slice(name.length + 1))
      return value ? { value, clear: cookie('', 0) } : null
    },
  }
}
