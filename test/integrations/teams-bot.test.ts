import { describe, expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { adapter } from '../../integrations/teams/adapter.ts'
import win from '../../integrations/teams/fixtures/bot.win.json'
import { fixtureTime, post, runAdapter } from '../support/adapters.ts'
import { requireManifest } from '../support/teams/teams-manifest.ts'

const key = await generateKeyPair('RS256')
const unendorsed = await generateKeyPair('RS256')
const stranger = await generateKeyPair('RS256')
const keys = [
  { ...(await exportJWK(key.publicKey)), kid: 'teams', alg: 'RS256', endorsements: ['msteams'] },
  { ...(await exportJWK(unendorsed.publicKey)), kid: 'skype', alg: 'RS256', endorsements: [] },
]
const seconds = Math.floor(fixtureTime.getTime() / 1000)
const minute = 60
const { settings } = win

const claims = {
  iss: 'https://api.botframework.com',
  aud: settings.app_id,
  nbf: seconds,
  exp: seconds + 60 * minute,
  serviceurl: win.body.serviceUrl,
}

const signed = (payload: object, { by = key.privateKey, kid = 'teams' } = {}) =>
  new SignJWT({ ...payload }).setProtectedHeader({ alg: 'RS256', kid }).sign(by)

const requested: string[] = []
const provider = {
  async fetch(url: string | URL) {
    requested.push(String(url))
    return Response.json({ keys })
  },
}

async function send(token: string, changes: object = {}, given: object = settings) {
  const headers = { ...win.headers, authorization: `Bearer ${token}` }
  const body = JSON.stringify({ ...win.body, ...changes })
  return await runAdapter(adapter, post(headers, body), given, { provider })
}

const refused = { rejected: 401, reason: 'signature missing or wrong' }

describe('teams bot: token', () => {
  test('an activity with a token for the bot is accepted, with the keys of the Bot Connector', async () => {
    requested.length = 0
    expect((await send(await signed(claims))).outcome).toHaveProperty('items')
    expect(requested).toEqual(['https://login.botframework.com/v1/.well-known/keys'])
  })

  test.each<[string, object]>([
    ['for another bot', { ...claims, aud: '00000000-0000-4000-8000-000000000000' }],
    ['of another issuer', { ...claims, iss: 'https://sts.windows.net/tenant/' }],
    ['that has expired', { ...claims, exp: seconds - 6 * minute }],
    ['that is not valid yet', { ...claims, nbf: seconds + 6 * minute }],
    ['without a service address', { ...claims, serviceurl: undefined }],
    ['for another service address', { ...claims, serviceurl: 'https://evil.example/' }],
  ])('a token %s is refused', async (_, payload) => {
    expect((await send(await signed(payload))).outcome).toEqual(refused)
  })

  test('a token is accepted when our clock and that of Microsoft differ by less than five minutes', async () => {
    for (const times of [{ exp: seconds - 4 * minute }, { nbf: seconds + 4 * minute }])
      expect((await send(await signed({ ...claims, ...times }))).outcome).toHaveProperty('items')
  })

  test('a token that somebody else has signed, or a key that is not published for Teams, is refused', async () => {
    const forged = await signed(claims, { by: stranger.privateKey })
    expect((await send(forged)).outcome).toEqual(refused)
    const other = await signed(claims, { by: unendorsed.privateKey, kid: 'skype' })
    expect((await send(other)).outcome).toEqual(refused)
  })

  test('an activity of another channel or tenant is refused, and one of a connection without a bot', async () => {
    const token = await signed(claims)
    expect((await send(token, { channelId: 'webchat' })).outcome).toEqual(refused)
    const channelData = { tenant: { id: '00000000-0000-4000-8000-000000000000' } }
    expect((await send(token, { channelData })).outcome).toMatchObject({ rejected: 401 })
    const webhook = { security_token: 'c2VjcmV0' }
    expect((await send(token, {}, webhook)).outcome).toEqual(refused)
  })
})

test('the service address of a bot is stored once, and only one of Microsoft', async () => {
  const { service_url: _, ...first } = settings
  const { received } = await send(await signed(claims), {}, first)
  expect(received).toMatchObject({ providerSettings: { service_url: win.body.serviceUrl } })
  const again = await send(await signed(claims))
  expect(again.received).not.toHaveProperty('providerSettings')
  for (const serviceUrl of [
    'https://smba.trafficmanager.net.evil.example/',
    'https://evil.trafficmanager.net/',
    'http://smba.trafficmanager.net/',
    'https://smba.trafficmanager.net:8443/',
  ]) {
    const token = await signed({ ...claims, serviceurl: serviceUrl })
    const sent = await send(token, { serviceUrl }, first)
    expect(sent.received).not.toHaveProperty('providerSettings')
  }
})

test('only the fields of an activity that are read are stored', async () => {
  const { stored } = await send(await signed(claims))
  const text = JSON.stringify(stored)
  expect(text).toContain('Ines Duarte')
  for (const leak of ['29:1aInes', 'b1b9d0f2', 'a:1ines', settings.tenant_id, 'en-GB'])
    expect(text).not.toContain(leak)
})

/** The files of the app of a bot, which was made at a time, and its manifest. */
async function madeAt(time: string, given: Readonly<Record<string, unknown>> = settings) {
  const zip = await adapter.appPackage?.(given, 'https://news.lumen.example', new Date(time))
  const files = unzipSync(zip ?? new Uint8Array())
  return { files, manifest: requireManifest(new TextDecoder().decode(files['manifest.json'])) }
}

test('the app of a bot contains a manifest as Microsoft documents it, with the id of the bot, and two icons', async () => {
  expect(await adapter.appPackage?.({}, 'https://news.lumen.example', new Date())).toBeNull()
  const { files, manifest } = await madeAt('2026-11-20T09:00:00Z')
  expect(Object.keys(files)).toEqual(['manifest.json', 'color.png', 'outline.png'])
  expect(manifest).toMatchObject({
    id: settings.app_id,
    bots: [{ botId: settings.app_id }],
    composeExtensions: [{ botId: settings.app_id }],
    validDomains: ['news.lumen.example'],
  })
  expect(manifest.authorization).toBeUndefined()
  // Of a PNG, width and height are in the bytes from 16 on.
  const size = (name: string) => {
    const png = Buffer.from(files[name] ?? [])
    return [png.readUInt32BE(16), png.readUInt32BE(20)]
  }
  expect([size('color.png'), size('outline.png')]).toEqual([
    [192, 192],
    [32, 32],
  ])
})

test('an app that is downloaded again has a higher version, which Teams requires of an update', async () => {
  const times = ['2026-11-20T09:05:09Z', '2026-11-20T10:00:00Z', '2026-12-01T00:00:00Z']
  const made = await Promise.all(times.map((time) => madeAt(time)))
  expect(made.map(({ manifest }) => manifest.version)).toEqual([
    '1.20261120.90509',
    '1.20261120.100000',
    '1.20261201.0',
  ])
})

test('the app of a bot asks for the permission to read messages only where images are read', async () => {
  const { manifest } = await madeAt('2026-11-20T09:00:00Z', { ...settings, read_images: true })
  expect(manifest.authorization?.permissions.resourceSpecific).toEqual([
    { name: 'ChannelMessage.Read.Group', type: 'Application' },
  ])
  expect(manifest.webApplicationInfo?.id).toBe(settings.app_id)
})
