import * as v from 'valibot'
import type { ChatPerson } from '../../kit/chat/messages/messaging.ts'
import { ProviderError, TokenRefusedError } from '../../kit/provider-error.ts'
import { type BotContext, callConnector } from './client.ts'

export const Created = v.object({ id: v.string(), activityId: v.nullish(v.string(), '') })

const Member = v.object({
  name: v.nullish(v.string(), ''),
  aadObjectId: v.nullish(v.string()),
  email: v.nullish(v.string()),
  userPrincipalName: v.nullish(v.string(), ''),
  tenantId: v.nullish(v.string()),
})

export const notInstalled =
  'The bot has no conversation with this person or channel. Install the app there, or for the person.'

/** The conversation of the bot with a person, which is created when there is none. Throws a `ProviderError`. */
export async function personalConversation(context: BotContext, user: string): Promise<string> {
  const { app_id, tenant_id } = context.settings
  const created = await callConnector(
    context,
    {
      method: 'POST',
      path: 'conversations',
      body: {
        isGroup: false,
        bot: { id: `28:${app_id}` },
        members: [{ id: user }],
        tenantId: tenant_id,
        channelData: { tenant: { id: tenant_id } },
      },
    },
    Created,
  )
  if (created === null) throw new ProviderError('refused', notInstalled)
  return created.id
}

/** https://learn.microsoft.com/microsoftteams/platform/bots/how-to/get-teams-context */
export async function findMember(context: BotContext, conversation: string, user: string) {
  const [id = conversation] = conversation.split(';messageid=')
  const path = `conversations/${encodeURIComponent(id)}/members/${encodeURIComponent(user)}`
  return await callConnector(context, { path }, Member)
}

/** The ids of people that are the same in all conversations; without those whom Teams refuses to describe. */
export async function userIds(
  context: BotContext,
  conversation: string,
  users: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  for (const user of users) {
    const found = await findMember(context, conversation, user).catch(nobodyIfRefused)
    if (found?.aadObjectId) ids.push(found.aadObjectId)
  }
  return [...new Set(ids)]
}

/** News is not lost because of the people whom it thanks; with a token that is refused, it waits for a new one. */
function nobodyIfRefused(error: unknown): null {
  const isRefused = error instanceof ProviderError && error.problem === 'refused'
  if (isRefused && !(error instanceof TokenRefusedError)) return null
  throw error
}

/** A person of the tenant. A guest has an address of another organization, which Teams has not verified. */
export async function getPerson(
  context: BotContext,
  user: string,
  conversation?: string,
): Promise<ChatPerson> {
  const id = conversation ?? (await personalConversation(context, user))
  const found = await findMember(context, id, user)
  if (found === null) return { id: user, name: user, isActive: false, email: null }
  const { name, email, userPrincipalName, tenantId } = found
  const isOurs =
    tenantId === context.settings.tenant_id && !userPrincipalName.toUpperCase().includes('#EXT#')
  const address = isOurs ? (email ?? userPrincipalName) : ''
  return { id: user, name: name || user, isActive: true, email: address.toLowerCase() || null }
}
