import { createHmac } from 'node:crypto'
import { isHmac } from '../kit/requests/signature.ts'
import { hasBot, type Settings } from './settings.ts'

/**
 * Mattermost does not sign the use of a button or a form. What it sends back to us therefore has our signature,
 * with a key that depends on the connection: its secret setting and the secret part of its webhook URL.
 */
const keysOf = (settings: Settings, webhookUrl: URL): Buffer[] => {
  const secrets = hasBot(settings) ? (settings.access_token ?? []) : (settings.token ?? [])
  return secrets.map((secret) =>
    createHmac('sha256', secret).update(`Tidings ${webhookUrl.pathname}`).digest(),
  )
}

/** The connection that signs: its settings, and its webhook URL as Mattermost calls it. */
export interface Signer {
  settings: Settings
  webhookUrl: URL
}

const contentOf = (parts: readonly string[]) => JSON.stringify(parts)

/** The signature of a list of texts, under the newest secret. */
export function signParts(parts: readonly string[], { settings, webhookUrl }: Signer): string {
  const [key = Buffer.alloc(0)] = keysOf(settings, webhookUrl)
  return createHmac('sha256', key).update(contentOf(parts)).digest('base64url')
}

/** Whether a signature is that of these texts, under one of the secrets of the connection. */
export const isSigned = (
  parts: readonly string[],
  signature: string,
  { settings, webhookUrl }: Signer,
): boolean =>
  isHmac(signature, contentOf(parts), keysOf(settings, webhookUrl), { encoding: 'base64url' })
