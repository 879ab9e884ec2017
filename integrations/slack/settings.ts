import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { secret } from '../kit/adapter.ts'
import { conversationSettings, messagingSettings } from '../kit/chat/settings.ts'

/** The API of commercial Slack; GovSlack has another one. */
export const defaultApiUrl = 'https://slack.com/api/'

/** A workspace (`T…`) or an Enterprise organization (`E…`). */
export const WorkspaceId = v.pipe(
  v.string(),
  v.regex(/^[TE][A-Z0-9]{1,40}$/, 'must be a workspace id such as T0123ABCD, not its name'),
)

export const AppId = v.pipe(
  v.string(),
  v.regex(/^A[A-Z0-9]{1,40}$/, 'must be an app id such as A0123ABCD'),
)

const ChannelId = v.pipe(
  v.string(),
  v.regex(/^[CG][A-Z0-9]{1,40}$/, 'must be a channel id such as C0123ABCD, not its name'),
)

/** The ids of one channel or of several, as they are written in a setting. */
export const channelIds = (text: string): string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((id) => id !== '')),
]

const maxChannels = 20

const ChannelIds = v.pipe(
  v.string(),
  v.transform(channelIds),
  v.array(ChannelId),
  v.minLength(1, 'must be the id of a channel such as C0123ABCD'),
  v.maxLength(maxChannels, `must be at most ${maxChannels} channels`),
)

/** Whether a text is the id of a channel. */
export const isChannelId = (text: string): boolean => v.is(ChannelId, text)

/**
 * The settings of a connection. The two ids are stored from the first request when they are not
 * set.
 */
export const settingsSchema = v.object({
  signing_secret: secret(),
  bot_token: secret(),
  /** For Socket Mode: the app-level token with which the service opens a socket to Slack. */
  app_token: v.optional(secret()),
  workspace_id: v.optional(WorkspaceId),
  app_id: v.optional(AppId),
  /** The name of the reaction that saves a message. */
  reaction: v.optional(
    v.pipe(
      v.string(),
      v.transform((name) => name.replaceAll(':', '')),
      v.regex(
        /^[\p{L}\p{N}_+'-]{1,100}$/u,
        'must be the name of an emoji such as rolled_up_newspaper',
      ),
    ),
    'rolled_up_newspaper',
  ),
  /** The channels to which sent newsletters are posted. */
  newsletter_channel: v.optional(ChannelIds),
  /** The channel in which editors review new drafts. */
  review_channel: v.optional(ChannelId),
  ...conversationSettings,
  ...messagingSettings,
  api_base_url: v.optional(webAddress, defaultApiUrl),
})

export type Settings = v.InferOutput<typeof settingsSchema>
