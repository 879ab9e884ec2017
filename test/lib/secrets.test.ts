import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEncryption, loadOrCreateSecret } from '../../src/lib/encryption.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-secrets-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a sealed value', () => {
  const vault = createEncryption('a'.repeat(32))
  const value = { secret: ['one', 'two'], emoji: '🎉' }

  test('comes back as it was, and is never the same bytes twice', () => {
    const sealed = vault.encrypt('t/1', value)
    expect(vault.decrypt('t/1', sealed)).toEqual(value)
    expect(sealed.equals(vault.encrypt('t/1', value))).toBe(false)
    expect(sealed.toString('latin1')).not.toContain('one')
  })

  test('opens in no other row, under no other secret, and not when a bit of it changed', () => {
    const sealed = vault.encrypt('t/1', value)
    expect(() => vault.decrypt('t/2', sealed)).toThrow('cannot be opened')
    expect(() => createEncryption('b'.repeat(32)).decrypt('t/1', sealed)).toThrow(
      'cannot be opened',
    )
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(() => vault.decrypt('t/1', changed)).toThrow('cannot be opened')
    }
    for (const length of [0, 1, 12, sealed.length - 1]) {
      expect(() => vault.decrypt('t/1', sealed.subarray(0, length))).toThrow('cannot be opened')
    }
  })
})

describe('the installation’s secret', () => {
  test('is made once, also when many start at once, and only its owner may read it', async () => {
    const dataDir = join(folder, 'new', 'data')
    const secrets = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSecret(dataDir)))
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(await loadOrCreateSecret(dataDir)).toBe(secrets[0] ?? '')
    expect(await readdir(dataDir)).toEqual(['secret'])
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
  })

  test('is not made anew over a damaged one', async () => {
    await writeFile(join(folder, 'secret'), 'short')
    await expect(loadOrCreateSecret(folder)).rejects.toThrow('damaged')
  })
})
