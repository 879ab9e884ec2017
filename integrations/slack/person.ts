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

/**
 * The first of these workspaces and organizations to which a person belongs; undefined when there is none. Throws a
 * `ProviderError`.
 */
export async function findWorkspace(
  { settings, provider }: SlackContext,
  id: string,
  workspaces: readonly string[],
): Promise<string | undefined> {
  try {
    const { user = {} } = await slackClient(settings, provider, timeoutMs).users.info({ user: id })
    // A person of an organization can have several workspaces, each of which names itself in `team_id`.
    const more = user.enterprise_user?.teams ?? []
    return workspaces.find((workspace) => more.includes(workspace) || isOf(user, workspace))
  } catch (error) {
    if (isUnknownPerson(error)) return undefined
    throw providerError(error)
  }
}

const isOf = ({ team_id, enterprise_user }: User, workspace: string): boolean =>
  workspace === team_id || workspace === enterprise_user?.enterprise_id

/** The address of a person of our own workspace. Another workspace verifies the addresses of its people. */
function verifiedEmail(user: User, { workspace_id }: Settings): string | null {
  const isOurs = workspace_id !== undefined && isOf(user, workspace_id)
  const isVerified = user.is_email_confirmed !== false && user.is_stranger !== true
  return (isOurs && isVerified && user.profile?.email?.toLowerCase()) || null
}
