import { describe, expect, test } from 'bun:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as v from 'valibot'
import { adapter } from '../../integrations/google-chat/adapter.ts'
import win from '../../integrations/google-chat/fixtures/win.json'
import { settingsSchema } from '../../integrations/google-chat/settings.ts'
import { fixtureTime, post, runAdapter } from '../support/adapters.ts'

const key = await generateKeyPair('RS256')
const stranger = await generateKeyPair('RS256')
const published = { ...(await exportJWK(key.publicKey)), kid: 'google', alg: 'RS256' }
const body = JSON.stringify(win.body)
const seconds = Math.floor(fixtureTime.getTime() / 1000)
const minute = 60

/** The valid claims for a project. */
const claims = {
  iss: 'chat@system.gserviceaccount.com',
  aud: '1234567890',
  iat: seconds,
  exp: seconds + 60 * minute,
}
const address = 'https://tidings.test/hooks/adapter/token'
/** The valid claims for an address, without a project. */
const idClaims = {
  ...claims,
  iss: 'https://accounts.google.com',
  aud: address,
  email: 'chat@system.gserviceaccount.com',
  email_verified: true,
}

const signed = (payload: object, { by = key.privateKey, kid = 'google', alg = 'RS256' } = {}) =>
  new SignJWT({ ...payload }).setProtectedHeader({ alg, kid }).sign(by)

/** Where keys were requested. */
const requested: string[] = []
const provider = {
  async fetch(url: string | URL) {
    requested.push(String(url))
    return Response.json({ keys: [published] })
  },
}

async function send(
  authorization: string | null,
  settings: object = { project_number: claims.aud },
) {
  const headers = { ...win.headers, ...(authorization !== null && { authorization }) }
  return (await runAdapter(adapter, post(headers, body), settings, { provider })).outcome
}
const sendToken = async (payload: object, settings?: object) =>
  await send(`Bearer ${await signed(payload)}`, settings)

const refused = { rejected: 401, reason: 'signature missing or wrong' }

describe('google-chat: token', () => {
  test('a request with a token for the project is accepted, with the keys that Google publishes', async () => {
    requested.length = 0
    expect(await sendToken(claims)).toHaveProperty('items')
    expect(requested).toEqual([
      'https://www.googleapis.com/service_accounts/v1/jwk/chat@system.gserviceaccount.com',
    ])
  })

  test.each<[string, object]>([
    ['for another project', { ...claims, aud: '999' }],
    ['of another issuer', { ...claims, iss: 'someone@evil.iam.gserviceaccount.com' }],
    ['that has expired', { ...claims, exp: seconds - 2 * minute }],
    ['that is not valid yet', { ...claims, nbf: seconds + 2 * minute }],
    ['without an end', { ...claims, exp: undefined }],
    ['for the address, although the project is known', idClaims],
  ])('a google-chat token %s is refused', async (_, payload) => {
    expect(await sendToken(payload)).toEqual(refused)
  })

  test('a google-chat token is accepted when our clock and that of Google differ by less than a minute', async () => {
    for (const times of [{ exp: seconds - 50 }, { nbf: seconds + 50 }])
      expect(await sendToken({ ...claims, ...times })).toHaveProperty('items')
  })

  test('a google-chat token that somebody else has signed, or nobody, is refused', async () => {
    const forged = await signed(claims, { by: stranger.privateKey })
    expect(await send(`Bearer ${forged}`)).toEqual(refused)
    expect(await send(`Bearer ${await signed(claims, { kid: 'unknown' })}`)).toEqual(refused)
    const [, payload = ''] = forged.split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    expect(await send(`Bearer ${none}.${payload}.`)).toEqual(refused)
    for (const header of [null, '', 'Bearer', 'Bearer x', 'Basic dGVzdA=='])
      expect(await send(header)).toEqual(refused)
  })

  test('without a project number, an ID token of Google Chat for the address is accepted', async () => {
    expect(await sendToken(idClaims, {})).toHaveProperty('items')
  })

  test.each<[string, object]>([
    ['for another address', { ...idClaims, aud: `${address}-other` }],
    ['of another account', { ...idClaims, email: 'someone@evil.iam.gserviceaccount.com' }],
    ['of an account whose address is not verified', { ...idClaims, email_verified: false }],
    ['for a project', claims],
  ])('an ID token %s is refused', async (_, payload) => {
    expect(await sendToken(payload, {})).toEqual(refused)
  })

  const project = { project_number: claims.aud }
  const addOnClaims = {
    ...idClaims,
    email: `service-${claims.aud}@gcp-sa-gsuiteaddons.iam.gserviceaccount.com`,
  }

  test('with a project number, an ID token of its add-on for the address is accepted', async () => {
    expect(await sendToken(addOnClaims)).toHaveProperty('items')
  })

  test.each<[string, object, object]>([
    [
      'of the add-on of another project',
      { ...addOnClaims, email: addOnClaims.email.replace('1234', '4321') },
      project,
    ],
    [
      'of an add-on whose account is not verified',
      { ...addOnClaims, email_verified: false },
      project,
    ],
    ['of an add-on for another address', { ...addOnClaims, aud: `${address}-other` }, project],
    [
      'of an add-on for the project in place of the address',
      { ...addOnClaims, aud: claims.aud },
      project,
    ],
    ['of an add-on while the project is not known', addOnClaims, {}],
  ])('an ID token %s is refused', async (_, payload, settings) => {
    expect(await sendToken(payload, settings)).toEqual(refused)
  })

  test('the request is refused for now when Google does not publish its keys', async () => {
    const down = { fetch: async () => new Response('', { status: 503 }) }
    const headers = { ...win.headers, authorization: `Bearer ${await signed(claims)}` }
    const settings = { project_number: claims.aud }
    const sent = runAdapter(adapter, post(headers, body), settings, { provider: down })
    await expect(sent).rejects.toThrow('The keys of Google could not be fetched.')
  })
})

test('a private key is accepted as it is in the key file, and with its line breaks lost', async () => {
  const { generateKeyPairSync } = await import('node:crypto')
  const pem = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  const given = (private_key: string) =>
    send(null, { project_number: '1', service_account: 'a@b.iam.gserviceaccount.com', private_key })
  for (const form of [pem, pem.replaceAll('\n', '\\n'), pem.replaceAll('\n', ' ')])
    expect(await given(form)).toEqual(refused)
  await expect(
    given('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'),
  ).rejects.toThrow('must be the private_key in the key file')
})

test('only the fields of a Google Chat event that are read are stored', async () => {
  const headers = { ...win.headers, authorization: `Bearer ${await signed(claims)}` }
  const settings = { project_number: claims.aud }
  const { stored } = await runAdapter(adapter, post(headers, body), settings, { provider })
  const text = JSON.stringify(stored)
  expect(text).toContain('Ines Duarte')
  for (const leak of ['users/1042', 'ines@lumen.example', 'lh3.google', 'SECRET-REDIRECT'])
    expect(text).not.toContain(leak)
})

test('the path of a file from a form cannot lead to another part of the API of Google Chat', async () => {
  const calls: string[] = []
  const fetchAttachment = adapter.fetchAttachment
  const context = {
    settings: v.parse(settingsSchema, { project_number: '123456789012' }),
    provider: {
      fetch: async (url: string | URL) => {
        calls.push(String(url))
        return new Response('')
      },
    },
  }
  for (const file of [
    '../spaces/AAAA/messages',
    'a/../../spaces',
    'a?b=c',
    'a//b',
    '',
    '/a',
    '%2e%2e/b',
  ])
    await expect(fetchAttachment?.({ ...context, attachment: { file } })).rejects.toThrow(
      'no such file',
    )
  expect(calls).toEqual([])
})
