import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { secret } from '../../../src/contract/settings.ts'
import { listKeys } from '../../../src/features/api-keys/index.ts'
import {
  createConnection,
  deleteConnection,
  findDecryptedConnection,
  listConnections,
  revealSecretsOnce,
  storeProviderSettings,
  updateConnection,
} from '../../../src/features/connections/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { createEncryption } from '../../../src/lib/secrets/encryption.ts'
import { readContext, startApp, type TestApp } from '../../support/app.ts'
import { createFakeAdapter } from '../../support/providers/fake-provider.ts'

const { adapter } = createFakeAdapter()

let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [adapter], forward: false })
})
afterAll(() => app.close())

const create = async (given: Record<string, unknown>, teamId?: string) =>
  await createConnection(systemContext(app.forwarder, teamId ?? (await app.team()).id), {
    adapter,
    given,
  })

describe('A new connection', () => {
  test('a new connection has an address that nobody can guess and a key that may only call ingest', async () => {
    const team = await app.team()
    const made = [await create({ secret: 's1' }, team.id), await create({ secret: 's2' }, team.id)]
    for (const { webhookToken } of made)
      expect(Buffer.from(webhookToken, 'base64url')).toHaveLength(24)
    expect(made[0]?.webhookToken.slice(0, 8)).not.toBe(made[1]?.webhookToken.slice(0, 8))
    const [key] = await listKeys(readContext(app, team))
    expect(key).toMatchObject({
      id: made[1]?.apiKeyId,
      prefix: made[1]?.keyPrefix,
      provider: 'fake-provider',
      name: 'Fake provider',
      scopes: ['write'],
      ingest_only: true,
      allow_auto_ready: false,
    })
  })

  test('the key of a connection may use auto_ready only when the setting of the connection allows it', async () => {
    const team = await app.team()
    await create({ secret: 's', auto_ready: 'true' }, team.id)
    expect(await listKeys(readContext(app, team))).toMatchObject([{ allow_auto_ready: true }])
  })

  test('the error for a secret contains no part of it, also when the adapter repeats one', async () => {
    const settings = v.object({
      token: v.pipe(
        secret(),
        v.check(
          () => false,
          ({ input }) => `must not begin with ${input[0]?.slice(0, 4)}`,
        ),
      ),
      other: v.pipe(
        secret(),
        v.check(() => false, 'must be base64'),
      ),
    })
    const ctx = systemContext(app.forwarder, (await app.team()).id)
    const given = { token: 'canary', other: 'base' }
    await expect(
      createConnection(ctx, { adapter: { ...adapter, settings }, given }),
    ).rejects.toThrow(
      'token is not valid: give one value, or two while it is being rotated; other must be base64',
    )
  })

  test('the error for wrong settings names every field and repeats no secret', async () => {
    const given = {
      secret: ['canary', '', 'x'],
      auto_ready: 'maybe',
      block_type: 'novel',
      event_slug: 'Not A Slug',
      colour: 'red',
      channels: 5,
    }
    const error = await create(given).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'validation_failed' })
    const text = JSON.stringify(error)
    for (const name of Object.keys(given)) expect(text).toContain(`"pointer":"/${name}`)
    expect(text).not.toContain('canary')
    await expect(create({})).rejects.toThrow('secret is required')
  })
})

describe('An existing connection', () => {
  test('a label of more than one line or 100 characters is refused and changes nothing', async () => {
    const ctx = systemContext(app.forwarder, (await app.team()).id)
    const { id } = await createConnection(ctx, { adapter, given: { secret: 's' } })
    const rename = (label: string) => updateConnection(ctx, { adapter, id, given: {}, label })
    await rename(' Web team ')
    for (const label of ['Web\nteam', 'Web\u0007team', 'x'.repeat(101)])
      await expect(rename(label)).rejects.toThrow(
        'label must be one line of at most 100 characters',
      )
    expect(await listConnections(ctx)).toMatchObject([{ label: 'Web team' }])
  })

  test('a connection shows its settings except secrets, and only to its own team', async () => {
    const team = await app.team()
    const given = { secret: 's', token: 't', channels: 'general,wins' }
    const made = await create(given, team.id)
    expect(made.settings).toEqual({ channels: 'general,wins' })
    expect(await listConnections(systemContext(app.forwarder, team.id))).toEqual([made])
    expect(await listConnections(systemContext(app.forwarder, (await app.team()).id))).toEqual([])
    const opened = await findDecryptedConnection(app.forwarder, team.id, made.id)
    expect(opened?.given).toEqual(given)
    expect(await findDecryptedConnection(app.forwarder, (await app.team()).id, made.id)).toBeNull()
  })

  test('a connection stores settings that its provider sends, encrypts the secret ones, and overwrites no setting', async () => {
    const team = await app.team()
    const { id } = await create({ secret: 'mine' }, team.id)
    const open = async () => await findDecryptedConnection(app.forwarder, team.id, id)
    const store = async (sent: Record<string, string>) => {
      const connection = await open()
      if (connection) await storeProviderSettings(app.forwarder, connection, adapter.settings, sent)
    }
    await store({ secret: 'theirs', token: 'sent-canary', workspace: 'w1', auto_ready: 'true' })
    await Promise.all([store({ workspace: 'w2' }), store({ token: 'again', nonsense: 'x' })])
    const known = { secret: 'mine', token: 'sent-canary', workspace: 'w1' }
    expect((await open())?.given).toEqual(known)
    const [row] = await app.sql`select settings from connections where id = ${id}`
    expect(row).toEqual({ settings: { workspace: 'w1' } })
    await store({ channels: '', api: '\0' })
    expect(await open()).not.toBeNull()
  })

  test('a removed connection has no secrets and no active key', async () => {
    const team = await app.team()
    const { id } = await create({ secret: 's' }, team.id)
    const foreign = deleteConnection(systemContext(app.forwarder, (await app.team()).id), id)
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
    await deleteConnection(systemContext(app.forwarder, team.id), id)
    await expect(deleteConnection(systemContext(app.forwarder, team.id), id)).rejects.toThrow(
      'not found',
    )
    expect(await listConnections(systemContext(app.forwarder, team.id))).toEqual([])
    const [row] = await app.sql`select encrypted from connections where id = ${id}`
    expect(row).toEqual({ encrypted: null })
    expect((await listKeys(readContext(app, team)))[0]?.revoked_at).not.toBeNull()
  })

  test('the secrets of a connection that nobody has seen are known under the earlier name of their list', async () => {
    const team = await app.team()
    const { id } = await create({ secret: 's' }, team.id)
    const earlier = { hook: 'h', key: 'k', settings: { secret: 's' }, unshown: ['secret'] }
    const encrypted = app.forwarder.encryption.encrypt(`connections/${id}`, earlier)
    await app.sql`update connections set encrypted = ${encrypted} where id = ${id}`
    const ctx = systemContext(app.forwarder, team.id)
    expect(await listConnections(ctx)).toMatchObject([{ unseenSecrets: ['secret'] }])
    expect(await revealSecretsOnce(ctx, id)).toEqual({ secret: 's' })
    expect(await revealSecretsOnce(ctx, id)).toEqual({})
  })

  test('a connection that was encrypted with another secret is listed as unreadable beside the readable ones', async () => {
    const team = await app.team()
    const readable = await create({ secret: 's' }, team.id)
    const unreadable = await create({ secret: 's' }, team.id)
    const other = createEncryption('another secret, as after a lost one')
    const encrypted = other.encrypt(`connections/${unreadable.id}`, { hook: 'x' })
    await app.sql`update connections set encrypted = ${encrypted} where id = ${unreadable.id}`
    expect(await listConnections(systemContext(app.forwarder, team.id))).toMatchObject([
      { id: unreadable.id, readable: false, secrets: [] },
      { id: readable.id, readable: true, secrets: ['secret'] },
    ])
    await deleteConnection(systemContext(app.forwarder, team.id), unreadable.id)
    expect(await listConnections(systemContext(app.forwarder, team.id))).toHaveLength(1)
  })
})
