import { randomInt } from 'node:crypto'

const prefix = 'tidings_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/**
 * The CRC-32 of `text` in six base62 digits. It distinguishes a mistyped key from an unknown one.
 */
function checksum(text: string): string {
  let rest = Bun.hash.crc32(text)
  let digits = ''
  for (let digit = 0; digit < checksumLength; digit++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

/** A new key value: `tidings_`, 32 random base62 characters, and a checksum over both. */
export function newToken(randomDigit: (max: number) => number = randomInt): string {
  const digits = Array.from({ length: randomLength }, () =>
    alphabet.charAt(randomDigit(alphabet.length)),
  )
  const value = prefix + digits.join('')
  return value + checksum(value)
}

/** True when a value has the form of a key and its checksum is correct; it need not exist. */
export function isKeyToken(value: string): boolean {
  return (
    shape.test(value) && checksum(value.slice(0, -checksumLength)) === value.slice(-checksumLength)
  )
}

/** The SHA-256 of a key value: nothing else of it is stored. */
export function hashToken(value: string): Buffer {
  return Bun.CryptoHasher.hash('sha256', value)
}

/** The part of a key that people may see, to recognize it: `tidings_` and six characters. */
export function prefixOf(value: string): string {
  return value.slice(0, prefix.length + 6)
}
