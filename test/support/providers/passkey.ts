import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Sql } from '../../../src/lib/database/db.ts'

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

/** The options that a page passes to the browser, with the challenge. */
const optionsIn = (html: string): { challenge: string } =>
  JSON.parse((/data-options="([^"]+)"/.exec(html)?.[1] ?? '{}').replaceAll('&#34;', '"'))

/**
 * Stores a passkey of an account. Returns the function that answers a page as a browser does after a fingerprint
 * (WebAuthn, sections 6.1 and 6.5.1).
 */
export async function storePasskey(
  sql: Sql,
  { accountId, origin }: { accountId: string; origin: string },
): Promise<(html: string) => string> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const id = randomBytes(16).toString('base64url')
  await sql`
    insert into passkeys (id, account_id, credential_id, public_key, counter, device_type, backed_up, name)
    values (${`pk_${id}`}, ${accountId}, ${id}, ${cose.toString('base64')}, 0, 'singleDevice', false, 'My key')`
  await sql`update accounts set two_factor_enabled = true where id = ${accountId}`
  return (html) => {
    const { challenge } = optionsIn(html)
    const clientData = JSON.stringify({ type: 'webauthn.get', challenge, origin })
    // The person is present and verified; the authenticator does not count.
    const data = Buffer.concat([sha256(new URL(origin).hostname), Buffer.from('0500000000', 'hex')])
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)
    return JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: Buffer.from(clientData).toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    })
  }
}
