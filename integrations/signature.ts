import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The body as text, or `undefined` when it is not valid UTF-8: replacing its broken bytes would
 * check a signature over something that was never sent. A byte order mark is kept.
 */
export function strictUtf8(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}

/**
 * Whether `signature` is the HMAC of `content` under one of `secrets`, of which there are two while
 * one is being rotated. Compared in constant time and as text, so that only the provider's own
 * spelling passes: hex in lower case, base64 with its padding. False without a usable secret.
 */
export function isHmac(
  signature: string,
  content: string | Uint8Array,
  secrets: readonly (string | Uint8Array)[],
  { algorithm = 'sha256', encoding = 'hex' }: HmacFormat = {},
): boolean {
  const given = Buffer.from(signature)
  return secrets
    .filter((secret) => secret.length > 0)
    .some((secret) => {
      const expected = Buffer.from(createHmac(algorithm, secret).update(content).digest(encoding))
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}

interface HmacFormat {
  algorithm?: 'sha256' | 'sha512'
  encoding?: 'hex' | 'base64' | 'base64url'
}
