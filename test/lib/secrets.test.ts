import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEncryption, fingerprintOf } from '../../src/lib/secrets/encryption.ts'
import { isGuessable } from '../../src/lib/secrets/guessable.ts'
import { loadOrCreateSecret } from '../../src/lib/secrets/secret-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-secrets-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('Encrypted values', () => {
  const encryption = createEncryption('a'.repeat(32))
  const value = { secret: ['one', 'two'], emoji: '🎉' }

  test('an encrypted value decrypts to the same value, and two encryptions differ', () => {
    const encrypted = encryption.encrypt('t/1', value)
    expect(encryption.decrypt('t/1', encrypted)).toEqual(value)
    expect(encrypted.equals(encryption.encrypt('t/1', value))).toBe(false)
    expect(encrypted.toString('latin1')).not.toContain('one')
  })

  test('an encrypted value cannot be decrypted for another row, with another secret, or after one bit changed', () => {
    const encrypted = encryption.encrypt('t/1', value)
    expect(() => encryption.decrypt('t/2', encrypted)).toThrow('cannot be decrypted')
    expect(() => createEncryption('b'.repeat(32)).decrypt('t/1', encrypted)).toThrow(
      'cannot be decrypted',
    )
    for (let at = 0; at < encrypted.length; at++) {
      const changed = Buffer.from(encrypted)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(() => encryption.decrypt('t/1', changed)).toThrow('cannot be decrypted')
    }
    for (const length of [0, 1, 12, encrypted.length - 1]) {
      expect(() => encryption.decrypt('t/1', encrypted.subarray(0, length))).toThrow(
        'cannot be decrypted',
      )
    }
  })
})

const fixedSecret = 'f3c1a97be20d4458a6f0917d2c8b35e46a0d9f12c7be483351e0d86f4a2b79cd'

test('a value that an earlier version encrypted is decrypted, and the fingerprint of a secret never changes', () => {
  const stored =
    'AZxS9pvLwlJabb/J1JgAxix9XDkmwAZHGFlBstytirW27l9Sp+or1ikhT5oJsZ7zGCuROxlodHWKTBg+Vn6W3Phq+QUw/fqNrAJNK4Di7khakE7OwL8pCYWBZs6HgkqxSGuASBg0smKmsZZ6jaMlxFxj'
  const decrypted = createEncryption(fixedSecret).decrypt(
    'connections/cn_example',
    Buffer.from(stored, 'base64'),
  )
  const settings = { secret: 'sönderzeichen 🎉' }
  expect(decrypted).toEqual({ hook: 'hook-token', key: 'tidings_key', settings })
  expect(fingerprintOf(fixedSecret)).toBe('bf25a41b5faf8f8cdd137e49285f350c')
})

test.each([
  'a'.repeat(32),
  'password'.repeat(4),
  '0123456789abcdef'.repeat(2),
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'qwertyuiopasdfghjklzxcvbnm1234567890',
  'changeme-changeme-changeme-changeme',
  'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd',
  '0123456789abcdef'.repeat(4),
  'deadbeef'.repeat(8),
])('the secret %s can be guessed', (secret) => {
  expect(isGuessable(secret)).toBeTrue()
})

test('random secrets of 16 and 32 bytes, in hexadecimal digits and in base64, are accepted', () => {
  for (const bytes of [16, 32]) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      expect(isGuessable(randomBytes(bytes).toString(encoding))).toBeFalse()
    }
  }
})

describe('The secret of the installation', () => {
  test('the secret is created once, also when many processes start at once, and only its owner may read it', async () => {
    const dataDir = join(folder, 'new', 'data')
    const secrets = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSecret(dataDir)))
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(await loadOrCreateSecret(dataDir)).toBe(secrets[0] ?? '')
    expect(await readdir(dataDir)).toEqual(['secret'])
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
  })

  test('a damaged secret file is not replaced by a new secret', async () => {
    await writeFile(join(folder, 'secret'), 'short')
    await expect(loadOrCreateSecret(folder)).rejects.toThrow('damaged')
  })
})
