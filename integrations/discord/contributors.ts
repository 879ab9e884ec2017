import * as v from 'valibot'
import type { ComposeContext } from '../kit/adapter.ts'
import { type Contributors, contributorsOf } from '../kit/chat/contributors.ts'
import { ProviderError } from '../kit/provider-error.ts'
import { callDiscord, type DiscordContext } from './api.ts'
import type { Settings } from './settings.ts'
import { type DiscordEvent, readEphemeralContext } from './stored-event.ts'

/** Who gets messages about an item: the person who saved it, its author, and the people whom kudos thank. */
export async function contributors({
  event,
  ephemeralContext,
  settings,
  provider,
}: ComposeContext<Settings, DiscordEvent>): Promise<Contributors | undefined> {
  const saved = readEphemeralContext(ephemeralContext)
  if (event.type !== 'news' || saved?.user === undefined) return undefined
  const { user, author, thanked, prompt } = saved
  const from = event.saved_from
  return contributorsOf({
    user,
    author,
    thanked: new Set(thanked).difference(new Set([user])),
    isPrivate: from !== undefined && (await isPrivate(from, { settings, provider })),
    prompt,
  })
}

/** https://docs.discord.com/developers/topics/permissions */
const viewChannel = 1n << 10n

/** https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
const threadTypes = { announcement: 10, public: 11, private: 12 }

const Permissions = v.pipe(
  v.string(),
  v.regex(/^\d{1,30}$/),
  v.transform((bits) => BigInt(bits)),
)
const Channel = v.object({
  type: v.number(),
  parent_id: v.nullish(v.string()),
  permission_overwrites: v.optional(
    v.array(v.object({ id: v.string(), allow: Permissions, deny: Permissions })),
    [],
  ),
})
const Server = v.object({ roles: v.array(v.object({ id: v.string(), permissions: Permissions })) })

/**
 * Whether not everybody in the server can read a channel. Without a token that Discord accepts nobody can ask: then, and
 * where the application has no access, the channel counts as private.
 */
async function isPrivate(
  from: { channel: string; server: string },
  context: DiscordContext,
): Promise<boolean> {
  if (context.settings.bot_token === undefined) return true
  try {
    return !(await canEverybodyRead(from, context))
  } catch (error) {
    if (error instanceof ProviderError && error.problem === 'refused') return true
    throw error
  }
}

async function canEverybodyRead(
  { channel: id, server }: { channel: string; server: string },
  context: DiscordContext,
): Promise<boolean> {
  const get = { method: 'GET' } as const
  const channel = await callDiscord(context, { ...get, path: `channels/${id}` }, Channel)
  if (channel.type === threadTypes.private) return false
  const isThread = channel.type === threadTypes.public || channel.type === threadTypes.announcement
  if (isThread && channel.parent_id)
    return await canEverybodyRead({ channel: channel.parent_id, server }, context)
  // The role of everybody has the id of the server.
  const overwrite = channel.permission_overwrites.find((one) => one.id === server)
  if (overwrite && (overwrite.deny & viewChannel) !== 0n) return false
  if (overwrite && (overwrite.allow & viewChannel) !== 0n) return true
  const { roles } = await callDiscord(context, { ...get, path: `guilds/${server}` }, Server)
  const everybody = roles.find((role) => role.id === server)
  return everybody !== undefined && (everybody.permissions & viewChannel) !== 0n
}
