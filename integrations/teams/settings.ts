import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { flag, secret } from '../kit/adapter.ts'
import { newsletterWebhook } from '../kit/chat/messages/webhook-posting.ts'
import { conversationSettings, messagingSettings } from '../kit/chat/settings.ts'

const id = (what: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.toLowerCase(),
      v.uuid(`must be the ${what}, such as 1c9d8a52-0f6e-4c39-9a6e-3d4f5b6a7c81`),
    ),
  )

const ChannelId = v.pipe(
  v.string(),
  v.regex(
    /^19:[\w-]{1,200}@thread\.(?:tacv2|skype|v2)$/,
    'must be the id of a channel such as 19:abc…@thread.tacv2',
  ),
)

/** Whether a text is the id of a channel. */
export const isChannelId = (text: string): boolean => v.is(ChannelId, text)

/** The default address of the service that sends messages of bots. */
const defaultServiceUrl = 'https://smba.trafficmanager.net/teams/'

/**
 * The hosts of that service. Anybody can have another host below trafficmanager.net.
 * Source: https://learn.microsoft.com/microsoftteams/platform/bots/how-to/conversations/send-proactive-messages
 */
const serviceHosts = [
  'smba.trafficmanager.net',
  'smba.infra.gcc.teams.microsoft.com',
  'smba.infra.gov.teams.microsoft.us',
  'smba.infra.dod.teams.microsoft.us',
]

/** The settings of a connection: of an outgoing webhook, of a bot, or of both. */
export const settingsSchema = v.object({
  security_token: v.optional(
    v.pipe(
      secret(),
      v.everyItem(
        (token) => Buffer.from(token, 'base64').toString('base64') === token,
        'must be base64',
      ),
    ),
  ),
  app_id: id('Microsoft App ID of the bot'),
  app_password: v.optional(secret()),
  tenant_id: id('id of the Microsoft Entra tenant'),
  /** Stored from the first request of Teams. */
  service_url: v.optional(webAddress),
  newsletter_webhook: newsletterWebhook(),
  /** The channel to which the bot posts sent newsletters. */
  newsletter_channel: v.optional(ChannelId),
  /** The channel in which editors review new drafts. */
  review_channel: v.optional(ChannelId),
  /** Images of messages that are saved from their menu are read through Microsoft Graph. */
  read_images: flag({ label: 'Read the images of messages that are saved from their menu' }),
  ...conversationSettings,
  ...messagingSettings,
  api_base_url: v.optional(webAddress),
})

export type Settings = v.InferOutput<typeof settingsSchema>

/** The settings of a bot, which can send messages. */
export interface BotSettings extends Settings {
  app_id: string
  app_password: string[]
  tenant_id: string
}

/** Whether the connection has a bot. */
export const hasBot = (settings: Settings): settings is BotSettings =>
  settings.app_id !== undefined &&
  settings.app_password !== undefined &&
  settings.tenant_id !== undefined

/**
 * The addresses of Microsoft that a bot calls. `api_base_url` is a stand-in for all of them.
 * Source: https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication
 */
export function botUrls({ api_base_url, service_url, tenant_id }: Settings) {
  const base = api_base_url?.replace(/\/*$/, '/')
  return base === undefined
    ? {
        service: (service_url ?? defaultServiceUrl).replace(/\/*$/, '/'),
        keys: 'https://login.botframework.com/v1/.well-known/keys',
        token: `https://login.microsoftonline.com/${tenant_id}/oauth2/v2.0/token`,
        graph: 'https://graph.microsoft.com/v1.0/',
      }
    : { service: base, keys: `${base}keys`, token: `${base}token`, graph: `${base}graph/` }
}

/** Whether the token of the bot may be sent to an address, which comes from a request. */
export function isServiceUrl(address: string, { api_base_url }: Settings): boolean {
  const url = URL.parse(address)
  if (!url || url.username + url.password !== '') return false
  if (api_base_url !== undefined) return url.origin === new URL(api_base_url).origin
  return url.protocol === 'https:' && url.port === '' && serviceHosts.includes(url.hostname)
}
