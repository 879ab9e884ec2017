import * as v from 'valibot'
import { choice } from '../../../src/contract/settings.ts'
import { flag } from '../adapter.ts'
import { isTimeZone } from '../dates.ts'
import type { MessagingOptions } from './messages/messaging.ts'

const quietHours = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/

/** The setting of a chat whose bot reads messages with a language model. */
export const conversationSettings = {
  without_ai: flag({ label: 'Do not read messages to the bot with AI' }),
}

/** The settings of a chat about messages to people. */
export const messagingSettings = {
  /** How often new drafts are posted to the channel for reviews. */
  review_digest: choice(['immediately', 'hourly', 'daily']),
  mute_contributors: flag({ label: 'Send no messages to contributors' }),
  quiet_hours: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => text === 'none' || quietHours.test(text),
        'must be a time such as 20:00-08:00, or none',
      ),
    ),
    '20:00-08:00',
  ),
  time_zone: v.optional(
    v.pipe(v.string(), v.check(isTimeZone, 'must be a time zone such as Europe/Berlin')),
    'UTC',
  ),
}

interface MessagingSettings {
  review_channel?: string | undefined
  review_digest: MessagingOptions['reviewDigest']
  mute_contributors: boolean
  quiet_hours: string
  time_zone: string
}

/** What the settings of a connection say about messages. */
export function messagingOptions(settings: MessagingSettings): MessagingOptions {
  return {
    reviewChannel: settings.review_channel ?? null,
    reviewDigest: settings.review_digest,
    notifiesContributors: !settings.mute_contributors,
    quietHours: readQuietHours(settings.quiet_hours),
    timeZone: settings.time_zone,
  }
}

function readQuietHours(text: string): MessagingOptions['quietHours'] {
  const match = quietHours.exec(text)
  if (!match) return null
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = match.slice(1).map(Number)
  return { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute }
}
