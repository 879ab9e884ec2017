import type { ChatPerson } from '../kit/chat/messages/messaging.ts'
import {
  isUnknownPerson,
  nameOf,
  providerError,
  type SlackContext,
  slackClient,
  type User,
} from './client.ts'
import type { Settings } from './settings.ts'

const timeoutMs = 10_000

/**
 * A person of the workspace. Throws a `ProviderError`.
 * Source: https://docs.slack.dev/reference/methods/users.info
 */
export async function getPerson(
  { settings, provider }: SlackContext,
  id: string,
): Promise<ChatPerson> {
  try {
    const { user = {} } = await slackClient(settings, provider, timeoutMs).users.info({ user: id })
    const isActive = user.deleted !== true && user.is_bot !== true
    const email = isActive ? verifiedEmail(user, settings) : null
    return { id, name: nameOf(user) || id, isActive, email }
  } catch (error) {
    if (isUnknownPerson(error)) return { id, name: id, isActive: false, email: null }
    throw providerError(error)
  }
}

/** Whether a person belongs to one of these workspaces and organizations. Throws a `ProviderError`. */
export async function isPersonOf(
  { settings, provider }: SlackContext,
  id: string,
  homes: readonly string[],
): Promise<boolean> {
  try {
    const { user = {} } = await slackClient(settings, provider, timeoutMs).users.info({ user: id })
    return belongsTo(user, homes)
  } catch (error) {
    if (isUnknownPerson(error)) return false
    throw providerError(error)
  }
}

const belongsTo = ({ team_id, enterprise_user }: User, homes: readonly string[]): boolean =>
  [team_id, enterprise_user?.enterprise_id].some((id) => id !== undefined && homes.includes(id))

/** The address of a person of our own workspace. Another workspace verifies the addresses of its people. */
function verifiedEmail(user: User, { workspace_id }: Settings): string | null {
  const isOurs = workspace_id !== undefined && belongsTo(user, [workspace_id])
  const isVerified = user.is_email_confirmed !== false && user.is_stranger !== true
  return (isOurs && isVerified && user.profile?.email?.toLowerCase()) || null
}
