import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { secret } from '../kit/adapter.ts'
import { newsletterWebhook } from '../kit/chat/messages/webhook-posting.ts'
import { messagingSettings } from '../kit/chat/settings.ts'

const ChannelId = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]{26}$/, 'must be the id of a channel (26 letters and digits), not its name'),
)

/** Whether a text is an id of Mattermost. */
export const isId = (text: string): boolean => v.is(ChannelId, text)

const entries = {
  /** The token of the command `/tidings`, or of an outgoing webhook. */
  token: v.optional(secret()),
  /** The team in which the bot registers the commands, in place of their tokens. */
  team_id: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z0-9]{26}$/, 'must be the id of a team (26 letters and digits)'),
    ),
  ),
  /** The address of the Mattermost server. Without it, there are no forms, links to blocks and messages. */
  server_url: v.optional(webAddress),
  /** The token of the bot. */
  access_token: v.optional(secret()),
  // Mattermost creates a token for each command.
  win_token: v.optional(secret()),
  news_token: v.optional(secret()),
  kudos_token: v.optional(secret()),
  welcome_token: v.optional(secret()),
  /** The channel to which the bot posts sent newsletters, in place of the webhook. */
  newsletter_channel: v.optional(ChannelId),
  newsletter_webhook: newsletterWebhook(),
  /** The channel in which editors review new drafts. */
  review_channel: v.optional(ChannelId),
  ...messagingSettings,
}

/** The settings of a connection. Without an access token, Tidings only replies to requests. */
export const settingsSchema = v.pipe(
  v.object(entries),
  v.forward(
    v.check(
      ({ token, team_id, server_url, access_token }) =>
        token !== undefined ||
        [team_id, server_url, access_token].every((setting) => setting !== undefined),
      'is required with server_url and access_token, or the token of a command (token)',
    ),
    ['team_id'],
  ),
)

export type Settings = v.InferOutput<typeof settingsSchema>

/** Whether the connection has a bot, which can send messages. */
export const hasBot = ({ server_url, access_token }: Settings): boolean =>
  server_url !== undefined && access_token !== undefined

/** The tokens with which Mattermost sends commands and posts. */
export const requestTokens = (settings: Settings): string[] => [
  ...(settings.token ?? []),
  ...(settings.win_token ?? []),
  ...(settings.news_token ?? []),
  ...(settings.kudos_token ?? []),
  ...(settings.welcome_token ?? []),
]
