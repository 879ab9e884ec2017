import * as v from 'valibot'
import type { ChatPerson } from '../kit/chat/messages/messaging.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { callMattermost, isRefusedWith, type MattermostContext } from './api.ts'

const Text = v.nullish(v.string(), '')

const User = v.object({
  id: v.string(),
  username: v.string(),
  first_name: Text,
  last_name: Text,
  nickname: Text,
  email: Text,
  /** Only system admins see it. */
  email_verified: v.nullish(v.boolean(), false),
  /** Milliseconds; 0 for an account that is active. */
  delete_at: v.nullish(v.number(), 0),
  is_bot: v.nullish(v.boolean(), false),
  roles: Text,
  /** The server of a person from a shared channel. */
  remote_id: Text,
})
type User = v.InferOutput<typeof User>

/** The name of a person as Mattermost shows it: the nickname, the full name or the user name. */
const nameOf = ({ nickname, first_name, last_name, username }: User): string =>
  oneLine(nickname) || oneLine(`${first_name} ${last_name}`) || username

/**
 * A person of the server. Their address counts only when Mattermost says that it is verified, which it says to system
 * admins, and not for guests and people of other servers.
 * Source: https://github.com/mattermost/mattermost/blob/master/server/public/model/user.go
 */
export async function getPerson(context: MattermostContext, id: string): Promise<ChatPerson> {
  try {
    const user = await callMattermost(context, { path: `users/${id}` }, User)
    const { email, email_verified, delete_at, is_bot, roles, remote_id } = user
    const isGuest = roles.split(' ').includes('system_guest')
    const isOurs = email_verified && !isGuest && remote_id === ''
    return {
      id,
      name: nameOf(user),
      isActive: delete_at === 0 && !is_bot,
      email: isOurs ? email.toLowerCase() || null : null,
    }
  } catch (error) {
    if (isRefusedWith(error, 404)) return { id, name: id, isActive: false, email: null }
    throw error
  }
}

/** The names of people, by id. People whom the bot may not see are left out. */
export async function namesOf(
  context: MattermostContext,
  ids: Iterable<string>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const id of ids) {
    try {
      const { name } = await getPerson(context, id)
      if (name !== id) names.set(id, name)
    } catch (error) {
      if (!isRefusedWith(error, 403)) throw error
    }
  }
  return names
}
