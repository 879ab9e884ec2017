import { Webhook } from 'standardwebhooks'
import { isSharedSecret } from './signature.ts'

const toleranceSeconds = 300

/** Whether a secret has the format of the standard: `whsec_` and base64. */
export function isStandardSecret(value: string): boolean {
  try {
    return value.startsWith('whsec_') && Boolean(new Webhook(value))
  } catch {
    return false
  }
}

/**
 * Whether one of the signatures over id, time and body is valid and the time is within five minutes
 * of `now`. The library computes the signature; its own check would read the system clock.
 * Source: https://www.standardwebhooks.com
 */
export function isStandardSigned(
  headers: Headers,
  body: string,
  secrets: readonly string[],
  now: Date,
): boolean {
  const id = headers.get('webhook-id')
  const seconds = headers.get('webhook-timestamp') ?? ''
  const signatures = headers.get('webhook-signature')?.split(' ') ?? []
  if (!id || !/^\d{1,12}$/.test(seconds)) return false
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > toleranceSeconds) return false
  const expected = secrets.map((secret) =>
    new Webhook(secret).sign(id, new Date(Number(seconds) * 1000), body),
  )
  return signatures.some((signature) => isSharedSecret(signature, expected))
}
