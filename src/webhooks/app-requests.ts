import type { Adapter } from '../../integrations/kit/adapter.ts'
import type { RawRequest, Reply } from '../../integrations/kit/requests/received.ts'
import type { AppCredentials } from '../contract/app-credentials.ts'
import { findInstalledConnections } from '../features/app-installations/index.ts'
import type { ConnectionDeps, DecryptedConnection } from '../features/connections/index.ts'

/** In place of the token of a connection: the address that all workspaces call with the operator's app. */
export const appAddress = 'app'

/** The reply to a request that belongs to no connection. */
export interface AppReply {
  reply: Reply
  /** For the log. */
  outcome: string
}

/** The connections that get a request. */
export interface Recipients {
  connections: DecryptedConnection[]
  /** Of the operator's app: the workspaces of the connections. */
  workspaceIds?: readonly string[]
}

interface AppDeps extends ConnectionDeps {
  apps: ReadonlyMap<string, AppCredentials>
}

/**
 * The connection to the workspace that a request of the operator's app comes from, with the signing secret of
 * the app; several for an event that can be of a person of any of them; the reply when there is none; null when the
 * operator has no app.
 */
export async function connectionsOfApp(
  deps: AppDeps,
  { adapter, raw }: { adapter: Adapter; raw: RawRequest },
): Promise<Recipients | AppReply | null> {
  const app = deps.apps.get(adapter.slug)
  if (!app || !adapter.installer) return null
  const identified = adapter.installer.identify(raw, app, deps.now())
  switch (identified.kind) {
    case 'rejected':
      return {
        reply: { status: identified.status, body: { error: 'The request was refused.' } },
        outcome: identified.kind,
      }
    case 'immediateReply':
      return { reply: identified.reply, outcome: identified.kind }
    case 'workspace': {
      const { ids, isOfAny, unknown } = identified
      const asked = { adapter: adapter.slug, workspaceIds: ids, isOfAny }
      const found = await findInstalledConnections(deps, asked)
      if (found.length === 0) return { reply: unknown, outcome: 'unknown workspace' }
      const connections = found.map(({ connection }) => withSigningSecret(connection, app))
      return { connections, workspaceIds: found.map(({ workspaceId }) => workspaceId) }
    }
  }
}

/** The operator can replace the secret; connections have the one with which they were created. */
function withSigningSecret(connection: DecryptedConnection, { signingSecret }: AppCredentials) {
  const { signing_secret: own } = connection.given
  const [first] = [own].flat()
  const signing_secret = first === signingSecret ? [signingSecret] : [signingSecret, first]
  return { ...connection, given: { ...connection.given, signing_secret } }
}
