import * as v from 'valibot'
import { type BotContext, callConnector, inTime } from './client.ts'
import type { BotActivity } from './requests/activity.ts'

const ChannelList = v.object({
  conversations: v.nullish(v.array(v.object({ id: v.string(), type: v.nullish(v.string()) })), []),
})

/**
 * Whether not everybody in a team can read a conversation: chats, private and shared channels, and channels of which
 * Teams does not say in time that they are standard ones. Sources:
 * https://learn.microsoft.com/javascript/api/botframework-schema/channelinfo and
 * https://learn.microsoft.com/microsoftteams/platform/bots/how-to/get-teams-context
 */
export async function isPrivate(
  { conversation, channelData }: BotActivity,
  context: BotContext,
): Promise<boolean> {
  if (conversation.conversationType !== 'channel') return true
  const { channel, team } = channelData ?? {}
  if (channel?.type) return channel.type !== 'standard'
  if (!team?.id) return true
  const [id] = conversation.id.split(';')
  const path = `teams/${encodeURIComponent(team.id)}/conversations`
  // Without a response, nobody knows that everybody can read the channel.
  const found = await callConnector(inTime(context), { path }, ChannelList).catch(() => null)
  return found?.conversations?.find((one) => one.id === id)?.type !== 'standard'
}
