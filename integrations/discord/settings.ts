import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { list, secret } from '../kit/adapter.ts'
import { newsletterWebhook } from '../kit/chat/messages/webhook-posting.ts'
import { messagingSettings } from '../kit/chat/settings.ts'

const Snowflake = v.pipe(
  v.string(),
  v.regex(/^\d{1,20}$/, 'must be an id such as 1312345678901234567, not a name'),
)

/** Whether a text is an id of Discord. */
export const isSnowflake = (text: string): boolean => v.is(Snowflake, text)

/**
 * The settings of a connection. The public key is not a secret: it only verifies that requests come
 * from Discord.
 */
export const settingsSchema = v.object({
  public_key: v.pipe(
    v.string(),
    v.toLowerCase(),
    v.regex(/^[0-9a-f]{64}$/, 'must be the public key of the application: 64 hexadecimal digits'),
  ),
  application_id: v.optional(Snowflake),
  /** Only these servers; all servers with the application when empty. */
  server_ids: v.pipe(list(), v.array(Snowflake)),
  /** The token of the bot, with which commands are registered and messages are sent. */
  bot_token: v.optional(secret()),
  /** The channel to which the bot posts sent newsletters, in place of the webhook. */
  newsletter_channel: v.optional(Snowflake),
  newsletter_webhook: newsletterWebhook(),
  /** The channel in which editors review new drafts. */
  review_channel: v.optional(Snowflake),
  ...messagingSettings,
  api_base_url: v.optional(webAddress, 'https://discord.com/api/v10/'),
})

export type Settings = v.InferOutput<typeof settingsSchema>
