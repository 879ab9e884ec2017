import { type Connection, listConnections } from '../../../../features/connections/index.ts'
import { connectionName } from '../../../components/provider-name.ts'
import { type ConsoleDeps, connectionContext, type MemberRequest } from '../../../http/context.ts'

/** A channel to which newsletters are posted. */
export interface PostingChannel {
  connection: Connection
  /** Its id in the chat; empty for the only one of a connection. */
  channel: string
}

/** The channels in the settings of the team's connections. */
export async function listPostingChannels(context: MemberRequest): Promise<PostingChannel[]> {
  const connections = await listConnections(connectionContext(context))
  return connections.flatMap((connection) => channelsOf(context.deps, connection))
}

/** The channels in the settings of a connection. */
export function channelsOf(
  { integrations }: ConsoleDeps,
  connection: Connection,
): PostingChannel[] {
  const integration = integrations.catalog.find(({ slug }) => slug === connection.adapter)
  const { postingSettings = [] } = integration ?? {}
  const canPost = postingSettings.some(
    (name) => Object.hasOwn(connection.settings, name) || connection.secrets.includes(name),
  )
  if (!integration || !canPost) return []
  return integration
    .postingChannels(connection.settings)
    .map((channel) => ({ connection, channel }))
}

/** The name of a connection and its channel, as people read it. */
export const channelName = (context: MemberRequest, { connection, channel }: PostingChannel) =>
  [connectionName(context, connection), channel].filter(Boolean).join(', ')
