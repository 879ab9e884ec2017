import { createPrivateKey } from 'node:crypto'
import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { list, secret } from '../kit/adapter.ts'
import { conversationSettings, messagingSettings } from '../kit/chat/settings.ts'

const defaultApiUrl = 'https://chat.googleapis.com/v1/'

const SpaceName = v.pipe(
  v.string(),
  v.regex(/^spaces\/[\w-]{1,100}$/, 'must be the id of a space such as spaces/AAAAd7ksm_I'),
)

/** Whether a text is the id of a space. */
export const isSpaceName = (text: string): boolean => v.is(SpaceName, text)

/**
 * A key as in the file of a service account, in PEM. Forms and shells change its line breaks, which do not belong to
 * the key.
 */
export function pemOf(key: string): string {
  const [, base64 = ''] = /-----BEGIN PRIVATE KEY-----([\s\S]*)-----END/.exec(key) ?? []
  const lines =
    base64
      .replaceAll('\\n', '')
      .replace(/\s/g, '')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n')
}

function isPrivateKey(key: string): boolean {
  try {
    return createPrivateKey(pemOf(key)).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

/** The settings of a connection. Without a service account, the app only replies to requests. */
export const settingsSchema = v.object({
  project_number: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,20}$/, 'must be the number of the Google Cloud project, not its id'),
    ),
  ),
  service_account: v.optional(
    v.pipe(v.string(), v.email('must be the client_email in the key file')),
  ),
  private_key: v.optional(
    v.pipe(secret(), v.everyItem(isPrivateKey, 'must be the private_key in the key file')),
  ),
  /** How the app is built, which the first request says. The buttons of an add-on have another format. */
  built_as: v.optional(v.picklist(['chat_app', 'add_on'])),
  /** Whose addresses say which member a person is. */
  email_domains: list(),
  /** The space to which sent newsletters are posted. */
  newsletter_channel: v.optional(SpaceName),
  /** The space in which editors review new drafts. */
  review_channel: v.optional(SpaceName),
  ...conversationSettings,
  ...messagingSettings,
  api_base_url: v.optional(webAddress, defaultApiUrl),
})

export type Settings = v.InferOutput<typeof settingsSchema>

/** Whether the connection can send messages. */
export const hasCredentials = ({ service_account, private_key }: Settings): boolean =>
  service_account !== undefined && private_key !== undefined

/**
 * The addresses of Google that a connection calls. Another base address is a stand-in for Google, which has all of them.
 * Sources: https://developers.google.com/workspace/chat/verify-requests-from-chat and
 * https://developers.google.com/identity/protocols/oauth2/service-account
 */
export function googleUrls({ api_base_url }: Settings) {
  const api = api_base_url.replace(/\/*$/, '/')
  return api === defaultApiUrl
    ? {
        api,
        token: 'https://oauth2.googleapis.com/token',
        chatKeys:
          'https://www.googleapis.com/service_accounts/v1/jwk/chat@system.gserviceaccount.com',
        idTokenKeys: 'https://www.googleapis.com/oauth2/v3/certs',
      }
    : { api, token: `${api}token`, chatKeys: `${api}keys`, idTokenKeys: `${api}keys` }
}
