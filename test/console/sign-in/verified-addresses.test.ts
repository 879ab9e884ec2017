import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../../support/app.ts'
import { member, person } from '../../support/console.ts'
import {
  clientId,
  respond,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/providers/oidc-provider.ts'

let provider: TestIdentityProvider
let app: TestApp

beforeAll(async () => {
  provider = await startIdentityProvider('http://tidings.test')
  const identityProviders = [
    provider.settings('google', 'Google'),
    provider.settings('entra', 'Microsoft'),
    provider.settings('keycloak', 'Keycloak'),
  ]
  app = await startApp({ identityProviders })
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

/** Signs a member in whose id token has these claims; returns whether a session starts. */
async function signsIn(id: string, claims: Record<string, unknown>, domain = 'people.test') {
  const sub = crypto.randomUUID()
  const email = `${sub}@${domain}`
  await member(app, await app.team(), 'admin', { email })
  const visitor = person(app.base)
  const { location } = await visitor.get(`/login/oidc/${id}`)
  const callback = await provider.signIn(location ?? '', sub)
  const nonce = new URL(location ?? '').searchParams.get('nonce')
  const at = Math.floor(Date.now() / 1000)
  const id_token = await provider.sign({
    iss: provider.issuer,
    aud: clientId,
    sub,
    nonce,
    iat: at,
    exp: at + 300,
    email,
    ...claims,
  })
  provider.replaced.set('/token', respond({ id_token, access_token: 'x', token_type: 'Bearer' }))
  const seen = await visitor.get(callback)
  provider.replaced.clear()
  return seen.location === '/home'
}

test.each<[string, Record<string, unknown>, boolean]>([
  ['entra', {}, false],
  ['entra', { email_verified: false }, false],
  ['entra', { xms_edov: false }, false],
  ['entra', { xms_edov: '0' }, false],
  ['entra', { xms_edov: true }, true],
  ['entra', { xms_edov: '1' }, true],
  ['entra', { email_verified: true }, true],
  ['google', { email_verified: true }, false],
  ['google', { email_verified: false, hd: 'people.test' }, false],
  ['google', { email_verified: true, hd: 'people.test' }, true],
  ['keycloak', {}, false],
  ['keycloak', { xms_edov: true }, false],
  ['keycloak', { email_verified: 'no' }, false],
  ['keycloak', { email_verified: true }, true],
])('at %s, an address with the claims %j signs its member in: %p', async (id, claims, expected) => {
  expect(await signsIn(id, claims)).toBe(expected)
})

test('Google guarantees the addresses of its own mail service without a domain', async () => {
  expect(await signsIn('google', { email_verified: true }, 'gmail.com')).toBeTrue()
})
