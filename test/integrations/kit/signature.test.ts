import { expect, test } from 'bun:test'
import {
  isHmac,
  isHubSignature,
  isSharedSecret,
} from '../../../integrations/kit/requests/signature.ts'

const key = "It's a Secret to Everybody"
// GitHub's published example, and the same as base64, which Teams sends.
const hex = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
const base64 = Buffer.from(hex, 'hex').toString('base64')

test('an HMAC is accepted in the spelling of the provider and in no other', () => {
  expect(isHmac(hex, 'Hello, World!', [key])).toBe(true)
  expect(isHmac(base64, 'Hello, World!', [key], { encoding: 'base64' })).toBe(true)
  expect(isHmac(hex.toUpperCase(), 'Hello, World!', [key])).toBe(false)
  expect(isHmac(base64.replace('=', ''), 'Hello, World!', [key], { encoding: 'base64' })).toBe(
    false,
  )
  expect(isHmac(hex.slice(1), 'Hello, World!', [key])).toBe(false)
  expect(isHmac('', 'Hello, World!', [key])).toBe(false)
})

test('keys and contents of an HMAC may be bytes that are not UTF-8', () => {
  const bytes = new TextEncoder().encode('Hello, World!')
  expect(isHmac(hex, bytes, [new TextEncoder().encode(key)])).toBe(true)
  expect(isHmac(hex, new Uint8Array([...bytes, 0xff]), [key])).toBe(false)
})

test('an HMAC under any valid secret is accepted, and an empty list of secrets accepts none', () => {
  expect(isHmac(hex, 'Hello, World!', ['next', key])).toBe(true)
  expect(isHmac(hex, 'Hello, World!', ['next'])).toBe(false)
  expect(isHmac(hex, 'Hello, World!', [])).toBe(false)
  // The right HMAC under the empty key.
  const unkeyed = new Bun.CryptoHasher('sha256', '').update('Hello, World!').digest('hex')
  expect(isHmac(unkeyed, 'Hello, World!', [''])).toBe(false)
})

test('a WebSub signature consists of its prefix and the HMAC and nothing else', () => {
  const passes = (header: string | null) => isHubSignature(header, 'Hello, World!', ['next', key])
  expect(passes(`sha256=${hex}`)).toBe(true)
  for (const header of [null, '', hex, `SHA256=${hex}`, `sha512=${hex}`, `sha256=sha256=${hex}`])
    expect(passes(header)).toBe(false)
})

test('a shared secret is compared as a whole, and an empty one is never accepted', () => {
  expect(isSharedSecret(key, ['next', key])).toBe(true)
  for (const given of [null, '', key.slice(1), `${key} `, key.toUpperCase()])
    expect(isSharedSecret(given, ['next', key, ''])).toBe(false)
})
