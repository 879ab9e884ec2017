import * as v from 'valibot'
import type { ChatPerson } from '../kit/chat/messages/messaging.ts'
import { callDiscord, type DiscordContext, errorCode, isRefusedWith } from './api.ts'
import { nameOf, User } from './requests/interaction.ts'

const maxServers = 10

const Member = v.object({ nick: v.nullish(v.string()), user: User })

/**
 * A person of the servers of the connection; not active when they have left all of them. Discord shows no email addresses to
 * bots, so accounts are linked with a link.
 * Source: https://docs.discord.com/developers/resources/guild#get-guild-member
 */
export async function getPerson(context: DiscordContext, id: string): Promise<ChatPerson> {
  for (const server of await serversOf(context)) {
    const person = await memberOf(context, server, id)
    if (person) return person
  }
  return { id, name: id, isActive: false, email: null }
}

async function memberOf(
  context: DiscordContext,
  server: string,
  id: string,
): Promise<ChatPerson | undefined> {
  try {
    const path = `guilds/${server}/members/${id}`
    const { nick, user } = await callDiscord(context, { method: 'GET', path }, Member)
    return { id, name: nameOf(user, nick) || id, isActive: user.bot !== true, email: null }
  } catch (error) {
    const { unknownMember, unknownUser } = errorCode
    if (isRefusedWith(error, unknownMember, unknownUser)) return undefined
    throw error
  }
}

const Servers = v.array(v.object({ id: v.string() }))

/** The servers of the settings, or the first ten in which the application is installed. */
async function serversOf(context: DiscordContext): Promise<readonly string[]> {
  const { server_ids } = context.settings
  if (server_ids.length > 0) return server_ids
  const path = `users/@me/guilds?limit=${maxServers}`
  const servers = await callDiscord(context, { method: 'GET', path }, Servers)
  return servers.map(({ id }) => id)
}
