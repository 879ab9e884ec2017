import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether `signature` is the HMAC of `content` under one of `secrets`. There are two secrets while
 * one is being rotated. The comparison takes constant time and compares the text, so that only the
 * provider's own spelling is accepted: hex in lower case, base64 with its padding. False without a
 * usable secret.
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

/**
 * Whether `header` is the HMAC-SHA256 of `content` as WebSub writes it, `sha256=<hex>`
 * (https://www.w3.org/TR/websub/#signing-content).
 */
export function isHubSignature(
  header: string | null,
  content: string | Uint8Array,
  secrets: readonly string[],
): boolean {
  const prefix = 'sha256='
  return (
    header?.startsWith(prefix) === true && isHmac(header.slice(prefix.length), content, secrets)
  )
}

/**
 * Whether `given` is one of `secrets`, compared in constant time. For providers that do not sign
 * requests.
 */
export function isSharedSecret(given: string | null, secrets: readonly string[]): boolean {
  // Digests have the same length whatever the input is.
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const digestGiven = digest(given ?? '')
  return secrets.some((secret) => secret !== '' && timingSafeEqual(digest(secret), digestGiven))
}

interface HmacFormat {
  algorithm?: 'sha256' | 'sha512'
  encoding?: 'hex' | 'base64' | 'base64url'
}
